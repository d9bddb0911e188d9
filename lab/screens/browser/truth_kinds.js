// What an element is: its explicit attributes first, then its role, its tag, then the usual class names.

const OWNS_TEXT = new Set(['button', 'dropdown', 'input_field', 'text_area', 'spinner', 'tab', 'menu', 'menu_item', 'list_item', 'tree_item']);
const ROWS = new Set(['list_item', 'tree_item', 'menu_item']);
const ROLES = {
  button: 'button', checkbox: 'checkbox', radio: 'radio', switch: 'toggle', combobox: 'dropdown', textbox: 'input_field',
  searchbox: 'input_field', spinbutton: 'spinner', slider: 'slider', tab: 'tab', treeitem: 'tree_item', option: 'list_item',
  menuitem: 'menu_item', menuitemcheckbox: 'menu_item', menuitemradio: 'menu_item', dialog: 'dialog', alertdialog: 'dialog',
  toolbar: 'toolbar',
};
const CLASSES = [
  ['.ui-spinner', 'spinner'], ['.ui-slider', 'slider'], ['.ui-accordion-header', 'button'], ['.ui-selectmenu-button', 'dropdown'],
  ['.ui-dialog', 'dialog'], ['.ui-menu-item', 'menu_item'], ['.ui-tabs-nav > li', 'tab'], ['.nav-tabs .nav-link', 'tab'],
  ['.nav-pills .nav-link', 'tab'], ['.tabs li > a', 'tab'], ['.dropdown-item', 'menu_item'], ['.list-group-item', 'list_item'],
  ['.ui-resizable-se.ui-icon:not(.ui-dialog > *)', 'resize_handle'], ['.ui-button', 'button'], ['.btn-close', 'button'], ['.btn', 'button'], ['a.button', 'button'],
  ['.page-link', 'button'], ['.pagination-link', 'button'], ['.accordion-button', 'button'], ['.modal-dialog > .modal-content', 'dialog'],
];
const INPUTS = {
  button: 'button', submit: 'button', reset: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinner',
  hidden: '', image: 'button', color: 'button', file: 'input_field',
};
const SURE_TAGS = new Set(['INPUT', 'TEXTAREA', 'SELECT', 'OPTION', 'BUTTON']);

const roleOf = el => (el.getAttribute('role') || '').trim().split(/\s+/)[0];
const tagKind = el => {
  switch (el.tagName) {
    case 'INPUT': {
      if (el.closest('.ui-spinner')) return '';
      if (el.type === 'checkbox' && (roleOf(el) === 'switch' || el.closest('.form-switch'))) return 'toggle';
      return INPUTS[el.type] ?? 'input_field';
    }
    case 'TEXTAREA': return 'text_area';
    case 'SELECT': return el.multiple || el.size > 1 ? '' : 'dropdown';
    case 'OPTION': { const list = el.closest('select'); return list && (list.multiple || list.size > 1) ? 'list_item' : ''; }
    case 'BUTTON': case 'SUMMARY': return 'button';
    case 'DIALOG': return el.open ? 'dialog' : '';
    default: return '';
  }
};
const roleKind = el => {
  const role = roleOf(el), kind = ROLES[role] || '';
  if (kind === 'menu_item' && upOf(el) && closest(upOf(el), up => /^(menu|menubar)$/.test(roleOf(up)))?.getAttribute('role') === 'menubar') return 'menu';
  if (role === 'textbox' && el.getAttribute('aria-multiline') === 'true') return 'text_area';
  if (role === 'option' && el.closest('[data-truth-popup], .ui-autocomplete, .ui-selectmenu-menu')) return 'menu_item';
  return kind;
};
const guessKind = el => {
  if (el.matches('.ui-accordion-header')) return 'button';
  const byTag = tagKind(el), byRole = roleKind(el);
  if (SURE_TAGS.has(el.tagName)) return ['tab', 'toggle', 'dropdown', 'menu_item', 'menu', 'list_item', 'tree_item'].includes(byRole)
    && el.tagName !== 'INPUT' ? byRole : byTag || '';
  if (el.closest('.ui-spinner') && !el.matches('.ui-spinner')) return '';
  if (el.closest('.ui-slider') && !el.matches('.ui-slider')) return '';
  if (byRole) return byRole;
  if (byTag) return byTag;
  for (const [selector, kind] of CLASSES) if (el.matches(selector)) return kind;
  return '';
};

// A large or crowded thing that can be clicked is a card, not a button: what is on it counts.
const isCard = el => {
  const r = el.getBoundingClientRect();
  if (r.height > 120) return true;
  return [...el.querySelectorAll('input, select, textarea, button, table, p + p, img')].some(one => {
    const inner = one.getBoundingClientRect();
    return one.tagName === 'IMG' ? inner.width > 64 : inner.width > 0;
  });
};
const kinds = new Map();
const kindOf = el => {
  let found = kinds.get(el);
  if (found !== undefined) return found;
  found = '';
  if (el.dataset && el.dataset.truthType) found = el.dataset.truthType === 'none' ? '' : el.dataset.truthType;
  else if (!(el instanceof HTMLElement) || el.dataset.truthSkip !== undefined) found = '';
  else {
    found = guessKind(el);
    if (/^(button|tab)$/.test(found) && el.tagName !== 'INPUT' && isCard(el)) found = '';
    // A control inside a control of the same kind is drawn once, unless it is a row of a list inside a row.
    const outer = found && upOf(el) && OWNS_TEXT.has(found) ? closest(upOf(el), up => kindOf(up) === found) : null;
    if (outer) {
      const list = closest(upOf(el), up => up.matches('ul, ol, [role=menu], [role=group], [role=tree], [role=listbox]'));
      if (!ROWS.has(found) || !list || list === outer || !within(list, outer)) found = '';
    }
  }
  kinds.set(el, found);
  return found;
};
const ownerOf = el => closest(el, up => OWNS_TEXT.has(kindOf(up)));
