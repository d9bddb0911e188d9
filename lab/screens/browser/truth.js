// Walks the page once and says what can be seen on it. ``arguments``: a selector of the part that counts, the box of
// the window that is in the picture.

const found = [];
const owned = new Map();   // control -> the lines inside it
const runs = [];
const ownedPictures = new Map();

const keep = (item, el) => {
  const part = seenPart(el, item.box);
  if (!part) return null;
  delete item.el;
  found.push({...item, box: part, whole: item.box});
  return found[found.length - 1];
};
const drawnBox = (el, kind) => {
  let box = boxOf(el);
  if (el.matches('.ui-slider')) for (const handle of el.querySelectorAll('.ui-slider-handle')) box = join(box, boxOf(handle));
  if (kind === 'tree_item' || (kind === 'list_item' && el.tagName !== 'OPTION')) {
    const inner = [...el.querySelectorAll('ul, ol, [role=group]')].find(one => shown(one) && heightOf(boxOf(one)) > 0);
    if (inner && inner.tagName !== 'A') box[3] = Math.min(box[3], boxOf(inner)[1]);
  }
  return box;
};
const squareIn = box => {
  const side = Math.min(widthOf(box), heightOf(box)), x = (box[0] + box[2] - side) / 2, y = (box[1] + box[3] - side) / 2;
  return [x, y, x + side, y + side];
};
// An opacity of 0 hides a native box whose drawn likeness stands beside it.
const likenessOf = el => {
  if (opacityOf(el) >= 0.15 && areaOf(boxOf(el)) > 30) return null;
  const label = el.closest('label') || el.parentElement;
  return [...(label?.querySelectorAll('*') || [])].find(one => {
    const r = one.getBoundingClientRect();
    return one !== el && shown(one) && r.width >= 8 && r.width <= 70 && r.height >= 8 && r.height <= 40 && !one.textContent.trim();
  }) || null;
};
const addControl = (el, kind) => {
  const s = styleOf(el);
  let drawn = el;
  if (/^(checkbox|radio|toggle)$/.test(kind) && !shown(el)) {
    if (el.tagName !== 'INPUT' || !(drawn = likenessOf(el))) return;
  } else if (!shown(el)) return;
  if (kind === 'resize_handle' && s.cursor === 'auto' && !drawsPicture(el)) return;
  const item = {type: kind, box: drawnBox(drawn, kind), states: statesOf(el, kind), subtype: el.dataset.truthSubtype || ''};
  item.name = nameOf(el, kind);
  if (kind === 'hyperlink' || kind === 'text' || kind === 'tabled_text' || kind === 'draggable_text') return;
  if (kind === 'resize_handle') item.ink = true;
  // Stretched by the page's style, the mark itself stays a square in the middle.
  if (/^(checkbox|radio)$/.test(kind) && drawn.tagName === 'INPUT' && s.appearance === 'auto') item.box = squareIn(item.box);
  if (kind === 'icon' || kind === 'shape') {
    item.ink = alphaOf(s.backgroundColor) < 0.05 && edge(s.borderLeftWidth) === 0;
    item.about = aboutOf(el);
    if (item.ink && kind === 'icon') item.box = inFrame(el);
  }
  if (kind === 'toolbar' && alphaOf(s.backgroundColor) < 0.05 && edge(s.borderBottomWidth) + edge(s.borderTopWidth) === 0) return;
  const kept = keep(item, drawn);
  if (!kept) return;
  kept.owns = OWNS_TEXT.has(kind);
  const text = kept.owns ? fieldText(el) : undefined;
  if (text !== undefined) kept.text = text;
  if (/^(checkbox|radio|toggle)$/.test(kind)) {
    const label = el.labels?.[0] || el.closest('label');
    const words = label && shown(label) ? label.innerText.replace(/\s+/g, ' ').trim() : '';
    if (words) kept.text = words;
  }
  if (el.tagName === 'SELECT' && el.matches(':open')) {
    kept.options = [...el.options].filter(one => !one.hidden).map(one => one.label.trim());
    kept.chosen = el.selectedIndex;
    kept.row = rowHeight(el);
  }
  kept.frame = alphaOf(s.backgroundColor) > 0.05 || s.backgroundImage !== 'none' || edge(s.borderLeftWidth) > 0;
  kept.about = kept.about || wordsAbout(el);
  owned.set(el, {item: kept, lines: [], pictures: []});
};
const addText = node => {
  const el = node.parentElement;
  if (!el || !node.data.trim() || !shown(el) || /^(SCRIPT|STYLE|NOSCRIPT|TITLE|OPTION|SELECT|TEXTAREA|TEMPLATE)$/.test(el.tagName)) return;
  if (el.closest('[data-truth-skip=all]') || pictureKind(el) || edge(styleOf(el).fontSize) < 2) return;
  if (isIconText(el, node.data.trim())) { addPicture(el, 'icon'); return; }
  const s = styleOf(el), ink = s.webkitTextFillColor || s.color;
  if (alphaOf(ink) < 0.1 || edge(s.textIndent) < -500) return;
  const owner = ownerOf(el), lines = owner ? owned.get(owner)?.lines || (ROWS.has(kindOf(owner)) ? runs : null) : runs;
  if (lines) for (const one of pieces(node, el)) addPiece(lines, one);
};
// The borders and grounds that an icon's place reaches over are no part of it.
const inFrame = el => {
  let box = boxOf(el);
  for (let up = upOf(el), i = 0; up && i < 2; up = upOf(up), i++) {
    const s = styleOf(up), wide = ['Left', 'Top', 'Right', 'Bottom'].map(side => edge(s[`border${side}Width`]));
    if (!wide.some(w => w > 0) && alphaOf(s.backgroundColor) < 0.05) continue;
    const b = boxOf(up), cut = meet(box, [b[0] + wide[0] + 0.5, b[1] + wide[1] + 0.5, b[2] - wide[2] - 0.5, b[3] - wide[3] - 0.5]);
    if (areaOf(cut) * 2 > areaOf(box)) box = cut;
  }
  return box;
};
const addPicture = (el, kind) => {
  if (!shown(el)) return;
  const item = {type: kind, box: kind === 'icon' ? inFrame(el) : boxOf(el), about: aboutOf(el), subtype: el.dataset?.truthSubtype || '', ink: kind === 'icon', states: saidStates(el)};
  const owner = ownerOf(el), of = owner && owned.get(owner);
  if (of) { of.pictures.push([item, el]); return; }
  if (owner && !ROWS.has(kindOf(owner))) return;
  const last = runs[runs.length - 1];
  if (last) last.barrier = true;
  keep(item, el);
};
const addElement = el => {
  if (el.dataset?.truthSkip === 'all') return false;
  if (el !== document.scrollingElement && shown(el)) for (const bar of scrollBars(el)) keep(bar, el);
  const kind = kindOf(el);
  if (kind) {
    const last = runs[runs.length - 1];
    if (last && kind !== 'text' && kind !== 'hyperlink') last.barrier = true;
    addControl(el, kind);
    if (kind === 'text_area' && shown(el)) { const grip = gripOf(el); if (grip) keep(grip, el); }
    return !(kind === 'image' || kind === 'icon');
  }
  if (el.dataset?.truthShapes !== undefined) { for (const figure of figuresOf(el)) keep(figure, figure.el); return true; }
  const picture = pictureKind(el);
  if (picture) { addPicture(el, picture); return false; }
  return !(el instanceof SVGElement && el.closest('svg')?.dataset.truthShapes === undefined && el.tagName.toLowerCase() !== 'svg' && !(el instanceof SVGTextElement) && !el.querySelector('text'));
};
const walk = node => {
  if (node.nodeType === Node.TEXT_NODE) { addText(node); return; }
  if (node.nodeType !== Node.ELEMENT_NODE || /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|HEAD)$/.test(node.tagName)) return;
  if (styleOf(node).display === 'none' || !addElement(node)) return;
  if (node.tagName === 'SLOT') { for (const one of node.assignedNodes({flatten: true})) walk(one); if (node.assignedNodes().length) return; }
  for (const child of (node.shadowRoot || node).childNodes) walk(child);
};
const lineItem = run => ({
  type: run.kind, box: run.box, text: run.text, ink: true, line: true, size: run.size,
  states: {highlighted: run.highlighted, ...(run.kind === 'hyperlink' ? {focused: !!run.link && focusOf(run.link, 'hyperlink'), disabled: !!run.link && isDisabled(run.link)} : {}),
    ...saidStates(run.el)},
});
const keepLine = run => {
  // A full stop after a link is part of no line of its own.
  if (/^[.,;:!?()'"]{0,2}$/.test(run.text.trim())) return;
  const sign = signName(run.text.trim());
  // A sign between words that nobody can click parts them, as in a path of links.
  const parts = run.kind === 'text' && /^[»«›‹→←]$/.test(run.text.trim()) && styleOf(run.el).cursor !== 'pointer';
  if (sign !== undefined && run.kind !== 'tabled_text' && !parts) {
    if (sign) keep({type: 'icon', box: run.box, ink: true, about: [sign], states: {}}, run.el);
    return;
  }
  const lostText = unreadable(run.text, run.el);
  keep({...lineItem(run), ...(lostText ? {text: ''} : {})}, run.el);
};

// A control with text owns it; a row with several lines is a group of them; one with a picture alone is an icon.
const finishControl = (el, {item, lines, pictures}) => {
  const seen = lines.filter(one => one.text.trim() && seenPart(one.el, one.box));
  const rows = new Set(seen.map(one => Math.round(one.box[1])));
  if (/^(list_item|tree_item)$/.test(item.type) && (seen.length > 1 || rows.size > 1) && item.text === undefined) {
    for (const one of seen) keepLine(one);
    for (const [picture, of] of pictures) keep(picture, of);
    return;
  }
  if (item.text === undefined) {
    const all = seen.map(one => one.text).join(' '), sign = signName(all.trim());
    if (sign && item.type === 'button') {
      Object.assign(item, {type: 'icon', text: '', about: [sign, ...item.about]}, item.frame ? {} : {box: seen[0].box, ink: true});
      return;
    }
    item.text = withoutSigns(all) || all;
  }
  if (item.text && unreadable(item.text, el)) { item.text = ''; return; }
  if (item.text || item.type === 'input_field' || item.type === 'text_area' || item.type === 'spinner') return;
  const only = pictures.find(([picture, of]) => seenPart(of, picture.box));
  if (only && item.type === 'button' && widthOf(item.box) <= 80) {
    item.type = 'icon';
    item.about = [...only[0].about, ...item.about];
    item.subtype = item.subtype || only[0].subtype;
    if (!item.frame) { item.box = meet(only[0].box, item.box); item.ink = true; }
  }
};

// Everything can be hit while we look, also what lets the pointer through.
const all = new CSSStyleSheet();
all.replaceSync('*, *::before, *::after { pointer-events: auto !important; }');
document.adoptedStyleSheets = [...document.adoptedStyleSheets, all];
try {
  for (const bar of scrollBars(document.scrollingElement)) keep(bar, document.scrollingElement);
  for (const root of document.querySelectorAll(arguments[0])) walk(root);
  for (const [el, one] of owned) if (one.item.owns) finishControl(el, one);
  for (const run of runs) keepLine(run);
} finally {
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter(one => one !== all);
}
return found;
