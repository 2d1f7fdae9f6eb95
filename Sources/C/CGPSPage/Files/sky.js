// SPDX-License-Identifier: MIT
// The satellites in the sky, north up, with their paths of the last hour.

import { svg, setText } from "./figures.js";
import { satelliteName } from "./live.js";

/** Returns the position of a direction on the disc; the zenith is the centre, the horizon the rim. */
function place(azimuth, elevation) {
  const radius = 100 * (1 - Math.max(0, Math.min(90, elevation)) / 90);
  const angle = azimuth * Math.PI / 180;
  return [radius * Math.sin(angle), -radius * Math.cos(angle)];
}

export class SkyPanel {
  constructor() {
    this.element = document.getElementById("sky");
    this.note = document.getElementById("sky-note");
    for (const elevation of [0, 30, 60]) {
      this.element.append(svg("circle", { class: elevation ? "ring" : "ring rim",
        r: 100 * (1 - elevation / 90) }));
    }
    this.element.append(svg("path", { class: "ring", d: "M0-100V100M-100 0H100" }));
    for (const [name, azimuth] of [["N", 0], ["E", 90], ["S", 180], ["W", 270]]) {
      const angle = azimuth * Math.PI / 180;
      this.element.append(svg("text", { class: "name", x: 106.5 * Math.sin(angle),
        y: -106.5 * Math.cos(angle) }, name));
    }
    for (const elevation of [30, 60]) {
      const [x, y] = place(0, elevation);
      this.element.append(svg("text", { class: "tick", x: x + 7, y: y - 4 }, `${elevation}°`));
    }
    this.trails = this.element.appendChild(svg("g"));
    this.dots = this.element.appendChild(svg("g"));
    this.satellites = new Map();
  }

  draw(receiver) {
    const all = receiver.sky?.satellites ?? [];
    const seen = new Set();
    let used = 0;
    for (const one of all) {
      if (one.used) used += 1;
      if (one.az == null || one.el == null || one.el < 0) continue;
      const id = satelliteName(one);
      seen.add(id);
      this.#satellite(id).update(one, receiver.trails.get(id) ?? []);
    }
    for (const [id, shape] of this.satellites) {
      if (seen.has(id)) continue;
      shape.remove();
      this.satellites.delete(id);
    }
    setText(this.note, all.length ? `${used} used of ${all.length} in view` : "no satellites");
    this.element.setAttribute("aria-label", all.length
      ? `Sky: ${used} satellites used of ${all.length} in view` : "Sky: no satellites in view");
  }

  #satellite(id) {
    let shape = this.satellites.get(id);
    if (!shape) {
      shape = new SatelliteShape(id, this.trails, this.dots);
      this.satellites.set(id, shape);
    }
    return shape;
  }
}

class SatelliteShape {
  constructor(id, trails, dots) {
    this.trail = trails.appendChild(svg("path", { class: `trail ${id[0]}` }));
    this.title = svg("title");
    this.group = dots.appendChild(svg("g", {}, this.title, svg("circle", { r: 7.2 }),
      svg("text", {}, id)));
    this.id = id;
    this.group.dataset.id = id;
  }

  update(one, trail) {
    const [x, y] = place(one.az, one.el);
    const kind = `sat ${this.id[0]}${one.used ? " used" : ""}${one.ss == null ? " silent" : ""}`;
    if (kind !== this.kind) this.group.setAttribute("class", this.kind = kind);
    this.group.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    setText(this.title, `${this.id}: elevation ${Math.round(one.el)}°, azimuth ${Math.round(one.az)}°`
      + (one.ss == null ? "" : `, ${one.ss} dB-Hz`) + (one.used ? ", used" : ""));
    const path = [...trail.map(([azimuth, elevation]) => place(azimuth, elevation)), [x, y]]
      .map(([px, py], index) => `${index ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
    if (path !== this.path) this.trail.setAttribute("d", this.path = path);
  }

  remove() {
    this.trail.remove();
    this.group.remove();
  }
}
