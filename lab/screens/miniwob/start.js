// Starts an episode that never ends. ``arguments``: the seed, style rules of this variant.
Math.seedrandom(arguments[0]);
core.EPISODE_MAX_TIME = 1e8;
if (window.$ && $.fx) $.fx.off = true;
if (arguments[1]) {
  const sheet = document.createElement('style');
  sheet.textContent = arguments[1];
  document.head.append(sheet);
}
core.startEpisodeReal();
// What is clicked must not end the task, nor be marked by the page's own blue dots.
core.endEpisode = () => {};
core.canvasDrawClick = () => {};
document.body.removeEventListener('click', core.canvasDrawClick);
core.clearTimer();
document.getElementById('click-canvas').style.visibility = 'hidden';
