// SPDX-License-Identifier: MIT
// The receiver's own reports of its signals and its errors, for chips that send them.

import { text, html, setText } from "./figures.js";

/** Returns titles and texts of the values that a TPV object has. */
export function reports(tpv) {
  const { protectionLevelHorizontal: horizontal, protectionLevelVertical: vertical } = tpv;
  const deviation = (axes) => text("length", Math.sqrt(tpv[`covariance${axes}`]));
  return [
    ...tpv.gpsbridge?.reports ?? [],
    ["Deviation", tpv.covarianceNN == null ? null
      : `N ${deviation("NN")}  E ${deviation("EE")}  U ${deviation("DD")}`],
    ["Protection", horizontal == null ? null
      : `${text("length", horizontal)}, height ${text("length", vertical)}`],
  ].filter(([, value]) => value != null);
}

/** Shows the reports in a list of terms, and hides the list if there are none. */
export function drawReports(list, tpv) {
  drawRows(list, reports(tpv));
}

/** Shows titles and texts in a list of terms, and hides the list if there are none. */
export function drawRows(list, rows) {
  list.hidden = rows.length === 0;
  while (list.children.length > rows.length) list.lastChild.remove();
  while (list.children.length < rows.length) {
    const row = html("div");
    row.append(html("dt"), html("dd"));
    list.append(row);
  }
  rows.forEach(([title, value], index) => {
    const [term, detail] = list.children[index].children;
    setText(term, title);
    setText(detail, value);
  });
}
