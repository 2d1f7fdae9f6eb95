// SPDX-License-Identifier: MIT
// Connects the server's events with the panels: changed panels are drawn with the next frame, if they are
// visible. The fix is drawn first; the modules for the other panels are loaded afterwards.

import { Live } from "./live.js";
import { getUnits, setUnits, setText, html, elapsed } from "./figures.js";
import { StatusPanel, headline } from "./status.js";

const $ = (id) => document.getElementById(id);

const panels = [];
let sentences = null, map = null;

/** Adds a panel that is drawn after changes of some kinds, with a minimum interval in milliseconds. */
function add(panel, on, every) {
  const one = { panel, on, every, isDirty: true, isSeen: true, drawnAt: -Infinity };
  panels.push(one);
  if (!panel.element) return;
  new IntersectionObserver(([entry]) => {
    one.isSeen = entry.isIntersecting;
    if (one.isSeen) schedule();
  }).observe(panel.element);
}

add(new StatusPanel(), ["TPV", "SKY", "DEVICE", "tick"], 180);

async function loadPanels() {
  if (sentences) return;
  const [{ SkyPanel }, { SignalsPanel }, { SatellitesPanel }, { ChartsPanel }, { MotionPanel },
    { SentencesPanel }, { NavigationPanel }] = await Promise.all([import("./sky.js"),
    import("./signals.js"), import("./satellites.js"), import("./charts.js"),
    import("./scatter.js"), import("./sentences.js"), import("./navigation.js")]);
  sentences = new SentencesPanel();
  sentences.follow(selected, selectedName);
  add(new NavigationPanel(), ["TPV", "DEVICE", "tick"], 180);
  add(new SkyPanel(), ["SKY", "DEVICE"], 900);
  add(new SignalsPanel(), ["SKY", "DEVICE"], 900);
  add(new SatellitesPanel(), ["SKY", "DEVICE"], 900);
  add(new ChartsPanel(), ["TPV", "SKY"], 980);
  add(new MotionPanel(), ["TPV"], 480);
  schedule();
}

async function loadMap() {
  if (map) return;
  const { MapPanel } = await import("./map.js");
  map = await MapPanel.create(live.tiles, live.tileZoom);
  map.reset(live.receivers);
  map.select(shown());
  schedule();
}

/** Loads the modules of the other panels; retries later if the connection was lost meanwhile. */
async function loadRest() {
  if (loadRest.isRunning || live.state !== "open") return;
  loadRest.isRunning = true;
  try {
    await loadPanels();
    await loadMap();
  } catch {
    loadRest.isRunning = false;
  }
}

// MARK: The selected receiver

let selected = 0, selectedName;
const shown = () => live.receivers[selected] ?? live.receivers[0];

function select(index) {
  selected = index;
  selectedName = shown()?.name;
  drawTabs();
  sentences?.follow(index, selectedName);
  map?.select(shown());
  $("sheet").href = `api/sheet.svg?receiver=${index}`;
  for (const link of document.querySelectorAll("#downloads a[data-format]")) {
    link.href = `api/fixes?format=${link.dataset.format}&receiver=${index}&download`;
  }
  touch();
}

function drawTabs() {
  const tabs = $("tabs"), receivers = live.receivers;
  tabs.hidden = receivers.length < 2;
  if (tabs.hidden) return tabs.replaceChildren();
  if (tabs.children.length !== receivers.length) {
    tabs.replaceChildren(...receivers.map((receiver, index) => {
      const tab = html("button", "", html("span", "dot"), html("span", "name"));
      tab.type = "button";
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", "main");
      tab.addEventListener("click", () => select(index));
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        select((index + step + receivers.length) % receivers.length);
        tabs.children[selected].focus();
      });
      return tab;
    }));
  }
  receivers.forEach((receiver, index) => {
    const tab = tabs.children[index];
    const { level, title } = headline(receiver);
    tab.setAttribute("aria-selected", String(index === selected));
    tab.tabIndex = index === selected ? 0 : -1;
    tab.title = title;
    tab.firstChild.dataset.level = level;
    setText(tab.lastChild, receiver.title);
  });
}

function drawMark(receiver) {
  const words = [];
  if (receiver?.isSimulated) words.push("SIMULATED");
  if (receiver?.origin === "replay") words.push("REPLAY");
  // The origin only matters with a position.
  if (receiver?.origin === "unknown" && receiver.hasFix) words.push("ORIGIN UNKNOWN");
  const mark = $("mark");
  mark.hidden = words.length === 0;
  mark.dataset.kind = receiver?.isSimulated ? "simulated" : "replay";
  setText(mark, words.join(" · "));
}

function drawBanner(receiver) {
  let { level, title, details } = receiver ? headline(receiver)
    : { level: "poor", title: "No receiver", details: "the server reads no receiver" };
  if (live.state === "lost") {
    level = "poor";
    title = "Connection lost";
    details = `for ${elapsed((performance.now() - live.lostAt) / 1000)}, trying again`;
  } else if (live.state === "connecting") {
    level = "wait";
    title = "Connecting…";
    details = "";
  }
  $("banner").dataset.level = level;
  setText($("headline"), title);
  setText($("subline"), details || "\u00a0");
  $("main").classList.toggle("past", live.state !== "open" || !receiver || receiver.isPast);
  document.title = receiver ? `${title} – gpsbridge` : "gpsbridge";
}

// MARK: Frames

let isScheduled = false, isUsable = false;

function schedule() {
  if (isScheduled || document.hidden) return;
  isScheduled = true;
  requestAnimationFrame(draw);
}

/** Marks the panels for a kind of change as changed; all panels without a kind. */
function touch(kind) {
  for (const one of panels) if (!kind || one.on.includes(kind)) one.isDirty = true;
  schedule();
}

function draw(now) {
  isScheduled = false;
  const receiver = shown();
  drawMark(receiver);
  drawBanner(receiver);
  if (!receiver) return;
  let wait = Infinity;
  for (const one of panels) {
    if (!one.isDirty || !one.isSeen) continue;
    const rest = one.drawnAt + (one.every ?? 0) - now;
    if (rest > 0) { wait = Math.min(wait, rest); continue; }
    one.isDirty = false;
    one.drawnAt = now;
    one.panel.draw(receiver);
  }
  map?.draw(live.receivers, receiver);
  if (!isUsable && receiver.position) performance.mark("usable", { detail: isUsable = true });
  if (wait < Infinity) setTimeout(schedule, wait);
  loadRest();
}

/** Returns the number of the selected receiver, which changes if another one is removed. */
function selection() {
  const isSelected = (one) => one?.name === selectedName;
  return isSelected(live.receivers[selected]) ? selected : Math.max(0, live.receivers.findIndex(isSelected));
}

const live = new Live((change) => {
  switch (change.kind) {
    case "state":
      setText($("version"), `gpsbridge ${live.version}`);
      for (const one of panels) one.drawnAt = -Infinity;
      map?.reset(live.receivers);
      select(selection());
      break;
    case "connection": return touch("tick");
    case "DEVICE":
      for (const one of panels) one.drawnAt = -Infinity;
      drawTabs();
      map?.note(change.receiver);
      break;
    case "TPV": map?.note(change.receiver); break;
  }
  if (!change.receiver || change.receiver === shown()) touch(change.receiver ? change.kind : null);
});

// Ages change without any event.
setInterval(() => {
  if (live.receivers.length > 1) drawTabs();
  touch("tick");
}, 500);

$("units").value = getUnits();
$("units").addEventListener("change", (event) => {
  setUnits(event.target.value);
  for (const one of panels) one.drawnAt = -Infinity;
  touch();
});
document.addEventListener("themechange", () => {
  for (const one of panels) one.drawnAt = -Infinity;
  map?.restyle();
  touch();
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) touch(); });
new ResizeObserver(() => touch()).observe($("main"));
document.addEventListener("click", (event) => {
  const menu = $("downloads");
  if (menu.open && !menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") $("downloads").open = false;
});

// For tests.
window.gpsbridge = { live, shown };
