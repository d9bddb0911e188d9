(() => {
  "use strict";
  const steps = [...document.querySelectorAll(".step")];
  const links = new Map([...document.querySelectorAll(".rail a")].map((link) => [link.hash.slice(1), link]));
  let current = -1;

  function mark(index) {
    if (index === current || !steps[index]) return;
    if (steps[current]) {
      delete steps[current].dataset.current;
      links.get(steps[current].id)?.removeAttribute("aria-current");
    }
    current = index;
    steps[index].dataset.current = "";
    const link = links.get(steps[index].id);
    link?.setAttribute("aria-current", "true");
    link?.scrollIntoView({ block: "nearest" });
  }

  function go(index) {
    const step = steps[Math.min(Math.max(index, 0), steps.length - 1)];
    if (!step) return;
    mark(steps.indexOf(step));
    step.scrollIntoView({ block: "start" });
    step.focus({ preventScroll: true });
    history.replaceState(null, "", "#" + step.id);
  }

  function show(step, after) {
    step.classList.toggle("shows-after", after);
    for (const button of step.querySelectorAll(".switch button")) {
      button.setAttribute("aria-pressed", String((button.value === "after") === after));
    }
  }

  function nearest() {
    const line = innerHeight * 0.3;
    let best = 0;
    steps.forEach((step, index) => { if (step.getBoundingClientRect().top <= line) best = index; });
    return best;
  }

  let waiting = false;
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; mark(nearest()); });
  }, { passive: true });

  for (const button of document.querySelectorAll(".switch button")) {
    button.addEventListener("click", () => show(button.closest(".step"), button.value === "after"));
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key.toLowerCase();
    if (key === "j") go(current + 1);
    else if (key === "k") go(current - 1);
    else if (key === "b" && steps[current]?.querySelector(".after")) {
      show(steps[current], !steps[current].classList.contains("shows-after"));
    } else if (key === "e") document.body.classList.toggle("shows-elements");
    else return;
    event.preventDefault();
  });

  const wanted = steps.findIndex((step) => "#" + step.id === location.hash);
  if (wanted >= 0) go(wanted); else mark(0);
})();
