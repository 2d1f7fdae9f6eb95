// SPDX-License-Identifier: MIT
// The formatting of numbers.

const FOOT = 0.3048, MILE = 1609.344, NAUTICAL_MILE = 1852;

const systems = {
  metric: {
    length: (m) => [m, "m"], height: (m) => [m, "m"],
    distance: (m) => (m < 1000 ? [m, "m"] : [m / 1000, "km"]),
    speed: (v) => [v * 3.6, "km/h"], climb: (v) => [v, "m/s"],
  },
  imperial: {
    length: (m) => [m / FOOT, "ft"], height: (m) => [m / FOOT, "ft"],
    distance: (m) => (m < MILE / 4 ? [m / FOOT, "ft"] : [m / MILE, "mi"]),
    speed: (v) => [v * 3600 / MILE, "mph"], climb: (v) => [v * 60 / FOOT, "ft/min"],
  },
  nautical: {
    length: (m) => [m, "m"], height: (m) => [m, "m"],
    distance: (m) => (m < NAUTICAL_MILE / 4 ? [m, "m"] : [m / NAUTICAL_MILE, "nmi"]),
    speed: (v) => [v * 3600 / NAUTICAL_MILE, "kn"], climb: (v) => [v, "m/s"],
  },
};

let units = "metric";
try { units = localStorage.getItem("units") ?? units; } catch { /* not allowed here */ }
if (!(units in systems)) units = "metric";

export const getUnits = () => units;

export function setUnits(name) {
  units = name in systems ? name : "metric";
  try { localStorage.setItem("units", units); } catch { /* not allowed here */ }
}

/** Returns a value and its unit: `["2.4", "m"]`; a dash if it is unknown. */
export function figure(kind, value) {
  if (value == null || !Number.isFinite(value)) return ["–", ""];
  const [number, unit] = systems[units][kind](value);
  return [fixed(number, decimalsOf(kind, number)), unit];
}

/** Returns a value with its unit as one text. */
export function text(kind, value) {
  return figure(kind, value).filter(Boolean).join(" ");
}

/** Returns a number in the units shown, for axes. */
export const scaled = (kind, value) => systems[units][kind](value)[0];

function decimalsOf(kind, number) {
  const size = Math.abs(number);
  if (kind === "length") return size > 0 && size < 0.05 ? 3 : size < 1 ? 2 : size < 100 ? 1 : 0;
  if (kind === "distance") return number < 10 ? 2 : number < 100 ? 1 : 0;
  return 1;
}

/** Returns a number with a number of decimals, and without `-0`. */
export function fixed(value, decimals) {
  const text = value.toFixed(decimals);
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text.replace("-", "−");
}

/** Returns a duration such as `00:12:04`. */
export function elapsed(seconds) {
  const whole = Math.max(0, Math.floor(seconds)), days = Math.floor(whole / 86400);
  const clock = [Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60]
    .map((part) => String(part).padStart(2, "0")).join(":");
  return days ? `${days} d ${clock}` : clock;
}

/** Returns a direction in whole degrees, from 0 to below 360. */
export const bearing = (degrees) => `${Math.round(degrees) % 360}°`;

const POINTS = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE",
  "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];

/** Returns the compass point nearest to a course. */
export const compassPoint = (degrees) => POINTS[Math.round(degrees / 22.5) % 16];

/** Sets an element's text if it has changed. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Copies a text, which an element contains, and reports that on the button for a moment. */
export async function copyText(text, element, button) {
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without HTTPS there is no clipboard except on localhost: select the text instead.
    getSelection().selectAllChildren(element);
    isCopied = document.execCommand?.("copy") ?? false;
  }
  setText(button, isCopied ? "Copied" : "Selected");
  setTimeout(() => setText(button, "Copy"), 1500);
}

/** Creates an SVG element. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Creates an HTML element. */
export function html(name, className, ...children) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** Returns a longitude as the one nearest to another, which may be beyond the date line: 181° near 179°. */
export const nearby = (longitude, other) => longitude + 360 * Math.round((other - longitude) / 360);

/** Returns the lengths of a radian of longitude and of latitude at a place, in metres. */
function radians(origin) {
  const phi = origin.lat * Math.PI / 180;
  const s = Math.sin(phi), e2 = 0.00669437999014, w = 1 - e2 * s * s;
  return [6378137 / Math.sqrt(w) * Math.cos(phi), 6378137 * (1 - e2) / (w * Math.sqrt(w))];
}

/** Returns the offset from a nearby origin in metres east and north. */
export function plane(latitude, longitude, origin) {
  const [parallel, meridian] = radians(origin);
  let east = longitude - origin.lon;
  if (east > 180) east -= 360; else if (east < -180) east += 360;
  return [east * Math.PI / 180 * parallel, (latitude - origin.lat) * Math.PI / 180 * meridian];
}

/** Returns the place at an offset from a nearby origin in metres east and north. */
export function unplane([east, north], origin) {
  const [parallel, meridian] = radians(origin);
  const lon = origin.lon + east / parallel * 180 / Math.PI;
  return { lat: origin.lat + north / meridian * 180 / Math.PI, lon: (lon + 540) % 360 - 180 };
}
