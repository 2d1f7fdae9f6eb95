// SPDX-License-Identifier: MIT
// The connection to the server, and the state of each receiver.

/** Milliseconds without an event after which the connection counts as lost; the server sends one every
    half second. */
const SILENCE = 1600;
/** Milliseconds without an event before reconnecting. The limit doubles each time, up to a minute, so that a
    slow server has time to answer. */
const RECONNECT_AFTER = 5000;
/** The length of the history in seconds, with one fix per second. */
const HOUR = 3600;
/** Milliseconds between the directions of satellites in the server's state. */
const TRAIL_STEP = 120000;

/** The fixes of the last hour, at most one per second, in a fixed amount of memory. */
export class History {
  static columns = ["seconds", "lat", "lon", "alt", "speed", "accuracy", "hdop", "cn0",
    "used"];

  constructor() { this.clear(); }

  clear() {
    this.length = 0;
    this.breaks = new Set();
    /** Counts changes other than appended fixes. */
    this.version = (this.version ?? 0) + 1;
    for (const name of History.columns) this[name] ??= new Float64Array(2 * HOUR + 64);
  }

  fill(object) {
    this.clear();
    this.length = object.seconds.length;
    for (const name of History.columns) {
      object[name]?.forEach((value, index) => { this[name][index] = value ?? NaN; });
    }
    for (let index = 0; index < this.length; index++) this.seconds[index] += object.start ?? 0;
    this.breaks = new Set(object.breaks);
  }

  /** Adds a fix; returns false if the last one is less than a second old. A step back of up to a second is a
      difference of clocks or of rounding; a larger one begins the history again. */
  add(values, isBreak) {
    const last = this.length ? this.seconds[this.length - 1] : -Infinity;
    const step = values.seconds - last;
    if (step < -1 || step > HOUR) this.clear();
    else if (step < 0 || step < 0.95 && !isBreak) return false;
    if (this.length === this.seconds.length || this.length > 2 * HOUR) this.#forget();
    for (const name of History.columns) this[name][this.length] = values[name] ?? NaN;
    if (isBreak) this.breaks.add(this.length);
    this.length += 1;
    return true;
  }

  /** The index of the first fix that is at most an hour old. */
  get start() {
    const oldest = this.seconds[this.length - 1] - HOUR;
    let low = 0, high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.seconds[middle] < oldest) low = middle + 1; else high = middle;
    }
    return low;
  }

  #forget() {
    const start = Math.max(this.start, this.length - HOUR);
    for (const name of History.columns) this[name].copyWithin(0, start, this.length);
    this.breaks = new Set([...this.breaks].map((index) => index - start).filter((i) => i >= 0));
    this.length -= start;
    this.version += 1;
  }
}

/** The members of a TPV that instruments send. */
const INSTRUMENTS = ["depth", "depthOffset", "wtemp", "wangler", "wspeedr", "trueWindAngle", "wanglet", "wanglem",
  "wspeedt", "waterSpeed", "log", "tripLog", "rudder", "engineSpeed", "portEngineSpeed"];

/** A receiver. */
export class Receiver {
  /** `time` is the server's time in seconds of Unix time. */
  constructor(object, time = Date.now() / 1000) {
    this.index = object.receiver;
    this.history = new History();
    /** Seconds by which the server's clock is ahead of the browser's. */
    this.lead = time - Date.now() / 1000;
    this.readings = {};
    /** Directions of each satellite in the last hour: azimuth, elevation and time. */
    this.trails = new Map();
    this.update(object);
    this.tpv = null;
    this.sky = null;
    /** Seconds between fixes; null if unknown. */
    this.period = this.state === "open" ? object.period ?? null : null;
    this.fixAt = null;
    this.isBroken = true;
    this.cn0 = NaN;
    if (object.history) this.history.fill(object.history);
    if (this.history.length) this.isBroken = false;
    const now = performance.now();
    for (const [id, trail] of Object.entries(object.trails ?? {})) {
      this.trails.set(id, trail.map((spot, index) => [...spot, now - (trail.length - index) * TRAIL_STEP]));
    }
    if (object.sky) this.takeSky(object.sky);
    if (object.tpv) this.takeFix(object.tpv, performance.now() - (object.age ?? 0) * 1000);
    else if (object.age != null) this.fixAt = performance.now() - object.age * 1000;
  }

  update(object) {
    this.name = object.name;
    this.device = object.device;
    this.origin = object.origin;
    this.state = object.state;
    this.since = object.since;
    this.reason = object.reason ?? null;
    /** Another program that also reads the tty. */
    this.sharing = object.sharing ?? null;
    /** The datum of the positions, if it is not WGS 84. */
    this.datum = object.datum ?? null;
    /** Seconds from opening the receiver to its first fix. */
    this.firstFix = object.firstFix ?? null;
    this.#takeNavigation(object);
    if (this.state !== "open") {
      this.isBroken = true;
      this.period = this.former = null;
      this.sky = null;
    }
  }

  /** The name without folders. */
  get title() { return this.name.startsWith("/") ? this.name.split("/").at(-1) : this.name; }

  get isSimulated() { return this.origin === "simulated" || Boolean(this.hasSimulated); }

  get hasFix() { return this.tpv != null && this.tpv.mode > 1 && this.tpv.lat != null; }

  /** Seconds since the last fix with a position. */
  get age() { return this.fixAt == null ? null : (performance.now() - this.fixAt) / 1000; }

  /** Whether the last fix is older than the rate explains. */
  get isOld() { return this.age != null && this.age > Math.max(3, 3 * (this.period ?? 1)); }

  /** Whether the values shown are not current. */
  get isPast() { return this.state !== "open" || !this.hasFix || this.isOld; }

  takeFix(tpv, at = performance.now()) {
    if (this.tpv?.time && tpv.time) {
      this.#takeStep((Date.parse(tpv.time) - Date.parse(this.tpv.time)) / 1000);
    }
    this.tpv = tpv;
    this.#takeNavigation(tpv);
    this.#takeInstruments(tpv, at);
    if (!this.hasFix) { this.isBroken = true; return; }
    // Refers to the position shown, even if it is old.
    this.hasSimulated = tpv.status === 8;
    this.reason = null;
    this.fixAt = at;
    this.position = tpv;
    const extras = tpv.gpsbridge ?? {};
    // Without a date, the history has the times of arrival by the server's clock.
    const seconds = tpv.time ? Date.parse(tpv.time) / 1000
      : Date.now() / 1000 + this.lead - (performance.now() - at) / 1000;
    const isNew = this.history.add({
      seconds, lat: tpv.lat, lon: tpv.lon, alt: tpv.altMSL ?? tpv.altHAE, speed: tpv.speed,
      accuracy: extras.accuracy, hdop: extras.hdop, cn0: this.cn0,
      used: extras.used,
    }, this.isBroken);
    if (isNew) this.isBroken = false;
  }

  /** Keeps the last value of each instrument, which send more or less often than the receiver. */
  #takeInstruments(tpv, at) {
    for (const name of INSTRUMENTS) if (tpv[name] != null) this.readings[name] = { value: tpv[name], at };
    for (const name of tpv.invalid?.split(" ") ?? []) delete this.readings[name];
  }

  /** Takes the seconds between two epochs. A long one is the receiver's period if the one before was about
      as long; otherwise it is a gap. */
  #takeStep(step) {
    if (!(step > 0)) return;
    const former = this.former ?? 0;
    this.former = step;
    if (step >= 60 && Math.abs(step - former) > 0.25 * step) return;
    const isNear = this.period && Math.max(step, this.period) < 60;
    this.period = isNear ? this.period + (step - this.period) * 0.1 : Math.min(step, former || step);
  }

  /** Returns the value of an instrument of the last ten seconds. */
  reading(name) {
    const one = this.readings[name];
    return one && performance.now() - one.at < 10000 ? one.value : null;
  }

  /** Takes the anchor watch and the route, if the server was given either. */
  #takeNavigation(object) {
    this.anchor = object.anchor ? { state: object.anchor, ...membersOf(object, "anchor") } : null;
    this.waypoint = object.waypointNumber ? membersOf(object, "waypoint") : null;
  }

  takeSky(sky) {
    this.sky = sky;
    const used = (sky.satellites ?? []).filter((one) => one.used && one.ss != null);
    this.cn0 = used.length ? used.reduce((sum, one) => sum + one.ss, 0) / used.length : NaN;
    const now = performance.now();
    for (const one of sky.satellites ?? []) {
      if (one.az == null || one.el == null || one.el < 0) continue;
      const id = satelliteName(one), trail = this.trails.get(id) ?? [];
      // A satellite that rises again does not continue yesterday's path.
      while (trail.length && now - trail[0][2] > HOUR * 1000) trail.shift();
      const last = trail.at(-1), spot = [Math.round(one.az), Math.round(one.el), now];
      if (!last || Math.abs(last[1] - spot[1]) >= 1 || Math.abs(last[0] - spot[0]) >= 2) {
        trail.push(spot);
        if (trail.length > 60) trail.shift();
      }
      this.trails.set(id, trail);
    }
    if (this.trails.size > 200) this.trails.clear();
  }
}

const LETTERS = { 0: "G", 1: "S", 2: "E", 3: "C", 5: "J", 6: "R", 7: "I" };

/** Returns an object's members whose names begin with a word, without it: `anchorRadius` as `radius`. */
function membersOf(object, word) {
  const names = Object.keys(object).filter((name) => name.startsWith(word) && name !== word);
  return Object.fromEntries(names.map((name) =>
    [name[word.length].toLowerCase() + name.slice(word.length + 1), object[name]]));
}

/** Returns the id of a satellite in gpsd's format, such as `G05`. */
export function satelliteName(one) {
  return (LETTERS[one.gnssid] ?? "?") + String(one.svid).padStart(2, "0");
}

/** The connection to the server; calls `onChange` with each change. */
export class Live {
  constructor(onChange) {
    this.receivers = [];
    this.onChange = onChange;
    this.state = "connecting";
    this.lostAt = null;
    this.patience = RECONNECT_AFTER;
    this.counts = { events: 0, states: 0 };
    this.#connect();
    setInterval(() => this.#watch(), 200);
    // A hidden page disconnects, since browsers limit the number of connections.
    document.addEventListener("visibilitychange", () => {
      clearTimeout(this.rest);
      if (document.hidden) this.rest = setTimeout(() => this.#disconnect(), 10000);
      else if (!this.source) this.#connect();
    });
  }

  #connect() {
    this.source?.close();
    // theme.js connected before this module was loaded.
    const { source, events } = window.early ?? { source: new EventSource("events"), events: [] };
    window.early = null;
    this.source = source;
    this.silence = 0;
    this.watchedAt = performance.now();
    const take = (event) => {
      if (source !== this.source) return;
      this.#hear();
      if (event.type === "state") this.#begin(JSON.parse(event.data));
      else if (event.type === "message") this.#take(JSON.parse(event.data));
    };
    for (const name of ["state", "message", "alive"]) source.addEventListener(name, take);
    source.addEventListener("error", () => this.#lose());
    queueMicrotask(() => events.forEach(take));
  }

  /** Replaces all receivers by the server's state. */
  #begin(state) {
    this.counts.states += 1;
    this.version = state.version;
    this.tiles = state.tiles;
    this.tileZoom = state.tileZoom;
    this.receivers = state.receivers.map((object) => new Receiver(object, state.time));
    this.onChange({ kind: "state" });
  }

  #disconnect() {
    this.source?.close();
    this.source = null;
  }

  #hear() {
    this.silence = 0;
    this.patience = RECONNECT_AFTER;
    if (this.state === "open") return;
    this.state = "open";
    this.lostAt = null;
    this.onChange({ kind: "connection" });
  }

  #lose() {
    if (this.state !== "open") return;
    this.state = "lost";
    this.lostAt = performance.now();
    this.onChange({ kind: "connection" });
  }

  /** Reconnects if the connection is silent, or the browser has closed it. */
  #watch() {
    if (!this.source) return;
    const now = performance.now();
    // A page that was suspended has not handled the events of that time yet.
    this.silence += Math.min(now - this.watchedAt, 400);
    this.watchedAt = now;
    if (this.silence > SILENCE) this.#lose();
    const isClosed = this.source.readyState === EventSource.CLOSED;
    if (this.silence <= (isClosed ? 1000 : this.patience)) return;
    if (!isClosed) this.patience = Math.min(2 * this.patience, 60000);
    this.#connect();
  }

  #take(object) {
    this.counts.events += 1;
    const device = object.class === "DEVICE" ? object.path : object.device;
    const index = object.gpsbridge?.receiver;
    const receiver = index == null
      ? this.receivers.find((one) => one.device === device) : this.receivers[index];
    if (!receiver) return;
    switch (object.class) {
      case "TPV": receiver.takeFix(object); break;
      case "SKY": receiver.takeSky(object); break;
      case "DEVICE": receiver.update(object.gpsbridge); break;
      default: return;
    }
    this.onChange({ kind: object.class, receiver });
  }
}
