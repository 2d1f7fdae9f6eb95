// SPDX-License-Identifier: MIT
// Runs before the page is painted: sets the colours, and connects while the modules are loading.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let choice = "auto";
  const apply = () => {
    const isFixed = ["light", "dark", "night"].includes(choice);
    document.documentElement.dataset.theme =
      isFixed ? choice : system.matches ? "dark" : "light";
    document.dispatchEvent(new Event("themechange"));
  };
  try { choice = localStorage.getItem("theme") ?? "auto"; } catch { /* not allowed here */ }
  system.addEventListener("change", apply);
  apply();
  addEventListener("DOMContentLoaded", () => {
    const select = document.getElementById("theme");
    select.value = choice;
    select.addEventListener("change", () => {
      choice = select.value;
      try { localStorage.setItem("theme", choice); } catch { /* not allowed here */ }
      apply();
    });
  });

  // Events that arrive before live.js is loaded are queued for it.
  const source = new EventSource("events"), events = [];
  for (const name of ["state", "message"]) {
    source.addEventListener(name, (event) => { if (window.early) events.push(event); });
  }
  window.early = { source, events };
  // Retries if the modules could not be loaded because the connection was lost.
  const again = () => fetch("health").then(() => location.reload(), () => setTimeout(again, 1000));
  addEventListener("error", ({ target }) => { if (target.type === "module") again(); }, true);
})();
