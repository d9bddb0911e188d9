// What the page's tree does not tell by itself: the text inside fields, scroll bars, grips, states.

const edge = value => parseFloat(value) || 0;
const scratch = document.createElement('canvas').getContext('2d');
const FONT = ['fontFamily', 'fontSize', 'fontWeight', 'fontStyle', 'fontStretch', 'letterSpacing', 'lineHeight', 'textTransform', 'textIndent', 'wordSpacing', 'tabSize'];

const activeElement = (() => {
  let one = document.activeElement;
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  return one;
})();
const shownDate = el => {
  if (el.type === 'date') { const [y, m, d] = el.value.split('-'); return el.value ? `${m}/${d}/${y}` : 'mm/dd/yyyy'; }
  if (el.type === 'time') {
    if (!el.value) return '--:-- --';
    const [h, m] = el.value.split(':');
    return `${String((+h + 11) % 12 + 1).padStart(2, '0')}:${m} ${+h < 12 ? 'AM' : 'PM'}`;
  }
  return null;
};
// The characters of one line that fit between two edges.
const fitting = (el, text) => {
  const s = styleOf(el), arrows = el.type === 'number' && (el === activeElement || el.matches(':hover')) ? 16 : 0;
  const room = el.clientWidth - edge(s.paddingLeft) - edge(s.paddingRight) - arrows;
  scratch.font = `${s.fontStyle} ${s.fontWeight} ${s.fontSize} ${s.fontFamily}`;
  scratch.letterSpacing = s.letterSpacing === 'normal' ? '0px' : s.letterSpacing;
  if (scratch.measureText(text).width <= room + 1) return text;
  // The page does not tell how far a field of numbers is scrolled: to the end while it is written in.
  const from = el.type === 'number' && el === activeElement ? scratch.measureText(text).width - room : el.scrollLeft;
  let kept = '';
  for (let i = 0; i < text.length; i++) {
    const middle = (scratch.measureText(text.slice(0, i)).width + scratch.measureText(text.slice(0, i + 1)).width) / 2 - from;
    if (middle > 0 && middle < room) kept += text[i];
  }
  return kept;
};
// A row of an opened native list: its line with some air, and never lower than a finger is wide.
const rowHeight = el => {
  const s = styleOf(el);
  scratch.font = `${s.fontStyle} ${s.fontWeight} ${s.fontSize} ${s.fontFamily}`;
  const measured = scratch.measureText('Mg');
  return Math.max(24, Math.round(measured.fontBoundingBoxAscent + measured.fontBoundingBoxDescent) + 8);
};
const inputText = el => {
  if (/^(submit|reset|button)$/.test(el.type)) return el.value || {submit: 'Submit', reset: 'Reset', button: ''}[el.type];
  if (el.type === 'file') return null;
  if (!el.value && shownDate(el) === null) return fitting(el, el.placeholder || '');
  if (el.type === 'password') return null;
  return fitting(el, cased(shownDate(el) ?? el.value, styleOf(el)));
};
// The words of a text area that are not scrolled away: its text is laid out once more, where it can be measured.
const areaText = el => {
  const text = el.value || el.placeholder || '';
  if (!text.trim()) return '';
  const s = styleOf(el), copy = document.createElement('div');
  copy.style.cssText = `position:fixed;left:0;top:0;visibility:hidden;box-sizing:content-box;border:0;overflow:hidden;
    white-space:${el.wrap === 'off' ? 'pre' : 'pre-wrap'};overflow-wrap:break-word;width:${el.clientWidth - edge(s.paddingLeft) - edge(s.paddingRight)}px;
    padding:${s.paddingTop} ${s.paddingRight} ${s.paddingBottom} ${s.paddingLeft}`;
  for (const name of FONT) copy.style[name] = s[name];
  const node = document.createTextNode(text);
  copy.append(node);
  document.body.append(copy);
  const words = [];
  for (const match of text.matchAll(/\S+/g)) {
    const first = rectsOf(node, match.index, match.index + match[0].length)[0];
    if (!first) continue;
    const middle = (first.top + first.bottom) / 2 - el.scrollTop;
    if (middle > 0 && middle < el.clientHeight && first.left - el.scrollLeft < el.clientWidth) words.push(match[0]);
  }
  copy.remove();
  return cased(words.join(' '), s);
};
const fieldText = el => {
  if (el.tagName === 'INPUT') return inputText(el);
  if (el.tagName === 'TEXTAREA') return areaText(el);
  if (el.tagName === 'SELECT') return fitting(el, (el.selectedOptions[0]?.label || '').trim());
  if (el.tagName === 'OPTION') return (el.label || el.text).trim();
  if (el.matches('.ui-spinner')) { const inner = el.querySelector('input'); return inner ? inputText(inner) : ''; }
  return undefined;
};

// States ---------------------------------------------------------------------------------------------------------

const TYPED = /^(input_field|text_area|spinner)$/;
// true or false where a person could tell, undefined where the focus is there but nothing shows it.
const focusOf = (el, kind) => {
  // Nothing tells it of a dialog; of a field with an opened list the list does.
  if (kind === 'dialog' || (el.tagName === 'SELECT' && el.matches(':open'))) return undefined;
  if (!activeElement || activeElement === document.body || !within(activeElement, el)) return false;
  if (activeElement !== el && !TYPED.test(kind) && !(kind === 'dropdown' && activeElement.tagName === 'INPUT')) return false;
  const s = styleOf(activeElement);
  if (s.outlineStyle !== 'none' && edge(s.outlineWidth) > 0 && alphaOf(s.outlineColor) > 0.1) return true;
  const writes = TYPED.test(kind) && !activeElement.readOnly;
  if (writes && alphaOf(s.caretColor) > 0.1) return true;
  if (s.boxShadow !== 'none' && activeElement.matches(':focus-visible')) return true;
  return undefined;
};
const aria = (el, name) => { const value = el.getAttribute(`aria-${name}`); return value === 'true' ? true : value === 'false' ? false : undefined; };
const isDisabled = el => el.matches(':disabled') || aria(el, 'disabled') === true || el.matches('.disabled, .ui-state-disabled, .is-disabled');
const chosen = el => el.matches('.active, .selected, .is-active, .is-selected, .ui-state-active, .ui-tabs-active, .ui-selected');
const checkedOf = (el, kind) => {
  if (/^(checkbox|radio|toggle)$/.test(kind)) {
    if (el.indeterminate) return undefined;
    return el.tagName === 'INPUT' ? el.checked : aria(el, 'checked') ?? el.querySelector('input')?.checked ?? false;
  }
  if (kind === 'tab') return aria(el, 'selected') ?? (chosen(el) || !!el.parentElement?.matches('.is-active, .active'));
  if (kind === 'button') return aria(el, 'pressed');
  return aria(el, 'checked');
};
const expandedOf = (el, kind) => {
  const said = aria(el, 'expanded') ?? (el.tagName === 'INPUT' ? undefined : aria(el.querySelector(':scope > [aria-expanded]') || el, 'expanded'));
  if (el.tagName === 'SELECT') return el.matches(':open');
  if (kind === 'dropdown' || kind === 'menu') return said ?? false;
  if (el.tagName === 'SUMMARY') return el.parentElement.open;
  if (el.matches('.ui-accordion-header')) return aria(el, 'expanded') ?? el.matches('.ui-accordion-header-active');
  return said;
};
const highlightedOf = (el, kind) => {
  if (el.tagName === 'OPTION') return el.selected;
  return aria(el, 'selected') ?? (chosen(el) || !!el.querySelector(':scope > .ui-state-active'));
};
const statesOf = (el, kind) => {
  const states = {
    focused: focusOf(el, kind), disabled: isDisabled(el), checked: checkedOf(el, kind), expanded: expandedOf(el, kind),
    highlighted: highlightedOf(el, kind),
  };
  return Object.assign(states, saidStates(el));
};
const saidStates = el => {
  try { return JSON.parse(el.dataset?.truthStates || '{}'); } catch { return {}; }
};

// What a control is called, by what the page's markup says: as much of the rules for accessible names as pages use.
const CONTENT_NAMES = /^(button|tab|menu|menu_item|list_item|tree_item|checkbox|radio|toggle|hyperlink|icon)$/;
const wordsIn = (el, without) => {
  let words = '';
  for (const child of (el.shadowRoot || el).childNodes) {
    if (child.nodeType === Node.TEXT_NODE) words += child.data;
    else if (child.nodeType === Node.ELEMENT_NODE && child !== without && child.getAttribute('aria-hidden') !== 'true' && child.checkVisibility()) {
      const inline = /^inline$|^contents$/.test(styleOf(child).display), own = child.getAttribute('aria-label') || child.getAttribute('alt');
      const inner = /^(SELECT|TEXTAREA|SCRIPT|STYLE)$/.test(child.tagName) || /^(group|tree|menu)$/.test(roleOf(child)) ? '' : own || wordsIn(child, without);
      words += inline ? inner : ` ${inner} `;
    }
  }
  return words.replace(/\s+/g, ' ');
};
const nameOf = (el, kind) => {
  const by = (el.getAttribute('aria-labelledby') || '').split(/\s+/).map(id => id && document.getElementById(id)).filter(Boolean);
  const labels = el.labels ? [...el.labels].map(one => wordsIn(one, el).trim()).filter(Boolean).join(' ') : '';
  const pressed = el.tagName === 'INPUT' && /^(button|submit|reset)$/.test(el.type) ? inputText(el) : '';
  const content = CONTENT_NAMES.test(kind) && el.tagName !== 'INPUT' ? (el.tagName === 'OPTION' ? el.label : wordsIn(el)).trim() : '';
  return by.map(one => wordsIn(one).trim()).join(' ') || (el.getAttribute('aria-label') || '').trim() || labels || pressed ||
    el.getAttribute('alt') || content || el.getAttribute('title') || el.getAttribute('placeholder') || '';
};

// Scroll bars and grips ------------------------------------------------------------------------------------------

const barOf = (el, upright, inner, thick) => {
  const box = upright ? [inner[2], inner[1], inner[2] + thick, inner[3]] : [inner[0], inner[3], inner[2], inner[3] + thick];
  if (upright && styleOf(el).direction === 'rtl' && el !== document.scrollingElement) { box[0] = inner[0] - thick; box[2] = inner[0]; }
  const content = upright ? el.scrollHeight : el.scrollWidth, view = upright ? el.clientHeight : el.clientWidth;
  return {type: 'scrollbar', box, upright, part: view / content, at: Math.abs(upright ? el.scrollTop : el.scrollLeft) / Math.max(1, content - view), el};
};
const scrollBars = el => {
  if (el === document.scrollingElement) {
    const bars = [], root = document.documentElement, page = [0, 0, root.clientWidth, root.clientHeight];
    const right = innerWidth - root.clientWidth, below = innerHeight - root.clientHeight;
    if (right > 3) bars.push(barOf(el, true, page, right));
    if (below > 3) bars.push(barOf(el, false, page, below));
    return bars;
  }
  const s = styleOf(el);
  if (!/auto|scroll/.test(s.overflowX + s.overflowY) && el.tagName !== 'SELECT') return [];
  const r = el.getBoundingClientRect();
  const right = el.offsetWidth - el.clientWidth - edge(s.borderLeftWidth) - edge(s.borderRightWidth);
  const below = el.offsetHeight - el.clientHeight - edge(s.borderTopWidth) - edge(s.borderBottomWidth);
  const left = r.left + el.clientLeft, top = r.top + el.clientTop;
  const inner = [left, top, left + el.clientWidth, top + el.clientHeight];
  const bars = [];
  // A grip takes the corner, also where the other bar is missing.
  const grip = hasGrip(el);
  if (right > 3) bars.push(barOf(el, true, grip && below <= 3 ? [inner[0], inner[1], inner[2], inner[3] - right] : inner, right));
  if (below > 3) bars.push(barOf(el, false, grip && right <= 3 ? [inner[0], inner[1], inner[2] - below, inner[3]] : inner, below));
  return bars;
};
const GRIP = 12;
const hasGrip = el => styleOf(el).resize !== 'none' && styleOf(el).overflow !== 'visible';
const gripOf = el => {
  const s = styleOf(el);
  if (!hasGrip(el)) return null;
  // Chromium draws it in the corner of the inner box, always alike; a caret or ring near it must not widen it.
  const r = el.getBoundingClientRect(), right = r.right - edge(s.borderRightWidth), bottom = r.bottom - edge(s.borderBottomWidth);
  return {type: 'resize_handle', box: [right - GRIP, bottom - GRIP, right, bottom], el};
};
