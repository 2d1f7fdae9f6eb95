// SPDX-License-Identifier: MIT
// Brings the connection and the panels together: what has changed is drawn with the next frame, and
// only where it is seen.

import { Live } from "./live.js";
import { getUnits, setUnits, setText, html, elapsed } from "./figures.js";
import { StatusPanel, headline } from "./status.js";
import { SkyPanel } from "./sky.js";
import { SignalsPanel } from "./signals.js";
import { ChartsPanel } from "./charts.js";
import { MotionPanel } from "./scatter.js";
import { SentencesPanel } from "./sentences.js";

const $ = (id) => document.getElementById(id);

const panels = [
  { panel: new StatusPanel(), on: ["TPV", "SKY", "DEVICE", "tick"], every: 180 },
  { panel: new SkyPanel(), on: ["SKY", "DEVICE"], every: 900 },
  { panel: new SignalsPanel(), on: ["SKY", "DEVICE"], every: 900 },
  { panel: new ChartsPanel(), on: ["TPV", "SKY"], every: 980 },
  { panel: new MotionPanel(), on: ["TPV"], every: 480 },
];
const sentences = new SentencesPanel();
let map = null;

for (const one of panels) {
  one.isDirty = true;
  one.isSeen = true;
  one.drawnAt = -Infinity;
  if (!one.panel.element) continue;
  new IntersectionObserver(([entry]) => {
    one.isSeen = entry.isIntersecting;
    if (one.isSeen) schedule();
  }).observe(one.panel.element);
}

// MARK: The receiver that is shown

let selected = 0;
const shown = () => live.receivers[selected] ?? live.receivers[0];

function select(index) {
  selected = index;
  drawTabs();
  sentences.follow(index);
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
  const mark = $("mark");
  mark.hidden = words.length === 0;
  mark.dataset.kind = receiver?.isSimulated ? "simulated" : "replay";
  setText(mark, words.join(" · "));
}

function drawBanner(receiver) {
  let { level, title, details } = receiver
    ? headline(receiver) : { level: "wait", title: "Connecting…", details: "" };
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

/** Marks panels as changed; all without a kind. */
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
}

const live = new Live((change) => {
  switch (change.kind) {
    case "state":
      if (!live.receivers[selected]) selected = 0;
      setText($("version"), `gpsbridge ${live.version}`);
      for (const one of panels) one.drawnAt = -Infinity;
      map?.reset(live.receivers);
      select(selected);
      loadMap();
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

async function loadMap() {
  if (loadMap.started) return;
  loadMap.started = true;
  try {
    const { MapPanel } = await import("./map.js");
    map = await MapPanel.create(live.tiles, live.tileZoom);
  } catch {
    // The connection was lost meanwhile: again with the next state.
    loadMap.started = false;
    return;
  }
  map.reset(live.receivers);
  map.select(shown());
  schedule();
}

// Ages go on although nothing comes.
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
