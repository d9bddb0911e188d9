// What these pages cannot say with roles and tags, said with the attributes that the truth listens to.
const mark = (selector, type, more = {}) => {
  for (const el of document.querySelectorAll(selector)) {
    if (type) el.dataset.truthType = type;
    if (more.subtype) el.dataset.truthSubtype = more.subtype;
    if (more.states) el.dataset.truthStates = JSON.stringify(more.states(el));
    if (more.skip) el.dataset.truthSkip = more.skip;
  }
};

// Drawings: the circle that is asked for, and the point that was set.
for (const svg of document.querySelectorAll('#svg-grid, #area_svg')) svg.dataset.truthShapes = '';
mark('#svg-grid #blue-circle, #svg-grid #green-circle', 'shape', {subtype: 'point'});

// Mail.
mark('.email-thread', 'list_item', {states: el => el.matches(':hover') ? {highlighted: null} : {}});
mark('.star', 'icon', {subtype: 'important', states: el => ({checked: el.classList.contains('clicked'), disabled: false})});
mark('.trash', 'icon', {subtype: 'delete', states: () => ({disabled: false})});
mark('#open-search', 'icon', {subtype: 'search', states: () => ({disabled: false})});
mark('#search-cancel, #close-email, #close-reply, #close-forward', 'icon', {subtype: 'back', states: () => ({disabled: false})});
mark('#send-reply, #send-forward', 'icon', {subtype: 'send', states: () => ({disabled: false})});
mark('.email-reply > .icon', 'icon', {subtype: 'reply', states: () => ({disabled: false})});
mark('.email-forward > .icon', 'icon', {subtype: 'forward', states: () => ({disabled: false})});

// Links that are no anchors.
mark('.alink', 'hyperlink');

// Things to drag: a frame with a letter on it.
mark('#draggableSmall, #draggableLarge', 'shape', {subtype: 'rectangle'});

// Buttons that are plain boxes.
mark('#area div.final, #area .ui-submit', 'button');
