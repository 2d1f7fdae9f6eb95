// SPDX-License-Identifier: MIT
// The state of the receiver, as text and numbers.

import { figure, text, fixed, elapsed, bearing, compassPoint, setText, html, copyText } from "./figures.js";
import { lines } from "./notations.js";
import { drawReports } from "./reports.js";

const LOCAL = new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "medium" });
const ZONE = new Intl.DateTimeFormat("en", { timeZoneName: "short" });

/** Returns an ISO 8601 time in the browser's zone: `2026-11-24 20:59:28 CET`. */
function localTime(iso) {
  const time = new Date(iso);
  const zone = ZONE.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return `${LOCAL.format(time)} ${zone}`;
}

const QUALITIES = {
  autonomous: "satellites alone", differential: "corrected by DGPS/SBAS", precise: "precise (PPS)",
  rtk_fixed: "RTK fixed", rtk_float: "RTK float", estimated: "dead reckoning", manual: "entered manually",
};

const SOURCES = {
  standardDeviations: "by the receiver (GST)", expectedErrors: "by the receiver (GBS)",
  receiver: "by the receiver", dilution: "from the DOPs",
};

/** Returns the state of a receiver: its level, a short title, and details. */
export function headline(receiver) {
  const state = vote(receiver), { anchor } = receiver, alarm = ALARMS[anchor?.state];
  if (!alarm) return state;
  // The reason that the anchor drags contains the distance at which the alarm began.
  const cause = anchor.state !== "drag" ? anchor.reason : anchor.distance == null ? null
    : `${text("length", anchor.distance)} away, the circle is ${text("length", anchor.radius)}`;
  return { level: "poor", title: `${alarm} · ${state.title}`,
    details: [cause, state.details].filter(Boolean).join(" · ") };
}

const ALARMS = { drag: "Anchor drags", lost: "Anchor watch does not work" };

/** Returns the state, with the receivers that disagree with the winner of a vote. */
function vote(receiver) {
  const state = integrity(receiver);
  const outvoted = receiver.state === "open" ? receiver.tpv?.gpsbridge?.outvoted : null;
  if (!outvoted) return state;
  // In a dispute, no majority shows which receivers are right.
  const word = receiver.tpv.vote === "disputed" ? "Disputed" : "Outvoted";
  return { level: state.level === "poor" ? "poor" : "fair", title: `${word}: ${outvoted} · ${state.title}`,
    details: state.details };
}

function integrity(receiver) {
  const state = shared(receiver), tpv = receiver.state === "open" ? receiver.tpv : null;
  const doubt = tpv?.integrity;
  if (doubt !== "warning" && doubt !== "alarm") return state;
  // Each reason is a test's name and a description.
  const reasons = (tpv.integrityReasons ?? "").replace(/(^|; )[A-Za-z]+: /g, "$1");
  return {
    level: doubt === "alarm" ? "poor" : state.level === "poor" ? "poor" : "fair",
    title: `Integrity ${doubt} · ${state.title}`,
    details: [reasons, state.details].filter(Boolean).join(" · "),
  };
}

/** Returns the condition, with the program that also reads the tty, and with a datum other than WGS 84. */
function shared(receiver) {
  const state = condition(receiver);
  const datum = receiver.datum && `positions in the datum ${receiver.datum}, not in WGS 84`;
  if (!receiver.sharing && !datum) return state;
  return { ...state, level: state.level === "good" ? "fair" : state.level,
    details: [state.details, receiver.sharing, datum].filter(Boolean).join(" · ") };
}

function condition(receiver) {
  const since = receiver.since ? elapsed(Date.now() / 1000 - receiver.since) : "";
  switch (receiver.state) {
    case "waiting":
      return { level: "poor", title: "Waiting for a receiver", details: receiver.reason ?? "" };
    case "silent":
      return { level: "poor", title: "Receiver is silent", details: receiver.reason ?? "" };
    case "lost":
      return { level: "poor", title: "Receiver is gone",
        details: `for ${since}, waiting for it to come back` };
    case "ended":
      return receiver.reason
        ? { level: "poor", title: "Ended", details: receiver.reason }
        : { level: "fair", title: "End of the recording", details: "" };
  }
  const { tpv } = receiver;
  if (receiver.isOld) {
    return { level: "poor", title: `Fix is ${Math.floor(receiver.age)} s old`,
      details: tpv?.mode === 1 ? withoutFix(receiver) : receiver.reason ?? "no data arrives" };
  }
  if (!tpv) return { level: "wait", title: "No data yet", details: receiver.reason ?? "" };
  if (!receiver.hasFix) return { level: "poor", title: "No fix", details: withoutFix(receiver) };
  const extras = tpv.gpsbridge ?? {}, accuracy = extras.accuracy;
  const count = extras.used == null ? null
    : extras.inView ? `${extras.used} of ${extras.inView} satellites used`
      : `${extras.used} satellites used`;
  return {
    level: tpv.mode === 2 || (accuracy ?? 10) > 15 ? "fair" : "good",
    title: [tpv.mode === 3 ? "3D fix" : "2D fix",
      accuracy == null ? null : `±${text("length", accuracy)}`].filter(Boolean).join(" "),
    details: [QUALITIES[extras.quality], count, receiver.reason].filter(Boolean).join(" · "),
  };
}

function withoutFix(receiver) {
  const satellites = receiver.sky?.satellites ?? [];
  if (!satellites.length) return "no satellites in view";
  const heard = satellites.filter((one) => one.ss != null);
  if (!heard.length) return `${satellites.length} in view, none received`;
  const best = Math.max(...heard.map((one) => one.ss));
  return `${heard.length} of ${satellites.length} satellites received, the best at ${fixed(best, 0)} dB-Hz`;
}

const $ = (id) => document.getElementById(id);

/** The position, motion and other values of the fix. */
export class StatusPanel {
  constructor() {
    let notation = "decimal";
    try { notation = localStorage.getItem("notation") ?? notation; } catch { /* not allowed */ }
    const select = $("notation");
    select.value = notation;
    if (!select.value) select.value = "decimal";
    select.addEventListener("change", () => {
      try { localStorage.setItem("notation", select.value); } catch { /* not allowed */ }
      if (this.receiver) this.draw(this.receiver);
    });
    $("copy").addEventListener("click", () => this.copy());
  }

  copy() {
    const all = [...$("coordinates").children].map((one) => one.textContent).join(", ");
    copyText(all, $("coordinates"), $("copy"));
  }

  draw(receiver) {
    this.receiver = receiver;
    const fix = receiver.position ?? {}, extras = fix.gpsbridge ?? {}, sky = receiver.sky ?? {};
    // Of the current epoch: without a fix no satellite is used.
    const present = receiver.tpv?.gpsbridge ?? {};
    const coordinates = fix.lat == null ? ["–", "–"] : lines($("notation").value, fix.lat, fix.lon);
    const place = $("coordinates");
    while (place.children.length > coordinates.length) place.lastChild.remove();
    while (place.children.length < coordinates.length) place.append(html("span"));
    coordinates.forEach((line, index) => setText(place.children[index], line));
    tile("altitude", figure("height", fix.altMSL ?? fix.altHAE));
    tile("speed", figure("speed", fix.speed));
    tile("course", fix.track == null ? ["–", ""]
      : [bearing(fix.track), compassPoint(fix.track)]);
    tile("climb", figure("climb", fix.climb));
    tile("geoid", figure("height", fix.geoidSep));
    const variation = fix.magvar;
    tile("magnetic", fix.magtrack == null ? ["–", ""] : [bearing(fix.magtrack),
      variation == null ? "" : `${fixed(Math.abs(variation), 1)}° ${variation < 0 ? "W" : "E"}`]);
    $("magnetic").title = /\bmagtrack\b/.test(fix.modelled ?? "")
      ? "Course by a model of the variation, and the variation" : "Magnetic course, and the variation";
    setText($("accuracy"), extras.accuracy == null ? "–"
      : `±${text("length", extras.accuracy)}`
        + (extras.verticalAccuracy == null ? ""
          : `, height ±${text("length", extras.verticalAccuracy)}`));
    setText($("estimated"), SOURCES[extras.accuracySource] ?? "–");
    const dops = [["H", sky.hdop ?? present.hdop], ["V", sky.vdop], ["P", sky.pdop]]
      .filter(([, value]) => value != null).map(([name, value]) => `${name} ${fixed(value, 1)}`);
    setText($("dop"), dops.join("  ") || "–");
    const inView = sky.nSat ?? present.inView;
    setText($("satellites"), present.used == null && inView == null ? "–"
      : [present.used == null ? null : `${present.used} used`, inView ? `${inView} in view` : null]
        .filter(Boolean).join(", "));
    // Interference may be the reason that there is no fix.
    drawReports($("reports"), receiver.tpv ?? {});
    const station = extras.correctionStation == null ? "" : `, station ${extras.correctionStation}`;
    setText($("correction"), extras.correctionAge == null ? "none"
      : `${fixed(extras.correctionAge, 1)} s ago${station}`);
    const { integrity, integritySince } = receiver.tpv ?? {};
    setText($("integrity"), integrity == null ? "–"
      : [integrity, integritySince ? `since ${clock(integritySince)}` : null]
        .filter(Boolean).join(" "));
    const age = receiver.age;
    setText($("age"), age == null ? "–"
      : age < 3 ? "now" : age < 60 ? `${Math.floor(age)} s ago` : `${elapsed(age)} ago`);
    let latency = receiver.origin === "live" && fix.rtime && fix.time
      ? fix.rtime - Date.parse(fix.time) / 1000 : null;
    // A larger difference is caused by a wrong clock.
    if (Math.abs(latency) > 60) latency = null;
    setText($("rate"), [
      !receiver.period ? "–" : receiver.period < 60
        ? `${fixed(1 / receiver.period, receiver.period > 0.5 ? 2 : 1)} Hz`
        : `every ${fixed(receiver.period, 0)} s`,
      latency == null ? null : `${fixed(latency * 1000, 0)} ms`,
    ].filter(Boolean).join(", "));
    setText($("first"), receiver.firstFix == null ? "–"
      : `after ${receiver.firstFix < 100 ? `${fixed(receiver.firstFix, 1)} s` : elapsed(receiver.firstFix)}`);
    setText($("local"), fix.time ? localTime(fix.time) : "–");
    setText($("utc"), fix.time ? clock(fix.time) : "–");
    setText($("device"), [receiver.device, voteText(receiver.tpv)].filter(Boolean).join(": ")
      + (receiver.origin === "live" ? "" : ` (${receiver.origin})`));
  }
}

/** Returns the winner of several receivers, and which of the others confirm it. */
function voteText(tpv) {
  const { vote, voteWinner: winner, voteWitnesses: witnesses, voteDisagreeing: others } = tpv ?? {};
  if (winner == null) return null;
  if (vote === "disputed") return `${winner}, disputed by ${others}`;
  return [winner, witnesses ? `confirmed by ${witnesses}` : "not confirmed",
    others && `not by ${others}`].filter(Boolean).join(", ");
}

/** Returns a time of a report for readers: the date and whole seconds, UTC. */
function clock(time) {
  return time.replace("T", " ").replace(/\.\d+Z$|Z$/, "");
}

function tile(id, [number, unit]) {
  const element = $(id);
  if (element.children.length === 0) {
    element.replaceChildren(html("span"), " ", html("small"));
  }
  setText(element.firstChild, number);
  setText(element.lastChild, unit);
}
