// Acts on the page between two pictures, always the same for the same numbers; and tells what the page's HTML does not.
// Not one of these is an event of a person: they only bring about what a person would see.
(() => {
  const seen = el => {
    const r = el.getBoundingClientRect();
    return r.width > 2 && r.height > 2 && r.top >= 0 && r.left >= 0 && r.bottom <= innerHeight && r.right <= innerWidth
      && el.checkVisibility({visibilityProperty: true});
  };
  const reachable = el => {
    const r = el.getBoundingClientRect(), hit = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
    return !!hit && (el === hit || el.contains(hit) || hit.closest('label')?.contains(el));
  };
  const some = selector => [...document.querySelectorAll(selector)].filter(el => seen(el) && reachable(el));
  const pick = (list, share) => list.length ? list[Math.floor(share * list.length)] : null;
  const tell = (el, states) => {
    const told = JSON.parse(el.dataset.truthStates || '{}');
    el.dataset.truthStates = JSON.stringify(Object.assign(told, states));
  };
  const shut = () => {
    for (const el of document.querySelectorAll('[data-popup]:not(.x-hidden)')) el.classList.add('x-hidden');
    for (const el of document.querySelectorAll('[data-pop][aria-expanded=true]')) { el.setAttribute('aria-expanded', 'false'); el.classList.remove('on'); }
    document.querySelector('.x-scrim')?.remove();
  };
  const place = (el, x, y) => {
    const r = el.getBoundingClientRect();
    el.style.left = Math.max(0, Math.min(x, innerWidth - r.width - 2)) + 'px';
    el.style.top = Math.max(0, Math.min(y, innerHeight - r.height - 2)) + 'px';
  };
  const show = (el, opener, share) => {
    el.classList.remove('x-hidden');
    if (el.dataset.scrim) {
      const scrim = document.createElement('div');
      scrim.className = 'x-scrim';
      scrim.style.background = el.dataset.scrim;
      document.body.append(scrim);
    }
    const kind = el.dataset.popup;
    if (kind === 'dialog' || kind === 'toast') return;
    if (opener) {
      const r = opener.getBoundingClientRect();
      const room = innerHeight - r.bottom > el.offsetHeight + 4;
      place(el, r.left, room ? r.bottom + (kind === 'tip' ? 6 : 1) : r.top - el.offsetHeight - 1);
      if (kind !== 'tip') { opener.setAttribute('aria-expanded', 'true'); if (opener.closest('.x-menubar')) opener.classList.add('on'); }
    } else place(el, share * innerWidth, ((share * 7) % 1) * innerHeight);
  };
  const acts = {
    // A field or button gets the keyboard.
    focus: share => {
      const el = pick(some('input:not(:disabled), textarea:not(:disabled), select:not(:disabled), button:not(:disabled), a[href]').filter(e => !/^(hidden|file)$/.test(e.type)), share);
      if (!el) return false;
      el.focus({preventScroll: true, focusVisible: true});
      if (el.setSelectionRange && /^(text|search|)$/.test(el.type || '')) el.setSelectionRange(el.value.length, el.value.length);
      return true;
    },
    // A part that scrolls, or the page, goes to another place.
    scroll: (share, far) => {
      const all = [document.scrollingElement, ...document.querySelectorAll('.x-scroll, .x-side, textarea, .x-dialog, select')].filter(el =>
        el.scrollHeight > el.clientHeight + 8 || el.scrollWidth > el.clientWidth + 8);
      const el = pick(all, share);
      if (!el) return false;
      el.scrollTop = far * (el.scrollHeight - el.clientHeight);
      if (far > 0.6) el.scrollLeft = far * (el.scrollWidth - el.clientWidth);
      return true;
    },
    // Some boxes, switches and rows change.
    flip: (share, more) => {
      const marks = some('input[type=checkbox]:not(:disabled), input[type=radio]:not(:disabled)');
      const rows = some('.x-item:not(.off):not([role=menuitem]), tbody > tr');
      const many = Math.max(5, Math.floor(marks.length * 0.4));
      for (let i = 0; i < many; i++) { const el = pick(marks, (share + i * 0.197) % 1); if (el) { el.checked = el.type === 'radio' ? true : !el.checked; } }
      const row = pick(rows, more);
      if (row) {
        const others = row.parentElement.querySelectorAll(':scope > .on');
        for (const one of others) { one.classList.remove('on'); if (one.dataset.truthType) tell(one, {highlighted: false}); }
        row.classList.add('on');
        if (row.dataset.truthType) tell(row, {highlighted: true});
      }
      return marks.length > 0 || !!row;
    },
    // A slider or number changes, words are typed.
    type: (share, far, text) => {
      const el = pick(some('input:not(:disabled):not([type=checkbox]):not([type=radio]):not([type=file]), textarea:not(:disabled)'), share);
      if (!el) return false;
      if (el.type === 'range' || el.type === 'number') el.value = Math.round(far * 100);
      else if (!/^(date|time|password|month|week|color)$/.test(el.type)) el.value = text;
      el.focus({preventScroll: true, focusVisible: true});
      return true;
    },
    // Something opens: what belongs to an opener, or any pop-up of the page.
    open: (share, far, wanted) => {
      shut();
      document.activeElement?.blur?.();
      const openers = some('[data-pop]').filter(el => document.getElementById(el.dataset.pop));
      const bars = openers.filter(el => el.closest('.x-menubar'));
      const opener = far < 0.6 ? pick(bars.length && far < 0.35 ? bars : openers, share) : null;
      if (opener && (!wanted || wanted === 'menu')) { show(document.getElementById(opener.dataset.pop), opener, share); return true; }
      const free = [...document.querySelectorAll('[data-popup]')].filter(el => (!wanted || el.dataset.popup === wanted)
        && !document.querySelector(`[data-pop="${el.id}"]`));
      const el = pick(free, share);
      if (!el) return false;
      const anchors = el.dataset.popup === 'tip' ? some('.x-tool, button') : [];
      show(el, pick(anchors, far), share);
      return true;
    },
    // Some controls are greyed, for good.
    off: (share, more) => {
      const all = some('input:not([type=hidden]), textarea, select, button');
      for (let i = 0; i < all.length; i++) {
        if (((share + i * 0.618) % 1) >= 0.1 + more * 0.3) continue;
        all[i].disabled = true;
        // What it was said to be would count for more.
        if (all[i].dataset.truthStates?.includes('disabled')) tell(all[i], {disabled: true});
      }
      return all.length > 0;
    },
    // What has the keyboard, drawn in the page's own manner; on more than one control, so that it is learnt sooner.
    ring: (share, more) => {
      const all = some('input:not(:disabled), textarea:not(:disabled), select:not(:disabled), button:not(:disabled), a[role=tab]')
        .filter(el => !el.dataset.truthSkip && !(el.closest('[data-mark]') || el.parentElement.querySelector('[data-mark]')));
      const count = 1 + Math.floor(more * 4);
      for (let i = 0; i < count; i++) { const el = pick(all, (share + i * 0.381) % 1); if (el) { el.classList.add('x-ring'); tell(el, {focused: true}); } }
      return all.length > 0;
    },
    // Words are marked with the mouse.
    mark: (share, far) => {
      const el = pick(some('p, h1, h2, h3, .x-mine, li'), share);
      const node = el && [...el.childNodes].find(one => one.nodeType === 3 && one.data.trim().length > 8);
      if (!node) return false;
      const from = Math.floor(share * node.length / 2), range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, Math.min(node.length, from + 3 + Math.floor(far * node.length)));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      return true;
    },
    // Where a drop-down of the browser's own can be clicked, so that its list opens below it.
    native: (share, far) => {
      shut();
      const fits = some('select:not(:disabled)').filter(el => el.getBoundingClientRect().bottom < innerHeight * 0.55);
      const r = pick(fits, share)?.getBoundingClientRect();
      if (!r) acts.open(share, far, '');
      return r ? [r.left + Math.min(12, r.width / 2), r.top + r.height / 2] : null;
    },
    shut: () => {
      shut();
      for (const el of document.querySelectorAll('.x-ring')) {
        el.classList.remove('x-ring');
        const told = JSON.parse(el.dataset.truthStates || '{}');
        delete told.focused;
        el.dataset.truthStates = JSON.stringify(told);
      }
      getSelection().removeAllRanges();
      return true;
    },
  };

  // Marks that a framework draws beside a hidden input: a box of their own, where the pseudo element is.
  const px = value => parseFloat(value) || 0;
  const pseudoBox = (host, which) => {
    const s = getComputedStyle(host, which), r = host.getBoundingClientRect(), own = getComputedStyle(host);
    if (s.content === 'none' || s.display === 'none') return null;
    let width = px(s.width), height = px(s.height);
    if (s.boxSizing !== 'border-box') { width += px(s.paddingLeft) + px(s.paddingRight) + px(s.borderLeftWidth) + px(s.borderRightWidth); height += px(s.paddingTop) + px(s.paddingBottom) + px(s.borderTopWidth) + px(s.borderBottomWidth); }
    const block = own.position === 'static' ? (host.offsetParent || document.body) : host;
    const b = block.getBoundingClientRect(), bs = getComputedStyle(block);
    const left = s.position === 'absolute' ? b.left + px(bs.borderLeftWidth) + px(s.left) + px(s.marginLeft) : r.left + px(own.paddingLeft) + px(s.marginLeft);
    const top = s.position === 'absolute' ? b.top + px(bs.borderTopWidth) + px(s.top) + px(s.marginTop) : r.top + (r.height - height) / 2;
    const moved = s.transform === 'none' ? null : new DOMMatrix(s.transform);
    return moved && !moved.b ? [left + moved.e, top + moved.f, width, height] : [left, top, width, height];
  };
  // "self", a pseudo element, or "left,top,width,height" from the host's own corner.
  const markBox = (host, which) => {
    if (which.startsWith('::')) return pseudoBox(host, which);
    const r = host.getBoundingClientRect();
    if (which === 'self') return [r.left, r.top, r.width, r.height];
    const [left, top, width, height] = which.split(',').map(Number);
    return [r.left + left, r.top + top, width, height];
  };
  const marks = () => {
    for (const old of document.querySelectorAll('.x-mark')) old.remove();
    for (const host of document.querySelectorAll('[data-mark]')) {
      const input = document.getElementById(host.dataset.markOf), kind = host.dataset.mark;
      if (!input || !seen(host) && !host.getClientRects().length) continue;
      const boxes = (host.dataset.markAt || '::before').split(' ').map(which => markBox(host, which)).filter(b => b && b[2] > 4 && b[3] > 4);
      if (!boxes.length) continue;
      const x1 = Math.min(...boxes.map(b => b[0])), y1 = Math.min(...boxes.map(b => b[1]));
      const x2 = Math.max(...boxes.map(b => b[0] + b[2])), y2 = Math.max(...boxes.map(b => b[1] + b[3]));
      const mark = document.createElement('span');
      mark.className = 'x-mark';
      mark.dataset.truthType = kind;
      mark.dataset.truthText = host.textContent.trim();
      mark.dataset.truthStates = JSON.stringify({checked: input.checked, disabled: input.disabled, focused: document.activeElement === input});
      mark.style.cssText = `width:${x2 - x1}px;height:${y2 - y1}px;left:0;top:0;z-index:1;opacity:1`;
      (host.dataset.markIn === 'self' ? host : host.parentElement).append(mark);
      const at = mark.getBoundingClientRect();
      mark.style.left = `${x1 - at.left}px`;
      mark.style.top = `${y1 - at.top}px`;
    }
  };
  // Words on the ground of a chosen row are highlighted, too.
  const grounds = () => {
    for (const el of document.querySelectorAll('[data-on-ground]')) { tell(el, {highlighted: false}); delete el.dataset.onGround; }
    const told = document.querySelectorAll('tr.on td, tr.on td *, .x-item.on[data-truth-type=list_item] *');
    for (const el of told) if ([...el.childNodes].some(one => one.nodeType === 3 && one.data.trim())) { tell(el, {highlighted: true}); el.dataset.onGround = ''; }
  };
  window.__act = (name, ...given) => acts[name](...given);
  // What stands beside each box to tick: left, top, right, bottom and the words.
  const labels = () => [...document.querySelectorAll('input[data-truth-text], .x-mark')].filter(el => el.dataset.truthText).map(el => {
    const r = el.getBoundingClientRect();
    return [r.left, r.top, r.right, r.bottom, el.dataset.truthText];
  });
  window.__tell = () => { marks(); grounds(); return labels(); };
})();
