// SPDX-License-Identifier: MIT
// The receiver's sentences as received, or as generated from its UBX messages, with a pause and a filter. Connected only while they are shown.

import { html, setText } from "./figures.js";

/** The maximum number of sentences kept. */
const LIMIT = 500;
/** Milliseconds until another attempt after an error such as 404, after which a browser makes none. */
const RETRY = 1000;

export class SentencesPanel {
  constructor() {
    const $ = (id) => document.getElementById(id);
    this.details = $("sentences");
    this.log = $("log");
    this.filter = $("filter");
    this.pause = $("pause");
    this.note = $("sentences-note");
    this.generated = $("sentences-generated");
    this.lines = [];
    this.pending = [];
    this.receiver = 0;
    this.details.addEventListener("toggle", () => this.#connect());
    document.addEventListener("visibilitychange", () => this.#connect());
    this.filter.addEventListener("input", () => this.#redraw());
    this.pause.addEventListener("click", () => {
      const isPaused = this.pause.getAttribute("aria-pressed") !== "true";
      this.pause.setAttribute("aria-pressed", String(isPaused));
      setText(this.pause, isPaused ? "Go on" : "Pause");
      this.#schedule();
    });
  }

  /** Shows the sentences of the receiver with a number and a name. If only its number changes, the shown
      sentences stay. */
  follow(receiver, name) {
    if (receiver === this.receiver && name === this.name) return;
    if (name !== this.name) [this.lines, this.pending] = [[], []];
    [this.receiver, this.name] = [receiver, name];
    this.#disconnect();
    this.#redraw();
    this.#connect();
  }

  get isPaused() { return this.pause.getAttribute("aria-pressed") === "true"; }

  #connect() {
    // Without a receiver there is no name, and the server would refuse each attempt.
    if (!this.details.open || document.hidden || this.name == null) return this.#disconnect();
    if (this.source) return;
    // The browser also reconnects, perhaps to a server whose receivers have other numbers.
    const source = new EventSource(
      `sentences?receiver=${this.receiver}&name=${encodeURIComponent(this.name)}`);
    this.source = source;
    source.addEventListener("message", ({ data }) => this.#take({ text: data }));
    source.addEventListener("generated", ({ data }) => this.#take({ text: data, isGenerated: true }));
    source.addEventListener("rejected", ({ data }) =>
      this.#take({ text: `rejected: ${data}`, isRejected: true }));
    source.addEventListener("error", () => {
      if (source !== this.source || source.readyState !== EventSource.CLOSED) return;
      this.source = null;
      setTimeout(() => this.#connect(), RETRY);
    });
  }

  #disconnect() {
    this.source?.close();
    this.source = null;
  }

  #take(line) {
    this.pending.push(line);
    // While paused, the newest sentences are kept and older ones are dropped.
    if (this.pending.length > LIMIT) this.pending.splice(0, this.pending.length - LIMIT);
    this.#schedule();
  }

  #schedule() {
    if (this.isPaused) setText(this.note, `${this.pending.length} wait`);
    if (this.isScheduled || this.isPaused) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      this.#append();
    });
  }

  #matches(line) {
    const words = this.filter.value.trim().toUpperCase().split(/[\s,]+/).filter(Boolean);
    const text = line.text.toUpperCase();
    return words.length === 0 || words.some((word) => text.includes(word));
  }

  #append() {
    const { log } = this;
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 30;
    const items = [];
    for (const line of this.pending) {
      this.lines.push(line);
      if (this.#matches(line)) items.push(row(line));
    }
    this.pending = [];
    if (this.lines.length > LIMIT) this.lines.splice(0, this.lines.length - LIMIT);
    log.append(...items);
    this.generated.hidden = !this.lines.some((line) => line.isGenerated);
    while (log.children.length > LIMIT) log.firstChild.remove();
    if (isAtEnd) log.scrollTop = log.scrollHeight;
    setText(this.note, this.filter.value.trim()
      ? `${log.children.length} of ${this.lines.length}` : "");
  }

  #redraw() {
    this.log.replaceChildren(...this.lines.filter((line) => this.#matches(line)).map(row));
    this.log.scrollTop = this.log.scrollHeight;
    this.generated.hidden = !this.lines.some((line) => line.isGenerated);
    this.#schedule();
  }
}

/** Returns a sentence with its address highlighted. */
function row({ text, isRejected, isGenerated }) {
  if (isRejected) return html("li", "rejected", text);
  const comma = text.indexOf(","), kind = isGenerated ? "generated" : "";
  return comma > 0 ? html("li", kind, html("b", "", text.slice(0, comma)), text.slice(comma))
    : html("li", kind, text);
}
