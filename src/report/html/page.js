"use strict";
(() => {
  const rows = [...document.querySelectorAll("[data-state]")];
  const buttons = [...document.querySelectorAll("[data-show]")];
  const search = document.querySelector("#search");
  const count = document.querySelector("#count");
  let show = "all";
  const apply = () => {
    const words = search ? search.value.toLowerCase() : "";
    let shown = 0;
    for (const row of rows) {
      const fits = (show === "all" || row.dataset.state === show)
        && row.textContent.toLowerCase().includes(words);
      row.hidden = !fits;
      if (fits) shown += 1;
    }
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.show === show));
    }
    if (count) count.textContent = `${shown} of ${rows.length}`;
  };
  for (const button of buttons) {
    button.addEventListener("click", () => { show = button.dataset.show; apply(); });
  }
  if (search) search.addEventListener("input", apply);
  apply();
  document.documentElement.dataset.ready = "yes";
})();
