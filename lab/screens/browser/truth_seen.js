// What of an element can be seen: cut by what scrolls, covered by what lies on top, transparent or hidden.
// All boxes are [left, top, right, bottom] in CSS pixels of the visible part of the page.

const styles = new Map();
const styleOf = el => {
  let found = styles.get(el);
  if (!found) styles.set(el, found = getComputedStyle(el));
  return found;
};
const upOf = el => el.assignedSlot || el.parentElement || (el.getRootNode() instanceof ShadowRoot ? el.getRootNode().host : null);
const within = (el, around) => {
  for (let one = el; one; one = upOf(one)) if (one === around) return true;
  return false;
};
const closest = (el, test) => {
  for (let one = el; one; one = upOf(one)) if (test(one)) return one;
  return null;
};
const toBox = r => [r.left, r.top, r.right, r.bottom];
const boxOf = el => toBox(el.getBoundingClientRect());
const meet = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
const join = (a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
const widthOf = b => b[2] - b[0];
const heightOf = b => b[3] - b[1];
const areaOf = b => Math.max(0, widthOf(b)) * Math.max(0, heightOf(b));
const alphaOf = colour => {
  const parts = /^rgba\(.*,\s*([\d.]+)\)$/.exec(colour) || /\/\s*([\d.]+)\)$/.exec(colour);
  return colour === 'transparent' ? 0 : parts ? +parts[1] : 1;
};

// The picture: the part of the window that counts.
const VIEW = arguments[1];
const shownMemo = new Map();
const opacityOf = el => {
  let found = shownMemo.get(el);
  if (found === undefined) {
    const up = upOf(el);
    found = +styleOf(el).opacity * (up ? opacityOf(up) : 1);
    shownMemo.set(el, found);
  }
  return found;
};
const shown = el => el.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true}) && opacityOf(el) >= 0.15;

const holdsPlaced = s => s.position !== 'static' || s.transform !== 'none' || s.filter !== 'none' || s.contain.includes('paint');
const insideMemo = new Map();
// The part of the page that a container lets its content through to.
const clipInside = el => {
  if (!el || el === document.documentElement || el === document.body) return VIEW;
  let found = insideMemo.get(el);
  if (found) return found;
  found = clipFor(el);
  const s = styleOf(el);
  if (s.overflowX !== 'visible' || s.overflowY !== 'visible') {
    const r = el.getBoundingClientRect();
    const inner = el instanceof SVGElement ? toBox(r) : [
      r.left + el.clientLeft, r.top + el.clientTop, r.left + el.clientLeft + el.clientWidth, r.top + el.clientTop + el.clientHeight];
    // An inline element has no client size and does not clip.
    if (el instanceof SVGElement || el.clientWidth) found = meet(found, inner);
  }
  insideMemo.set(el, found);
  return found;
};
const clipFor = el => {
  const position = styleOf(el).position;
  let up = upOf(el);
  if (position === 'fixed') while (up && styleOf(up).transform === 'none') up = upOf(up);
  if (position === 'absolute') while (up && !holdsPlaced(styleOf(up))) up = upOf(up);
  return clipInside(up);
};

const hitsAt = (x, y) => {
  let hits = document.elementsFromPoint(x, y);
  for (let depth = 0; depth < 6 && hits[0] && hits[0].shadowRoot; depth++) {
    const inner = hits[0].shadowRoot.elementsFromPoint(x, y).filter(el => el.getRootNode() === hits[0].shadowRoot);
    if (!inner.length) break;
    hits = [...inner, ...hits];
  }
  return hits;
};
const PAINTED = new Set(['IMG', 'CANVAS', 'VIDEO', 'INPUT', 'TEXTAREA', 'SELECT', 'IFRAME']);
const paints = el => {
  if (opacityOf(el) < 0.5) return false;
  if (PAINTED.has(el.tagName)) return !(el.tagName === 'CANVAS' && el.dataset.truthSkip !== undefined);
  const s = styleOf(el);
  if (el instanceof SVGGeometryElement || el instanceof SVGTextElement) return s.fill !== 'none' && +s.fillOpacity > 0.5;
  return alphaOf(s.backgroundColor) > 0.5 || s.backgroundImage !== 'none';
};
const topAt = (el, x, y) => {
  for (const hit of hitsAt(x, y)) {
    if (within(hit, el) || within(el, hit)) return true;
    if (paints(hit)) return false;
  }
  return false;
};
// The share of a box that is not covered, of what lies in the window and is not cut away.
const uncovered = (el, box) => {
  const columns = widthOf(box) > 30 ? 5 : 3, rows = heightOf(box) > 30 ? 5 : 3;
  let seen = 0;
  for (let i = 0; i < columns; i++) for (let j = 0; j < rows; j++) {
    const x = box[0] + (i + 0.5) * widthOf(box) / columns, y = box[1] + (j + 0.5) * heightOf(box) / rows;
    if (topAt(el, x, y)) seen++;
  }
  return seen / (columns * rows);
};
// The part of a box that can be seen, or null when that is less than half or nothing.
const seenPart = (el, box) => {
  const part = meet(meet(box, clipFor(el)), VIEW);
  if (widthOf(part) < 2 || heightOf(part) < 2 || areaOf(part) * 2 < areaOf(box)) return null;
  // The window's own scroll bars belong to no element that could be hit.
  if (el === document.scrollingElement) return part;
  return uncovered(el, part) * areaOf(part) * 2 > areaOf(box) ? part : null;
};
