// SPDX-License-Identifier: MIT
// Sets the colours before anything is painted.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let choice = "auto";
  const apply = () => {
    const isDark = choice === "dark" || (choice === "auto" && system.matches);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
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
})();
