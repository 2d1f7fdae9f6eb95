// SPDX-License-Identifier: MIT
// The last hour: speed, altitude, accuracy, C/N0 and HDOP, with a line to read all values at one time.

import { figure, fixed, scaled, setText, html } from "./figures.js";

const CHARTS = [
  { column: "speed", title: "Speed", kind: "speed", floor: 0, span: 2 },
  { column: "alt", title: "Altitude", kind: "height", span: 5 },
  { column: "accuracy", title: "Accuracy", kind: "length", floor: 0, span: 1 },
  { column: "cn0", title: "C/N0, mean", unit: "dB-Hz", span: 5 },
  { column: "hdop", title: "HDOP", unit: "", floor: 0, span: 1, decimals: 1 },
  { column: "used", title: "Satellites used", unit: "", floor: 0, span: 4, decimals: 0 },
];

const HEIGHT = 104, LEFT = 38, RIGHT = 6, TOP = 6, BOTTOM = 16;
/** The minimum gap in seconds after which a line is interrupted. */
const GAP = 30;

export class ChartsPanel {
  constructor() {
    this.element = document.getElementById("charts");
    this.note = document.getElementById("charts-note");
    this.reading = document.getElementById("charts-reading");
    this.charts = CHARTS.map((chart) => new Chart(chart, this));
    this.element.append(...this.charts.map((chart) => chart.element));
    this.cursor = null;
    this.element.addEventListener("pointerleave", () => this.#point(null));
    this.element.addEventListener("keydown", (event) => this.#step(event));
    this.element.addEventListener("blur", () => this.#point(null));
    new ResizeObserver(() => { if (this.receiver) this.draw(this.receiver); }).observe(this.element);
  }

  draw(receiver) {
    this.receiver = receiver;
    const { history } = receiver;
    const start = history.length ? history.start : 0;
    const end = history.length ? history.seconds[history.length - 1] : Date.now() / 1000;
    const begin = Math.max(end - 3600, Math.min(end - 120, history.seconds[start] || end - 120));
    this.range = { start, begin, end };
    const minutes = Math.round((end - begin) / 60);
    if (this.cursor == null) {
      setText(this.note, minutes >= 60 ? "last hour" : `last ${minutes} minutes`);
    }
    const style = getComputedStyle(document.documentElement);
    const colors = Object.fromEntries(["accent", "grid", "axis", "muted", "ink", "card"]
      .map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    for (const chart of this.charts) chart.draw(history, this.range, colors, this.cursor);
  }

  #point(seconds) {
    if (seconds === this.cursor) return;
    this.cursor = seconds;
    if (this.receiver) this.draw(this.receiver);
  }

  /** Moves the line to the pointer's position on a chart. */
  point(share) {
    if (!this.range) return;
    this.#point(this.range.begin + share * (this.range.end - this.range.begin));
    this.#read();
  }

  #step(event) {
    if (!this.range) return;
    const { begin, end } = this.range, step = (end - begin) / 60;
    const now = this.cursor ?? end;
    const next = { ArrowLeft: now - step, ArrowRight: now + step, Home: begin, End: end,
      Escape: null }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.#point(next == null ? null : Math.max(begin, Math.min(end, next)));
    if (next != null) setText(this.reading, this.#read());
  }

  #read() {
    const { history } = this.receiver, index = nearest(history, this.cursor);
    if (index == null) return "";
    const time = clock(history.seconds[index], true);
    setText(this.note, time);
    return `${time}: ` + this.charts.map((chart) => chart.text(history[chart.column][index]))
      .join(", ");
  }
}

class Chart {
  constructor({ column, title, kind, unit, floor, span, decimals }, panel) {
    Object.assign(this, { column, title, kind, unit, floor, span, decimals });
    this.value = html("b");
    this.extent = html("small");
    this.canvas = html("canvas", "chart");
    this.canvas.setAttribute("role", "img");
    this.element = html("div", "pane", html("p", "", html("span", "", title), this.extent,
      this.value), this.canvas);
    this.canvas.addEventListener("pointermove", (event) => {
      const box = this.canvas.getBoundingClientRect();
      const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
      panel.point(Math.max(0, Math.min(1, share)));
    });
  }

  scale(value) { return this.kind ? scaled(this.kind, value) : value; }

  /** Returns a value with its unit. */
  words(value) {
    if (!Number.isFinite(value)) return "–";
    if (this.kind) return figure(this.kind, value).join(" ");
    return `${fixed(value, this.decimals ?? 1)} ${this.unit}`.trim();
  }

  /** Returns a value without its unit. */
  number(value) {
    return this.kind ? figure(this.kind, value)[0] : fixed(value, this.decimals ?? 1);
  }

  text(value) { return `${this.title} ${this.words(value)}`; }

  draw(history, { start, begin, end }, colors, cursor) {
    const width = this.canvas.clientWidth;
    if (!width) return;
    const ratio = Math.min(3, devicePixelRatio || 1);
    if (this.canvas.width !== Math.round(width * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(HEIGHT * ratio);
    }
    const context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, HEIGHT);

    const values = history[this.column];
    let low = Infinity, high = -Infinity, last = NaN;
    for (let index = start; index < history.length; index++) {
      const value = values[index];
      if (!(value === value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
      last = value;
    }
    const isEmpty = low > high;
    const shown = cursor == null ? last : values[nearest(history, cursor) ?? -1];
    setText(this.value, this.words(shown));
    setText(this.extent, isEmpty ? "" : `${this.number(low)} to ${this.number(high)}`);
    this.canvas.setAttribute("aria-label", isEmpty ? `${this.title}: nothing yet`
      : `${this.title}: ${this.words(last)} now, from ${this.words(low)} to ${this.words(high)}`);
    if (isEmpty) [low, high] = [0, 1];

    // The axis: steps of 1, 2 or 5, with a minimum range, so that noise looks small.
    let bottom = this.scale(low), top = this.scale(high);
    const span = this.span;
    if (this.floor != null) bottom = this.scale(this.floor);
    if (top - bottom < span) {
      const middle = (top + bottom) / 2;
      if (this.floor == null) bottom = middle - span / 2;
      top = bottom + span;
    }
    const step = niceStep((top - bottom) / 2.5);
    bottom = Math.floor(bottom / step + 1e-9) * step;
    top = Math.ceil(top / step - 1e-9) * step;
    const x = (seconds) => LEFT + (seconds - begin) / (end - begin) * (width - LEFT - RIGHT);
    const y = (value) => TOP + (top - value) / (top - bottom) * (HEIGHT - TOP - BOTTOM);

    context.font = "11px system-ui, sans-serif";
    context.fillStyle = colors.muted;
    context.strokeStyle = colors.grid;
    context.lineWidth = 1;
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.beginPath();
    for (let tick = bottom; tick <= top + step / 2; tick += step) {
      const row = Math.round(y(tick)) + 0.5;
      context.moveTo(LEFT, row);
      context.lineTo(width - RIGHT, row);
      context.fillText(fixed(tick, step < 1 ? 1 : 0), LEFT - 6, row);
    }
    context.stroke();
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    for (const tick of timeTicks(begin, end, width)) {
      const column = x(tick);
      if (column > LEFT + 14 && column < width - 20) {
        context.fillText(clock(tick, end - begin < 240), column, HEIGHT - 3);
      }
    }
    if (isEmpty) return;
    this.#line(context, history, start, x, y, colors.accent);
    if (cursor != null) {
      context.strokeStyle = colors.axis;
      context.beginPath();
      const column = Math.round(x(cursor)) + 0.5;
      context.moveTo(column, TOP);
      context.lineTo(column, HEIGHT - BOTTOM);
      context.stroke();
      if (shown === shown) {
        context.fillStyle = colors.accent;
        context.beginPath();
        context.arc(x(cursor), y(this.scale(shown)), 3.5, 0, 7);
        context.fill();
      }
    }
  }

  /** Draws the line, with the minimum and maximum value of each column of pixels. It is interrupted at gaps
      that are much longer than the step before them, because a receiver may send once a minute, and the
      server may send a thinned hour. A lone point is a dot. */
  #line(context, history, start, x, y, color) {
    const values = history[this.column];
    context.strokeStyle = color;
    context.lineWidth = 1.6;
    context.lineJoin = "round";
    context.beginPath();
    const dots = [];
    let column = NaN, low = 0, high = 0, lastSeconds = -Infinity, spacing = NaN, isDown = false;
    const flush = (isEnd) => {
      if (column !== column) return;
      if (isEnd && !isDown && high === low) dots.push([column, y(low)]);
      if (isDown) context.lineTo(column, y(low)); else context.moveTo(column, y(low));
      if (high !== low) context.lineTo(column, y(high));
      isDown = true;
    };
    for (let index = start; index < history.length; index++) {
      const seconds = history.seconds[index];
      const value = this.scale(values[index]);
      const step = seconds - lastSeconds;
      const isGap = history.breaks.has(index) || step > Math.max(GAP, 2.5 * spacing) || value !== value;
      if (isGap) { flush(true); column = NaN; isDown = false; }
      if (value !== value) continue;
      if (step < Infinity) spacing = step;
      lastSeconds = seconds;
      const next = Math.round(x(seconds) * 2) / 2;
      if (next === column) {
        if (value < low) low = value;
        if (value > high) high = value;
      } else {
        flush(false);
        [column, low, high] = [next, value, value];
      }
    }
    flush(true);
    context.stroke();
    context.fillStyle = color;
    for (const [left, top] of dots) {
      context.beginPath();
      context.arc(left, top, 1.6, 0, 7);
      context.fill();
    }
  }
}

function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].find((factor) => factor * power >= least * 0.999) * power;
}

/** Returns the ticks of the time axis: whole minutes, about eighty pixels apart. */
function timeTicks(begin, end, width) {
  const least = (end - begin) / Math.max(2, width / 90);
  const step = [15, 30, 60, 120, 300, 600, 900, 1200, 1800].find((one) => one >= least) ?? 3600;
  const ticks = [];
  for (let tick = Math.ceil(begin / step) * step; tick <= end; tick += step) ticks.push(tick);
  return ticks;
}

/** Returns the local time of day. The browser's formatters are slow. */
function clock(seconds, hasSeconds) {
  const time = new Date(seconds * 1000);
  const parts = [time.getHours(), time.getMinutes(), ...(hasSeconds ? [time.getSeconds()] : [])];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/** Returns the index of the fix nearest to a time. */
function nearest(history, seconds) {
  if (!history.length || seconds == null) return null;
  let low = 0, high = history.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (history.seconds[middle] < seconds) low = middle + 1; else high = middle;
  }
  if (low > 0 && seconds - history.seconds[low - 1] < history.seconds[low] - seconds) low -= 1;
  return Math.abs(history.seconds[low] - seconds) > GAP ? null : low;
}
