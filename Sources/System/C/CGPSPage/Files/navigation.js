// SPDX-License-Identifier: MIT
// The anchor watch and the way to a waypoint, if the server was given either; and the vessel's instruments.

import { text, fixed, elapsed, bearing, compassPoint } from "./figures.js";
import { drawRows } from "./reports.js";

const STATES = { setting: "waiting until the receiver is at rest", ok: "holds", drag: "drags",
  lost: "watch does not work" };

const direction = (degrees) => degrees == null ? "–" : `${bearing(degrees)} ${compassPoint(degrees)}`;

/** Returns since when a state lasts, with the date if that was more than a day ago. */
function since(time) {
  if (time == null) return "";
  const isOld = Date.now() - Date.parse(time) > 86400000;
  return ` since ${isOld ? `${time.slice(0, 10)} ` : ""}${time.slice(11, 19)} UTC`;
}

/** Returns titles and texts of an anchor watch. */
function anchorRows(anchor) {
  const waits = anchor.state === "setting" && anchor.reason ? `waiting: ${anchor.reason}` : null;
  return [
    ["Anchor", (waits ?? STATES[anchor.state]) + since(anchor.since)],
    ["Distance", anchor.distance == null ? "–"
      : `${text("length", anchor.distance)} of ${text("length", anchor.radius)}`],
    ["Bearing", direction(anchor.bearing)],
  ];
}

/** Returns titles and texts of the way to a waypoint. */
function waypointRows(waypoint) {
  const { crossTrackError: error, timeToGo } = waypoint;
  const side = error == null || Math.abs(error) < 0.5 ? "" : error < 0 ? " left" : " right";
  return [
    ["Waypoint", (waypoint.name ?? `${waypoint.latitude}, ${waypoint.longitude}`)
      + (waypoint.count > 1 ? ` (${waypoint.number} of ${waypoint.count})` : "")],
    ["Distance", text("distance", waypoint.distance)],
    ["Bearing", direction(waypoint.bearing)],
    ["Time to go", waypoint.arrived ? "arrived" : timeToGo == null ? "–" : elapsed(timeToGo)],
    ["Off track", error == null ? "–" : text("distance", Math.abs(error)) + side],
    ["Closing", text("speed", waypoint.velocityMadeGood)],
  ];
}

const join = (...parts) => parts.filter((part) => part != null).join(", ");
const given = (kind, value) => value == null ? null : text(kind, value);
const side = (angle) => angle == null ? null
  : `${fixed(Math.abs(angle), 0)}°${Math.abs(angle) < 0.5 ? "" : angle < 0 ? " port" : " starboard"}`;
const fromBow = (angle) => angle == null ? null : side(angle > 180 ? angle - 360 : angle);

/** Returns titles and texts of the instruments that have sent a value. */
function instrumentRows(receiver) {
  const value = (name) => receiver.reading(name);
  const depth = value("depth"), offset = value("depthOffset");
  const north = value("wanglet"), magnetic = value("wanglem");
  const engines = [value("portEngineSpeed"), value("engineSpeed")].filter((one) => one != null);
  return [
    ["Depth", depth == null ? null : join(text("length", depth), !offset ? null
      : `${offset < 0 ? "keel" : "surface"} ${text("length", depth + offset)}`)],
    ["Apparent wind", join(given("speed", value("wspeedr")), fromBow(value("wangler")))],
    ["True wind", join(given("speed", value("wspeedt")),
      north != null ? `from ${direction(north)}` : fromBow(value("trueWindAngle"))
        ?? (magnetic == null ? null : `from ${bearing(magnetic)}M`))],
    ["Water", value("wtemp") == null ? null : `${fixed(value("wtemp"), 1)} °C`],
    ["Log", join(given("speed", value("waterSpeed")), given("distance", value("log")),
      value("tripLog") == null ? null : `trip ${text("distance", value("tripLog"))}`)],
    ["Rudder", side(value("rudder"))],
    ["Engine", engines.length ? `${engines.map((one) => fixed(one, 0)).join(" | ")} rpm` : null],
  ].filter(([, words]) => words);
}

/** The card of the anchor watch, the waypoint and the instruments; hidden without any. */
export class NavigationPanel {
  constructor() {
    this.card = document.getElementById("navigation");
    this.lists = [document.getElementById("anchor"), document.getElementById("waypoint"),
      document.getElementById("instruments")];
  }

  draw(receiver) {
    const { anchor, waypoint } = receiver, instruments = instrumentRows(receiver);
    this.card.hidden = !anchor && !waypoint && !instruments.length;
    drawRows(this.lists[2], instruments);
    drawRows(this.lists[0], anchor ? anchorRows(anchor) : []);
    drawRows(this.lists[1], waypoint ? waypointRows(waypoint) : []);
    this.card.dataset.alarm = String(anchor?.state === "drag" || anchor?.state === "lost");
  }
}
