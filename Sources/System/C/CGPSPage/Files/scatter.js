// SPDX-License-Identifier: MIT
// The motion of the receiver: a compass with its course; at rest the scatter of its positions.

import { svg, setText, bearing, figure, text, plane, unplane, compassPoint, copyText } from "./figures.js";
import { lines } from "./notations.js";

const $ = (id) => document.getElementById(id);

/** The speed in metres per second below which the receiver may be at rest. */
const SLOW = 0.7;
/** The time at rest in seconds before the scatter is drawn. */
const PATIENCE = 45;
/** The extent of the scatter in metres above which the receiver has moved. */
const SPREAD = 60;

export class MotionPanel {
  constructor() {
    this.element = document.getElementById("scatter");
    this.title = document.getElementById("scatter-title");
    this.note = document.getElementById("scatter-note");
    this.kind = null;
    this.mean = null;
    $("mean-copy").addEventListener("click", () =>
      copyText($("mean-position").textContent, $("mean-position"), $("mean-copy")));
    $("mean-download").addEventListener("click", () => this.#download());
  }

  draw(receiver) {
    const scatter = receiver.hasFix ? restingScatter(receiver.history) : null;
    if (scatter) this.#drawScatter(scatter); else this.#drawCompass(receiver);
    this.#showMean(scatter);
  }

  #begin(kind, title) {
    if (this.kind === kind) return false;
    this.kind = kind;
    setText(this.title, title);
    this.element.replaceChildren();
    return true;
  }

  // MARK: The mean position

  #showMean(scatter) {
    $("mean").hidden = !scatter;
    this.mean = scatter?.mean ?? null;
    if (!scatter) return;
    const { mean, r50, r95, count } = scatter;
    const place = lines($("notation").value, mean.lat, mean.lon).join(", ");
    const height = mean.alt == null ? "" : `, ${text("height", mean.alt)}`;
    setText($("mean-position"), place + height);
    mean.spread = `Mean of ${count} positions; half are within ${text("length", r50)}, `
      + `95 % within ${text("length", r95)}`;
    setText($("mean-spread"), mean.spread);
  }

  /** Saves the mean position as a waypoint. */
  #download() {
    const { mean } = this;
    if (!mean) return;
    const gpx = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="gpsbridge" xmlns="http://www.topografix.com/GPX/1/1">
<wpt lat="${mean.lat.toFixed(9)}" lon="${mean.lon.toFixed(9)}">`
      + (mean.alt == null ? "" : `<ele>${mean.alt.toFixed(2)}</ele>`)
      + `<name>Mean position</name><desc>${mean.spread}</desc></wpt>\n</gpx>\n`;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([gpx], { type: "application/gpx+xml" }));
    link.download = "mean.gpx";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // MARK: Compass

  #drawCompass(receiver) {
    if (this.#begin("compass", "Course")) {
      this.element.append(svg("circle", { class: "ring rim", r: 92 }));
      for (let degrees = 0; degrees < 360; degrees += 10) {
        const inner = degrees % 30 ? 88 : 84, angle = degrees * Math.PI / 180;
        this.element.append(svg("path", { class: "ring rim", d:
          `M${92 * Math.sin(angle)} ${-92 * Math.cos(angle)}`
          + `L${inner * Math.sin(angle)} ${-inner * Math.cos(angle)}` }));
        if (degrees % 30) continue;
        const name = { 0: "N", 90: "E", 180: "S", 270: "W" }[degrees] ?? degrees;
        this.element.append(svg("text", { class: degrees % 90 ? "tick" : "name",
          x: 75 * Math.sin(angle), y: -75 * Math.cos(angle) }, String(name)));
      }
      this.needle = this.element.appendChild(svg("path", { class: "needle",
        d: "M0-108L-7-90L7-90Z" }));
      this.degrees = this.element.appendChild(svg("text", { class: "big", y: 2 }));
      this.words = this.element.appendChild(svg("text", { class: "small", y: 20 }));
    }
    const fix = receiver.position ?? {}, isMoving = fix.track != null && (fix.speed ?? 1) > 0.2;
    this.needle.setAttribute("visibility", isMoving ? "visible" : "hidden");
    if (isMoving) this.needle.setAttribute("transform", `rotate(${fix.track.toFixed(1)})`);
    setText(this.degrees, isMoving ? bearing(fix.track) : "–");
    const [number, unit] = figure("speed", fix.speed);
    setText(this.words, isMoving ? `${compassPoint(fix.track)} · ${number} ${unit}`
      : fix.speed == null ? "not known" : `${number} ${unit}`);
    setText(this.note, isMoving ? "over ground" : "");
    this.element.setAttribute("aria-label", isMoving
      ? `Course over ground ${bearing(fix.track)}` : "Course over ground not known");
  }

  // MARK: Scatter

  #drawScatter({ points, last, r50, r95, seconds }) {
    if (this.#begin("scatter", "Scatter at rest")) {
      this.axes = this.element.appendChild(svg("g"));
      this.dots = this.element.appendChild(svg("path", { class: "dots" }));
      this.r95 = this.element.appendChild(svg("circle", { class: "r95" }));
      this.cep = this.element.appendChild(svg("circle", { class: "cep" }));
      this.now = this.element.appendChild(svg("circle", { class: "now", r: 3 }));
      this.legend = this.element.appendChild(svg("text", { class: "small", y: 109 }));
      this.step = null;
    }
    const reach = Math.max(r95 * 1.25, 0.02);
    const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50].find((one) =>
      one * 3 >= reach) ?? 100;
    const scale = 92 / (step * 3);
    if (step !== this.step) {
      this.step = step;
      this.axes.replaceChildren(svg("path", { class: "ring", d: "M0-92V92M-92 0H92" }),
        ...[1, 2, 3].flatMap((ring) => [svg("circle", { class: "ring", r: ring * step * scale }),
          svg("text", { class: "tick", x: 0, y: -ring * step * scale + 4 },
            text("length", ring * step))]));
    }
    this.dots.setAttribute("d", points.map(([x, y]) =>
      `M${(x * scale - 1).toFixed(1)} ${(-y * scale).toFixed(1)}a1 1 0 1 0 2 0a1 1 0 1 0-2 0`).join(""));
    this.r95.setAttribute("r", r95 * scale);
    this.cep.setAttribute("r", r50 * scale);
    this.now.setAttribute("cx", last[0] * scale);
    this.now.setAttribute("cy", -last[1] * scale);
    const words = `CEP ${text("length", r50)} · 95 % ${text("length", r95)}`;
    setText(this.legend, words);
    setText(this.note, `around the mean of ${Math.max(1, Math.round(seconds / 60))} min`);
    this.element.setAttribute("aria-label", `Scatter at rest: ${words}`);
  }
}

/** Returns the positions since the receiver stopped, in metres around their mean; `null` if it moves. */
function restingScatter(history) {
  const end = history.length;
  if (!end) return null;
  let start = end;
  while (start > history.start && !(history.speed[start - 1] > SLOW)) start -= 1;
  const seconds = history.seconds[end - 1] - history.seconds[start];
  if (end - start < 20 || !(seconds >= PATIENCE)) return null;
  const origin = { lat: history.lat[end - 1], lon: history.lon[end - 1] };
  const all = [];
  for (let index = start; index < end; index++) {
    all.push(plane(history.lat[index], history.lon[index], origin));
  }
  const mean = all.reduce(([x, y], one) => [x + one[0] / all.length, y + one[1] / all.length], [0, 0]);
  const around = all.map(([x, y]) => [x - mean[0], y - mean[1]]);
  const radii = around.map(([x, y]) => Math.hypot(x, y)).sort((a, b) => a - b);
  const within = (share) => radii[Math.min(radii.length - 1, Math.ceil(share * radii.length) - 1)];
  const r95 = within(0.95);
  if (r95 > SPREAD) return null;
  const stride = Math.ceil(around.length / 1200);
  const heights = history.alt.subarray(start, end).filter(Number.isFinite);
  const alt = heights.length ? heights.reduce((sum, one) => sum + one, 0) / heights.length : null;
  return { points: around.filter((_, index) => index % stride === 0), last: around.at(-1),
    r50: within(0.5), r95, seconds, count: all.length,
    mean: { ...unplane(mean, origin), alt } };
}
