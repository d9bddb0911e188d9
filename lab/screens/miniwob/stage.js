// Before a page's own scripts: what it does a moment later it does at once, so that a picture never catches it halfway.
(() => {
  const later = window.setTimeout;
  window.setTimeout = (what, delay, ...rest) => later(what, delay > 2000 ? delay : 0, ...rest);
})();
