// SPDX-License-Identifier: MIT
// The strength of the signals: a bar for each band of each satellite, by constellation.

import { html, setText, fixed } from "./figures.js";
import { satelliteName } from "./live.js";

export const CONSTELLATIONS = { G: "GPS", S: "SBAS", E: "Galileo", C: "BeiDou", J: "QZSS", R: "GLONASS", I: "NavIC" };

/** The bands of NMEA 4.11 signal ids. */
const BANDS = {
  G: { 1: "L1", 5: "L2C", 6: "L2C", 7: "L5", 8: "L5" }, S: { 1: "L1" },
  J: { 1: "L1", 4: "L1S", 5: "L2C", 6: "L2C", 7: "L5", 8: "L5" }, I: { 1: "L5" }, R: { 1: "G1", 3: "G2" },
  E: { 1: "E5a", 2: "E5b", 4: "E6", 5: "E6", 6: "E1", 7: "E1" },
  C: { 1: "B1I", 3: "B1C", 5: "B2a", 8: "B3I", 11: "B2I" },
};

/** The C/N0 at the bottom and at the top of a bar, in dB-Hz. */
const FLOOR = 10, CEILING = 55;

/** Returns the names and C/N0 of each satellite's signals. */
export function signalsOf(sky) {
  const bands = new Map();
  for (const [gnssid, svid, signal, cn0] of sky?.gpsbridge?.signals ?? []) {
    const id = satelliteName({ gnssid, svid });
    const name = BANDS[id[0]]?.[signal] ?? `#${signal}`;
    if (!bands.has(id)) bands.set(id, []);
    if (cn0 != null) bands.get(id).push({ name, cn0 });
  }
  return bands;
}

export class SignalsPanel {
  constructor() {
    this.element = document.getElementById("signals");
    this.groups = new Map();
  }

  draw(receiver) {
    const satellites = receiver.sky?.satellites ?? [];
    const bands = signalsOf(receiver.sky);
    const groups = new Map();
    for (const one of satellites) {
      const id = satelliteName(one);
      if (!groups.has(id[0])) groups.set(id[0], []);
      const signals = bands.get(id)?.length ? bands.get(id)
        : one.ss == null ? [] : [{ name: "", cn0: one.ss }];
      groups.get(id[0]).push({ id, isUsed: one.used, signals });
    }
    if (groups.size === 0) {
      if (this.groups.size || !this.element.querySelector(".empty")) {
        this.groups.clear();
        this.element.replaceChildren(html("p", "empty", "No satellites in view"));
      }
      return;
    }
    this.element.querySelector(".empty")?.remove();
    for (const [letter, group] of this.groups) {
      if (groups.has(letter)) continue;
      group.element.remove();
      this.groups.delete(letter);
    }
    for (const letter of Object.keys(CONSTELLATIONS)) {
      if (groups.has(letter)) this.#group(letter).draw(groups.get(letter));
    }
  }

  #group(letter) {
    let group = this.groups.get(letter);
    if (!group) {
      group = new Group(letter);
      this.groups.set(letter, group);
      // In the order of the constellations.
      const order = Object.keys(CONSTELLATIONS);
      const next = [...this.element.children]
        .find((child) => order.indexOf(child.dataset.letter) > order.indexOf(letter));
      this.element.insertBefore(group.element, next ?? null);
    }
    return group;
  }
}

class Group {
  constructor(letter) {
    this.counts = html("small");
    this.list = html("ul");
    this.element = html("div", `group ${letter}`, html("h3", "", CONSTELLATIONS[letter], " ", this.counts),
      this.list);
    this.element.dataset.letter = letter;
    this.items = new Map();
  }

  draw(satellites) {
    const used = satellites.filter((one) => one.isUsed).length;
    const bands = [...new Set(satellites.flatMap((one) => one.signals.map(({ name }) => name)))]
      .filter(Boolean);
    setText(this.counts, `${used}/${satellites.length}` + (bands.length ? ` ${bands.join(" ")}` : ""));
    const seen = new Set(satellites.map((one) => one.id));
    for (const [id, item] of this.items) {
      if (seen.has(id)) continue;
      item.remove();
      this.items.delete(id);
    }
    satellites.sort((a, b) => (a.id < b.id ? -1 : 1));
    satellites.forEach((one, index) => {
      const item = this.#item(one.id);
      if (this.list.children[index] !== item) {
        this.list.insertBefore(item, this.list.children[index] ?? null);
      }
      item.className = one.isUsed ? "used" : "";
      const [stack, value] = item.children;
      while (stack.children.length > one.signals.length) stack.lastChild.remove();
      while (stack.children.length < one.signals.length) stack.append(html("i"));
      one.signals.forEach(({ cn0 }, bar) => {
        const share = Math.max(0.02, Math.min(1, (cn0 - FLOOR) / (CEILING - FLOOR)));
        const height = `${(share * 100).toFixed(0)}%`;
        if (stack.children[bar].style.height !== height) stack.children[bar].style.height = height;
      });
      const best = one.signals.length ? Math.max(...one.signals.map(({ cn0 }) => cn0)) : null;
      setText(value, best == null ? "–" : fixed(best, 0));
      const title = `${one.id}: ` + (one.signals
        .map(({ name, cn0 }) => `${name} ${fixed(cn0, 0)} dB-Hz`.trim()).join(", ") || "not received")
        + (one.isUsed ? ", used" : "");
      if (item.title !== title) item.title = title;
    });
  }

  #item(id) {
    let item = this.items.get(id);
    if (!item) {
      item = html("li", "", html("div", "stack"), html("b"), id);
      item.dataset.id = id;
      this.items.set(id, item);
    }
    return item;
  }
}
