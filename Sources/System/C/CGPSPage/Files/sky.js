// SPDX-License-Identifier: MIT
// The satellites in the sky, north up, with their paths of the last hour.

import { svg, setText, bearing } from "./figures.js";
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
    placeLabels([...this.satellites.values()]);
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

/** The radius of a satellite and its outline, the height of its label, and a width per character. */
const DOT = 3.4, OUTLINE = 0.7, LINE = 7, LETTER = 4.2;
/** The free space around a satellite and beside a label. */
const GAP = 0.5;

/** Offsets of a label from its satellite, the nearest first. */
const OFFSETS = [0, 7, 14, 22, 30].flatMap((more) =>
  [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]]
    .map(([x, y]) => [x, y, more]));

/** Places all labels so that they overlap neither each other nor a satellite; those that fit keep their place. */
function placeLabels(shapes) {
  const reach = DOT + OUTLINE + GAP;
  const taken = shapes.map(({ x, y }) => [x - reach, y - reach, x + reach, y + reach]);
  const isFree = (box) => Math.abs(box[0] + box[2]) < 216 - (box[2] - box[0])
    && Math.abs(box[1] + box[3]) < 222 - LINE
    && taken.every((one) => one[2] <= box[0] || one[0] >= box[2] || one[3] <= box[1] || one[1] >= box[3]);
  for (const shape of shapes) {
    const width = shape.width;
    const boxAt = ([x, y, more]) => {
      const dx = x * (reach + width / 2 + more), dy = y * (reach + LINE / 2 + more);
      const [cx, cy] = [shape.x + dx, shape.y + dy];
      return { dx, dy, more, box: [cx - width / 2, cy - LINE / 2, cx + width / 2, cy + LINE / 2] };
    };
    const candidates = shape.offset ? [shape.offset, ...OFFSETS] : OFFSETS;
    shape.offset = candidates.find((offset) => isFree(boxAt(offset).box)) ?? null;
    if (shape.offset) taken.push(boxAt(shape.offset).box);
    shape.placeLabel(shape.offset && boxAt(shape.offset));
  }
}

class SatelliteShape {
  constructor(id, trails, dots) {
    this.trail = trails.appendChild(svg("path", { class: `trail ${id[0]}` }));
    this.title = svg("title");
    this.line = svg("path");
    this.label = svg("text", {}, id);
    this.group = dots.appendChild(svg("g", {}, this.title, this.line, svg("circle", { r: DOT }),
      this.label));
    this.id = id;
    this.group.dataset.id = id;
    // Fonts differ; nothing is measured while the page is hidden.
    this.width = Math.max(this.label.getComputedTextLength(), id.length * LETTER) + GAP;
  }

  update(one, trail) {
    const [x, y] = place(one.az, one.el);
    [this.x, this.y] = [x, y];
    const kind = `sat ${this.id[0]}${one.used ? " used" : ""}${one.ss == null ? " silent" : ""}`;
    if (kind !== this.kind) this.group.setAttribute("class", this.kind = kind);
    this.group.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    setText(this.title, `${this.id}: elevation ${Math.round(one.el)}°, azimuth ${bearing(one.az)}`
      + (one.ss == null ? "" : `, ${one.ss} dB-Hz`) + (one.used ? ", used" : ""));
    const path = [...trail.map(([azimuth, elevation]) => place(azimuth, elevation)), [x, y]]
      .map(([px, py], index) => `${index ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
    if (path !== this.path) this.trail.setAttribute("d", this.path = path);
  }

  /** Moves the label; one that has no place is left out, and a distant one has a line to its satellite. */
  placeLabel(place) {
    this.label.setAttribute("visibility", place ? "visible" : "hidden");
    this.label.setAttribute("x", (place?.dx ?? 0).toFixed(1));
    this.label.setAttribute("y", (place?.dy ?? 0).toFixed(1));
    this.line.setAttribute("d", place?.more
      ? `M0 0L${(place.dx * 0.8).toFixed(1)} ${(place.dy * 0.8).toFixed(1)}` : "");
  }

  remove() {
    this.trail.remove();
    this.group.remove();
  }
}
