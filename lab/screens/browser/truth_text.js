// Text as it is seen: pieces of one line of one text node each, joined to the lines that a person would mark.

const BLOCK = /^(block|flex|grid|table|list-item|inline-block|inline-flex|inline-grid|table-cell|table-caption|flow-root|inline-table)/;
// A bare inline block of one line stands in the line around it like any other word.
const isWord = el => {
  const s = styleOf(el);
  return s.display === 'inline-block' && parseFloat(s.paddingLeft) === 0 && parseFloat(s.borderLeftWidth) === 0 &&
    alphaOf(s.backgroundColor) < 0.05 && heightOf(boxOf(el)) < 1.8 * parseFloat(s.fontSize);
};
const blockOf = el => closest(el, up => (BLOCK.test(styleOf(up).display) && !isWord(up)) ||
  /absolute|fixed/.test(styleOf(up).position) || up instanceof SVGTextElement) || document.body;
const ICON_FONT = /icon|awesome|glyph|symbols|fontello|ionic|codicon|lucide|feather/i;
const isIconText = (el, text) => ICON_FONT.test(styleOf(el).fontFamily.split(',')[0]) || /^[\ue000-\uf8ff\s]+$/.test(text);

const cased = (text, style) => {
  if (style.textTransform === 'uppercase') return text.toUpperCase();
  if (style.textTransform === 'lowercase') return text.toLowerCase();
  if (style.textTransform === 'capitalize') return text.replace(/(^|[\s\-("'])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
  return text;
};
const linkOf = el => closest(el, up => (up.tagName === 'A' && (up.hasAttribute('href') || up.onclick || styleOf(up).cursor === 'pointer')) ||
  roleOf(up) === 'link' || up.dataset?.truthType === 'hyperlink');
const DRAGGED = '.ui-draggable:not(.ui-dialog), .ui-sortable-handle, .ui-sortable > *, [draggable=true]';
const TYPED_IN = 'input:not([type=checkbox], [type=radio]), select, textarea';
// A table that only puts a form in order looks like no table.
const onlyLaidOut = cell => {
  const table = cell.closest('table');
  if (!table || table.querySelector('thead')) return false;
  const s = styleOf(cell);
  return /^(presentation|none)$/.test(roleOf(table)) ||
    (!!table.querySelector(TYPED_IN) && parseFloat(s.borderBottomWidth) === 0 && alphaOf(s.backgroundColor) < 0.05);
};
const textKind = el => {
  const said = closest(el, up => /^(text|hyperlink|tabled_text|draggable_text)$/.test(up.dataset?.truthType || ''));
  if (said) return said.dataset.truthType;
  if (linkOf(el)) return 'hyperlink';
  if (el.closest(DRAGGED)) return 'draggable_text';
  const cell = el.closest('td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]');
  return cell && !onlyLaidOut(cell) ? 'tabled_text' : 'text';
};
// The nearest inline element that is drawn as a box of its own, like a badge.
const badgeOf = (el, block) => {
  for (let one = el; one && one !== block; one = upOf(one)) {
    const s = styleOf(one);
    if (parseFloat(s.paddingLeft) >= 2 && (alphaOf(s.backgroundColor) > 0.05 || parseFloat(s.borderLeftWidth) > 0)) return one;
  }
  return null;
};

const range = document.createRange();
const rectsOf = (node, from, to) => {
  range.setStart(node, from);
  range.setEnd(node, to);
  return [...range.getClientRects()].filter(r => r.width > 0.1 && r.height > 1);
};
// Words, or single characters where a word is broken over lines or cut.
function* wordsOf(node, clip) {
  for (const match of node.data.matchAll(/\S+/g)) {
    const rects = rectsOf(node, match.index, match.index + match[0].length);
    const cut = rects.some(r => r.left < clip[0] - 1 || r.right > clip[2] + 1);
    if (rects.length === 1 && !cut) { yield [match[0], toBox(rects[0]), match.index]; continue; }
    if (!rects.length) continue;
    let at = match.index;
    for (const letter of match[0]) {
      const one = rectsOf(node, at, at + letter.length);
      if (one.length) {
        const box = toBox(one[0]), middle = (box[0] + box[2]) / 2;
        if (middle > clip[0] && middle < clip[2]) yield [letter, box, at];
      }
      at += letter.length;
    }
  }
}
// Letters that no font has are drawn as an empty box or a code, all alike; nobody can read them.
const pen = Object.assign(document.createElement('canvas'), {width: 24, height: 24}).getContext('2d', {willReadFrequently: true});
const drawn = (letter, font) => {
  pen.clearRect(0, 0, 24, 24);
  pen.font = font;
  pen.fillText(letter, 2, 18);
  return pen.getImageData(0, 0, 24, 24).data.join();
};
const lost = new Map();
const isLost = (letter, family) => {
  const key = letter + family;
  if (!lost.has(key)) lost.set(key, drawn(letter, `14px ${family}`) === drawn('\u{10FFFD}', `14px ${family}`));
  return lost.get(key);
};
const unreadable = (text, el) => [...text].some(letter => letter > '\u02ff' && letter !== '…' && isLost(letter, styleOf(el).fontFamily));
const spaced = (node, at) => /\s/.test(node.data[at - 1] || '');
const pieces = (node, el) => {
  const clip = clipInside(el), found = [], style = styleOf(el), size = parseFloat(style.fontSize);
  let last = null, cutOff = false;
  const full = rectsOf(node, 0, node.length);
  // Long pages have far more words than their window shows.
  if (!full.some(r => r.right > VIEW[0] && r.left < VIEW[2] && r.bottom > VIEW[1] && r.top < VIEW[3])) return found;
  for (const [word, box, at] of wordsOf(node, clip)) {
    const same = last && Math.min(last.box[3], box[3]) - Math.max(last.box[1], box[1]) > 0.5 * Math.min(heightOf(last.box), heightOf(box));
    const gap = same ? Math.max(box[0] - last.box[2], last.box[0] - box[2]) : 0;
    if (same && gap < 1.5 * size) {
      last.text += (spaced(node, at) ? ' ' : '') + word;
      last.box = join(last.box, box);
      last.end = at + word.length;
    } else {
      last = {text: word, box, node, start: at, end: at + word.length, el, size, spaceBefore: spaced(node, at)};
      found.push(last);
    }
  }
  cutOff = style.textOverflow === 'ellipsis' || styleOf(blockOf(el)).textOverflow === 'ellipsis';
  for (const one of found) {
    const rest = full.find(r => r.top < one.box[3] && r.bottom > one.box[1] && r.right > clip[2] + 1);
    if (cutOff && rest && one.text.length > 1) {
      // The sign takes the place of the last letters that would have fitted.
      one.text = one.text.slice(0, -1).trimEnd() + '…';
      one.box = [one.box[0], one.box[1], clip[2], one.box[3]];
    }
    one.text = cased(one.text, style);
    one.spaceAfter = /\s/.test(node.data[one.end] || '');
  }
  return found;
};

const selection = getSelection();
const selected = one => {
  for (let i = 0; i < selection.rangeCount; i++) {
    const marked = selection.getRangeAt(i);
    if (marked.collapsed || !marked.intersectsNode(one.node)) continue;
    const from = marked.startContainer === one.node ? marked.startOffset : 0;
    const to = marked.endContainer === one.node ? marked.endOffset : one.node.length;
    if (Math.min(to, one.end) > Math.max(from, one.start)) return true;
  }
  return false;
};
const joinable = (run, one) => {
  if (!run || run.barrier || run.kind !== one.kind || run.block !== one.block || run.badge !== one.badge || run.link !== one.link) return false;
  const over = Math.min(run.box[3], one.box[3]) - Math.max(run.box[1], one.box[1]);
  if (over < 0.5 * Math.min(heightOf(run.box), heightOf(one.box))) return false;
  return Math.max(one.box[0] - run.box[2], run.box[0] - one.box[2]) < 0.8 * Math.max(run.size, one.size);
};
// The lines of a part of the page; ``barrier()`` of the walker tells where a control or icon stands between two pieces.
const addPiece = (runs, one) => {
  one.block = blockOf(one.el);
  one.badge = badgeOf(one.el, one.block);
  one.kind = textKind(one.el);
  one.link = one.kind === 'hyperlink' ? linkOf(one.el) : null;
  one.highlighted = selected(one);
  const run = runs[runs.length - 1];
  if (!joinable(run, one)) { runs.push(one); return; }
  const far = Math.max(one.box[0] - run.box[2], run.box[0] - one.box[2]) > 0.12 * one.size;
  run.text += (run.spaceAfter || one.spaceBefore || far ? ' ' : '') + one.text;
  run.box = join(run.box, one.box);
  run.size = Math.max(run.size, one.size);
  run.spaceAfter = one.spaceAfter;
  run.highlighted = run.highlighted || one.highlighted;
};
