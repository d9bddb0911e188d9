// Pictures: small ones are icons, large ones images, the plain figures of a task are shapes.

const ICON_MOST = 64;
const ICON_NAMES = /(^|\s)(fa|fas|far|fab|fa-[\w-]+|bi|bi-[\w-]+|mdi|mdi-[\w-]+|glyphicon|ti|ti-[\w-]+|ri-[\w-]+|ui-icon|feather|lucide|codicon|octicon|icon|[\w-]*-icon|icon-[\w-]+|material-icons[\w-]*|material-symbols[\w-]*)(\s|$)/;
const SHAPES = {circle: 'circle', ellipse: 'circle', rect: 'rectangle', line: 'line', polygon: '', polyline: 'line', path: ''};

const pseudoPicture = el => ['::before', '::after'].some(which => {
  const s = getComputedStyle(el, which);
  if (s.content === 'none' || s.content === 'normal') return false;
  return ICON_FONT.test(s.fontFamily.split(',')[0]) || /[\ue000-\uf8ff]/.test(s.content) || s.maskImage !== 'none' || s.backgroundImage.includes('url(');
});
const drawsPicture = el => {
  const s = styleOf(el);
  if (s.content.startsWith('url(') || (s.maskImage || 'none') !== 'none') return true;
  return s.backgroundImage.includes('url(') && !el.textContent.trim() && !el.querySelector('*');
};
const wordsAbout = el => {
  const src = el.currentSrc || el.getAttribute('src') || '', s = styleOf(el);
  const use = el.querySelector?.('use'), named = /url\(["']?([^"')]+)/.exec(s.content) || /url\(["']?([^"')]+)/.exec(s.backgroundImage);
  // A sheet of many icons has a name that speaks of none.
  const file = one => one && !/^data:|sprite|ui-icons/.test(one) ? one.split(/[/\\]/).pop().replace(/\.\w+$/, '') : '';
  return [
    el.dataset?.truthSubtype, el.dataset?.icon, el.dataset?.lucide, use && (use.getAttribute('href') || use.getAttribute('xlink:href') || '').split('#').pop(),
    file(src), named && file(named[1]), el.getAttribute('aria-label'), el.getAttribute('alt'), el.getAttribute('title'),
    el.querySelector?.(':scope > title')?.textContent, typeof el.className === 'string' ? el.className : el.className?.baseVal, el.id,
    el.childElementCount ? '' : el.textContent.trim().slice(0, 40),
  ].filter(Boolean);
};
const aboutOf = el => {
  const words = wordsAbout(el), holder = upOf(el) && closest(upOf(el), up => kindOf(up) === 'button' || linkOf(up) === up);
  return holder ? [...words, ...wordsAbout(holder)] : words;
};
// '' where the element is no picture.
const pictureKind = el => {
  if (el.dataset?.truthSkip !== undefined) return '';
  if (kindOf(el)) return '';
  const r = el.getBoundingClientRect();
  if (r.width < 3 || r.height < 3) return '';
  const small = r.width <= ICON_MOST && r.height <= ICON_MOST;
  if (el.tagName === 'IMG' || el.tagName === 'CANVAS' || el.tagName === 'VIDEO' || el.tagName.toLowerCase() === 'svg') {
    if (upOf(el)?.closest('svg')) return '';
    return small ? 'icon' : 'image';
  }
  if (!(el instanceof HTMLElement) || !small || el.closest('.ui-slider, .ui-resizable-handle')) return '';
  const name = typeof el.className === 'string' ? el.className : '';
  if (ICON_NAMES.test(name) && (pseudoPicture(el) || drawsPicture(el) || isIconText(el, el.textContent.trim() || 'x'))) return 'icon';
  if (drawsPicture(el)) return 'icon';
  return !el.textContent.trim() && pseudoPicture(el) && !el.querySelector('*') ? 'icon' : '';
};
const cornersOf = el => {
  if (el.tagName === 'polygon') return el.points.numberOfItems;
  return (el.getAttribute('d')?.match(/[ML]/gi) || []).length;
};
const shapeOf = el => {
  if (el.dataset.truthSubtype) return el.dataset.truthSubtype;
  const name = el.tagName.toLowerCase();
  if (name === 'circle' && +el.getAttribute('r') <= 4) return 'point';
  return SHAPES[name] || (cornersOf(el) === 3 ? 'triangle' : '');
};
// The figures inside a drawing that is marked as one whose parts count.
const figuresOf = svg => [...svg.querySelectorAll('circle, ellipse, rect, line, polygon, polyline, path')]
  .filter(el => el.dataset.truthSkip === undefined && shown(el) && (paints(el) || styleOf(el).stroke !== 'none'))
  .map(el => {
    const s = styleOf(el), wide = s.stroke === 'none' ? 0 : edge(s.strokeWidth) / 2, b = boxOf(el);
    return {type: el.dataset.truthType || 'shape', subtype: shapeOf(el), box: [b[0] - wide, b[1] - wide, b[2] + wide, b[3] + wide], ink: true, el};
  });

// Signs that stand for something like an icon does, and what they are called.
const SIGNS = [
  [/^[×✕✖✗✘⨯╳]$/u, 'close'], [/^[☰≡]$/u, 'menu'], [/^[⋮⋯…]$/u, 'more'], [/^[←⬅]$/u, 'arrow left'], [/^[→➡]$/u, 'arrow right'],
  [/^[↑⬆▲△▴^]$/u, 'up'], [/^[↓⬇▼▽▾⌄]$/u, 'down'], [/^[◀◂◄]$/u, 'left'], [/^[▶▸►]$/u, 'right'], [/^[‹«]$/u, 'previous'],
  [/^[›»]$/u, 'next'], [/^[★☆]$/u, 'star'], [/^[♥♡❤]$/u, 'like'], [/^[⚙]$/u, 'settings'], [/^[✎✏]$/u, 'edit'], [/^[✉]$/u, 'mail'],
  [/^[⟳↻]$/u, 'refresh'], [/^[↶⟲]$/u, 'undo'], [/^[↷]$/u, 'redo'], [/^[⌂]$/u, 'home'], [/^[✓✔●○◆■□•]$/u, ''],
];
const signName = text => SIGNS.find(([sign]) => sign.test(text.replace(/\ufe0e|\ufe0f/g, '')))?.[1];
// The words of a control without the signs beside them.
const withoutSigns = text => text.split(/\s+/).filter(word => signName(word) === undefined).join(' ');
