// SPDX-License-Identifier: MIT
// The satellites as a table that is sorted by any column.

import { html, setText, fixed, bearing } from "./figures.js";
import { satelliteName } from "./live.js";
import { CONSTELLATIONS, signalsOf } from "./signals.js";

/** The columns: their name, the value to sort by, and its text if that differs. */
const COLUMNS = [
  { name: "Satellite", value: (one) => one.id },
  { name: "System", value: (one) => CONSTELLATIONS[one.id[0]] ?? "" },
  { name: "Used", value: (one) => (one.isUsed ? 1 : 0), text: (used) => (used ? "●" : "") },
  { name: "Elevation", value: (one) => one.el, text: (el) => `${fixed(el, 0)}°` },
  { name: "Azimuth", value: (one) => one.az, text: bearing },
  { name: "dB-Hz", value: (one) => one.ss, text: (ss) => fixed(ss, 1) },
  { name: "Signals", value: (one) => one.signals },
];

export class SatellitesPanel {
  constructor() {
    this.element = document.getElementById("satellite-details");
    this.body = document.getElementById("satellite-rows");
    this.rows = new Map();
    this.order = { column: 0, sign: 1 };
    try {
      const saved = JSON.parse(localStorage.getItem("satellites"));
      if (COLUMNS[saved?.column]) this.order = { column: saved.column, sign: saved.sign < 0 ? -1 : 1 };
    } catch { /* not allowed here */ }
    this.heads = COLUMNS.map(({ name }, column) => {
      const button = html("button", "", name);
      button.type = "button";
      button.addEventListener("click", () => this.#sort(column));
      const head = html("th", "", button);
      head.scope = "col";
      return head;
    });
    document.getElementById("satellite-columns").append(...this.heads);
    this.#showOrder();
    this.element.addEventListener("toggle", () => { if (this.receiver) this.draw(this.receiver); });
  }

  /** Sorts by a column; the same column again reverses the order. Strong signals come first. */
  #sort(column) {
    const isSame = this.order.column === column;
    this.order = { column, sign: isSame ? -this.order.sign : [2, 3, 5].includes(column) ? -1 : 1 };
    try { localStorage.setItem("satellites", JSON.stringify(this.order)); } catch { /* not allowed */ }
    this.#showOrder();
    if (this.receiver) this.draw(this.receiver);
  }

  #showOrder() {
    this.heads.forEach((head, column) => {
      head.setAttribute("aria-sort", column !== this.order.column ? "none"
        : this.order.sign > 0 ? "ascending" : "descending");
    });
  }

  draw(receiver) {
    this.receiver = receiver;
    if (!this.element.open) return;
    const bands = signalsOf(receiver.sky);
    const all = (receiver.sky?.satellites ?? []).map((one) => {
      const id = satelliteName(one);
      return { ...one, id, isUsed: one.used,
        signals: (bands.get(id) ?? []).map(({ name }) => name).join(" ") };
    });
    const { column, sign } = this.order, { value } = COLUMNS[column];
    all.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      // Unknown values are last in either order.
      if (x == null || y == null) return (x == null) - (y == null) || (a.id < b.id ? -1 : 1);
      return (x < y ? -sign : x > y ? sign : 0) || (a.id < b.id ? -1 : 1);
    });
    const seen = new Set(all.map(({ id }) => id));
    for (const [id, row] of this.rows) {
      if (seen.has(id)) continue;
      row.remove();
      this.rows.delete(id);
    }
    all.forEach((one, index) => {
      const row = this.#row(one.id);
      if (this.body.children[index] !== row) {
        this.body.insertBefore(row, this.body.children[index] ?? null);
      }
      COLUMNS.forEach(({ value, text }, cell) => {
        const known = value(one);
        setText(row.children[cell], known == null ? "–" : text ? text(known) : String(known));
      });
    });
  }

  #row(id) {
    let row = this.rows.get(id);
    if (!row) {
      row = html("tr", id[0], ...COLUMNS.map(() => html("td")));
      row.dataset.id = id;
      this.rows.set(id, row);
    }
    return row;
  }
}
