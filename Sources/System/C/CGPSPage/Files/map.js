// SPDX-License-Identifier: MIT
// The map: the track of the last hour and the accuracy of the fix, over the built-in outline of the land or
// over tiles.

import { fixed, html, nearby } from "./figures.js";

/** The minimum interval between drawings of the track, in milliseconds. */
const PAUSE = 1000;
/** The minimum interval between drawings of the positions, in milliseconds. */
const STEP = 180;
const COLORS = ["--accent", "--R", "--G", "--S", "--C", "--J", "--I"];

const color = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const landColors = () => ({ color: color("--shore"), fillColor: color("--land") });

/** Loads a script or a style sheet; the page's style sheet stays after it. */
function load(element) {
  return new Promise((resolve, reject) => {
    element.addEventListener("load", resolve);
    element.addEventListener("error", reject);
    document.head.prepend(element);
  });
}

/** Returns the polygons of land.bin, whose format is described in scripts/generate/pack-land. */
function unpackLand(buffer) {
  const bytes = new Uint8Array(buffer);
  let place = 0;
  const integer = () => {
    let value = 0, shift = 0, byte;
    do {
      byte = bytes[place++];
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte & 128);
    return value;
  };
  const difference = () => {
    const value = integer();
    return value & 1 ? -((value + 1) >> 1) : value >> 1;
  };
  const polygons = [];
  while (place < bytes.length) {
    const polygon = [];
    for (let rings = integer(); rings > 0; rings--) {
      const ring = [];
      let longitude = 0, latitude = 0;
      for (let points = integer(); points > 0; points--) {
        longitude += difference();
        latitude += difference();
        ring.push([latitude / 100, longitude / 100]);
      }
      polygon.push(ring);
    }
    polygons.push(polygon);
  }
  return polygons;
}

export class MapPanel {
  static async create(tiles, tileZoom) {
    const [land] = await Promise.all([
      tiles ? null : fetch("land.bin").then((answer) => answer.arrayBuffer()),
      load(Object.assign(document.createElement("script"), { src: "leaflet.js" })),
      load(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "leaflet.css" })),
    ]);
    return new MapPanel(tiles, tileZoom ?? 19, land && unpackLand(land));
  }

  constructor(tiles, tileZoom, land) {
    document.getElementById("map-note").hidden = Boolean(tiles);
    const { L } = window;
    this.map = L.map("map", { zoomControl: true, worldCopyJump: true, minZoom: 1, maxZoom: 21,
      zoomSnap: 0.5, attributionControl: true });
    this.map.attributionControl.setPrefix('<a href="https://leafletjs.com">Leaflet</a>');
    L.control.scale({ imperial: false, maxWidth: 120 }).addTo(this.map);
    this.map.setView([25, 10], 1.5);
    if (tiles) {
      L.tileLayer(tiles, { maxZoom: 21, maxNativeZoom: tileZoom,
        attribution: tiles.includes("openstreetmap.org") ? "© OpenStreetMap" : "" }).addTo(this.map);
    } else {
      // Below the tracks: these fade when they are not current, the land does not.
      this.map.createPane("ground").style.zIndex = 300;
      this.outline = land;
      this.landRenderer = L.canvas({ padding: 0.3, pane: "ground" });
      /** The land by the degrees that it is moved to the east. */
      this.lands = new Map();
      this.#drawLand();
      this.gridRenderer = L.svg({ padding: 0.4, pane: "ground" });
      this.map.attributionControl.addAttribution("Land: Natural Earth");
      this.grid = L.layerGroup().addTo(this.map);
      this.map.on("moveend", () => {
        this.#drawLand();
        this.#drawGrid();
      });
    }
    this.renderer = L.svg({ padding: 0.4 });
    this.marks = [];
    this.isFollowing = true;
    this.follow = document.getElementById("follow");
    this.follow.addEventListener("click", () => this.#setFollowing(!this.isFollowing));
    this.map.on("dragstart", () => this.#setFollowing(false));
    this.map.getContainer().addEventListener("keydown", (event) => {
      if (event.key.startsWith("Arrow")) this.#setFollowing(false);
    });
    new ResizeObserver(() => this.map.invalidateSize({ animate: false }))
      .observe(this.map.getContainer());
    this.restyle();
  }

  #setFollowing(isFollowing) {
    this.isFollowing = isFollowing;
    this.follow.setAttribute("aria-pressed", String(isFollowing));
    if (isFollowing && this.shown) this.#center(this.marks[this.shown.index], true);
  }

  restyle() {
    for (const land of this.lands?.values() ?? []) land.setStyle(landColors());
    for (const mark of this.marks) mark.restyle();
    if (this.grid) this.#drawGrid();
  }

  /** Replaces the receivers on the map. */
  reset(receivers) {
    for (const mark of this.marks) mark.remove();
    this.marks = receivers.map((receiver) =>
      new Mark(receiver, this.map, this.renderer, receivers.length > 1));
  }

  select(receiver) {
    const isOther = this.shown && receiver?.index !== this.shown.index;
    this.shown = receiver;
    if (isOther) { this.hasView = false; this.#setFollowing(true); }
  }

  /** Records that a receiver has a new fix. */
  note(receiver) {
    const mark = this.marks[receiver.index];
    if (mark) mark.isDirty = true;
  }

  draw(receivers, shown) {
    if (!this.map.getSize().x) return;
    for (const mark of this.marks) mark.draw();
    const mark = this.marks[shown.index];
    if (!mark?.place) return;
    if (!this.hasView) {
      this.hasView = true;
      const bounds = mark.line.getBounds();
      const isWide = bounds.isValid() && bounds.getNorthEast().distanceTo(bounds.getSouthWest()) > 100;
      if (isWide) this.map.fitBounds(bounds, { padding: [30, 30], maxZoom: 17, animate: false });
      else this.map.setView(mark.place, 17, { animate: false });
    }
    if (this.isFollowing) this.#center(mark, false);
  }

  /** Keeps the receiver in the middle part of the map, without moving the map for every fix. */
  #center(mark, isForced) {
    if (!mark?.place) return;
    const size = this.map.getSize(), point = this.map.latLngToContainerPoint(mark.place);
    const isInside = Math.abs(point.x - size.x / 2) < size.x * 0.3
      && Math.abs(point.y - size.y / 2) < size.y * 0.3;
    if (isForced || !isInside) this.map.panTo(mark.place, { animate: false });
  }

  /** Draws the land, also beyond the date line if the map shows that. */
  #drawLand() {
    const { L } = window, bounds = this.map.getBounds().pad(0.3);
    for (const turn of [-360, 0, 360]) {
      const isShown = bounds.getWest() < turn + 180 && bounds.getEast() > turn - 180;
      if (isShown && !this.lands.has(turn)) {
        const moved = this.outline.map((polygon) => polygon.map((ring) =>
          ring.map(([latitude, longitude]) => [latitude, longitude + turn])));
        this.lands.set(turn, L.polygon(moved, { renderer: this.landRenderer, interactive: false,
          weight: 1, smoothFactor: 0.7, fillOpacity: 1, ...landColors() }));
      }
      const land = this.lands.get(turn);
      if (isShown) land.addTo(this.map); else land?.remove();
    }
  }

  // MARK: Grid

  /** Draws parallels and meridians about a hundred pixels apart, with their degrees. */
  #drawGrid() {
    const { L } = window, bounds = this.map.getBounds();
    this.grid.clearLayers();
    const steps = [30, 20, 10, 5, 2, 1, 30 / 60, 20 / 60, 10 / 60, 5 / 60, 2 / 60, 1 / 60,
      30 / 3600, 20 / 3600, 10 / 3600, 5 / 3600, 2 / 3600, 1 / 3600, 0.5 / 3600, 0.2 / 3600,
      0.1 / 3600];
    const wish = (bounds.getEast() - bounds.getWest()) / Math.max(2, this.map.getSize().x / 150);
    const step = steps.find((one) => one <= wish) ?? steps.at(-1);
    const style = { color: color("--shore"), weight: 1, opacity: 0.55, interactive: false,
      renderer: this.gridRenderer };
    const label = (place, words, kind) => L.marker(place, { interactive: false, keyboard: false,
      icon: L.divIcon({ className: `grid-label ${kind}`, html: html("span", "", words),
        iconSize: null, iconAnchor: [0, 0] }) }).addTo(this.grid);
    const south = Math.max(-84, bounds.getSouth()), north = Math.min(84, bounds.getNorth());
    const west = Math.max(-540, bounds.getWest()), east = Math.min(540, bounds.getEast());
    let count = 0;
    for (let at = Math.ceil(south / step); at * step < north && count++ < 60; at++) {
      L.polyline([[at * step, west], [at * step, east]], style).addTo(this.grid);
      if (this.map.latLngToContainerPoint([at * step, west]).y < this.map.getSize().y - 40) {
        label([at * step, east], angle(at * step, "NS", step), "row");
      }
    }
    count = 0;
    for (let at = Math.ceil(west / step); at * step < east && count++ < 60; at++) {
      L.polyline([[south, at * step], [north, at * step]], style).addTo(this.grid);
      const longitude = ((at * step + 540) % 360 + 360) % 360 - 180;
      if (this.map.latLngToContainerPoint([north, at * step]).x > 90) {
        label([north, at * step], angle(longitude, "EW", step), "column");
      }
    }
  }
}

/** Returns the label of a grid line, with minutes and seconds if the step needs them. */
function angle(degrees, signs, step) {
  const sign = Math.abs(degrees) < 1e-9 ? "" : signs[degrees < 0 ? 1 : 0];
  const tenths = Math.round(Math.abs(degrees) * 36000);
  let text = `${Math.floor(tenths / 36000)}°`;
  if (step < 1) text += `${String(Math.floor(tenths / 600) % 60).padStart(2, "0")}′`;
  if (step < 1 / 60) {
    text += step < 1 / 3600 ? `${fixed(tenths % 600 / 10, 1)}″` : `${Math.floor(tenths / 10) % 60}″`;
  }
  return text + sign;
}

/** A receiver on the map: its track, its accuracy and its position. */
class Mark {
  constructor(receiver, map, renderer, isNamed) {
    const { L } = window;
    this.receiver = receiver;
    this.map = map;
    this.isDirty = true;
    this.drawnAt = -Infinity;
    this.colorName = COLORS[receiver.index % COLORS.length];
    this.line = L.polyline([], { renderer, weight: 3, opacity: 0.85, interactive: false,
      smoothFactor: 1 });
    this.circle = L.circle([0, 0], { renderer, radius: 1, weight: 1, fillOpacity: 0.14,
      interactive: false });
    this.ring = L.circle([0, 0], { renderer, radius: 1, weight: 2, fill: false, interactive: false });
    this.way = L.polyline([], { renderer, weight: 2, dashArray: "6 6", interactive: false });
    this.dot = L.circleMarker([0, 0], { renderer, radius: 7, weight: 2.5, fillOpacity: 1,
      interactive: isNamed });
    if (isNamed) {
      this.dot.bindTooltip(html("span", "", receiver.title), {
        permanent: true, direction: "right", offset: [8, 0], className: "here-name" });
    }
    this.restyle();
  }

  restyle() {
    const own = color(this.colorName);
    this.line.setStyle({ color: own });
    this.circle.setStyle({ color: own, fillColor: own });
    this.way.setStyle({ color: own });
    this.#restyleRing();
    this.dot.setStyle({ color: color("--card"), fillColor: own });
  }

  draw() {
    const { receiver } = this, now = performance.now();
    if (!this.isDirty || !receiver.position || now - this.placedAt < STEP) return;
    this.placedAt = now;
    const { lat, lon, gpsbridge } = receiver.position;
    const isFirst = !this.place;
    this.place = [lat, lon];
    this.dot.setLatLng(this.place);
    this.circle.setLatLng(this.place).setRadius(Math.max(0.01, gpsbridge?.accuracy ?? 0.01));
    this.isDirty = now - this.drawnAt < PAUSE;
    if (!this.isDirty) {
      this.drawnAt = now;
      this.line.setLatLngs(segments(receiver.history));
    }
    if (isFirst) for (const layer of [this.line, this.circle, this.dot]) layer.addTo(this.map);
    this.#drawNavigation();
  }

  /** Draws the circle of the anchor watch, and the line to the waypoint. */
  #drawNavigation() {
    const { anchor, waypoint } = this.receiver, here = this.place[1];
    if (anchor?.latitude != null) {
      this.ring.setLatLng([anchor.latitude, nearby(anchor.longitude, here)]).setRadius(anchor.radius)
        .addTo(this.map);
      this.#restyleRing();
    } else { this.ring.remove(); }
    if (waypoint) {
      const end = [waypoint.latitude, nearby(waypoint.longitude, here)];
      this.way.setLatLngs([this.place, end]).addTo(this.map);
    } else { this.way.remove(); }
  }

  #restyleRing() {
    const isAlarm = ["drag", "lost"].includes(this.receiver.anchor?.state);
    this.ring.setStyle({ color: color(isAlarm ? "--poor" : "--good") });
  }

  remove() {
    for (const layer of [this.line, this.circle, this.dot, this.ring, this.way]) layer.remove();
  }
}

/** Returns the track as segments without gaps, newest first. It ends at the last position, and goes on
    across the date line. */
export function segments(history) {
  const all = [], start = history.length ? history.start : 0;
  let segment = null, longitude = history.lon[history.length - 1];
  for (let index = history.length - 1; index >= start; index--) {
    if (!segment) all.push(segment = []);
    longitude = nearby(history.lon[index], longitude);
    segment.push([history.lat[index], longitude]);
    if (history.breaks.has(index)) segment = null;
  }
  return all;
}
