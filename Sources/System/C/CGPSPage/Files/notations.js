// SPDX-License-Identifier: MIT
// The notations of positions, as on the full screen of `gpsbridge monitor`.

const A = 6378137, F = 1 / 298.257223563, E = Math.sqrt(F * (2 - F)), N = F / (2 - F);

/** Returns a position as two lines, or as one. */
export function lines(notation, latitude, longitude) {
  switch (notation) {
    case "minutes": return [minutes(latitude, "NS"), minutes(longitude, "EW")];
    case "sexagesimal": return [sexagesimal(latitude, "NS"), sexagesimal(longitude, "EW")];
    case "utm": return [utmText(latitude, longitude)];
    case "mgrs": return [mgrs(latitude, longitude)];
    case "maidenhead": return [maidenhead(latitude, longitude)];
    default: return [decimal(latitude, "NS"), decimal(longitude, "EW")];
  }
}

const pad = (value, width) => String(value).padStart(width, "0");

/** Returns `48.1173000° N`: seven decimals, a resolution of 1 cm. */
function decimal(degrees, signs) {
  return `${Math.abs(degrees).toFixed(7)}° ${signs[degrees < 0 ? 1 : 0]}`;
}

/** Returns `48° 12.345′ N`, as on charts. Rounded once, so that there are never 60 minutes. */
function minutes(degrees, signs) {
  const all = Math.round(Math.abs(degrees) * 60000);
  return `${Math.floor(all / 60000)}° ${pad(Math.floor(all / 1000) % 60, 2)}.${pad(all % 1000, 3)}′ `
    + signs[degrees < 0 ? 1 : 0];
}

/** Returns `48°07′02.280″ N`. */
function sexagesimal(degrees, signs) {
  const all = Math.round(Math.abs(degrees) * 3600000), seconds = Math.floor(all / 1000);
  return `${Math.floor(seconds / 3600)}°${pad(Math.floor(seconds / 60) % 60, 2)}′`
    + `${pad(seconds % 60, 2)}.${pad(all % 1000, 3)}″ ${signs[degrees < 0 ? 1 : 0]}`;
}

// Krüger's series to the sixth order in the third flattening: Karney, Transverse Mercator with an
// accuracy of a few nanometers (2011), equation 35.
const powers = (...terms) => terms.reduce((sum, [c, k]) => sum + c * N ** k, 0);
const SERIES = [
  powers([1 / 2, 1], [-2 / 3, 2], [5 / 16, 3], [41 / 180, 4], [-127 / 288, 5], [7891 / 37800, 6]),
  powers([13 / 48, 2], [-3 / 5, 3], [557 / 1440, 4], [281 / 630, 5], [-1983433 / 1935360, 6]),
  powers([61 / 240, 3], [-103 / 140, 4], [15061 / 26880, 5], [167603 / 181440, 6]),
  powers([49561 / 161280, 4], [-179 / 168, 5], [6601661 / 7257600, 6]),
  powers([34729 / 80640, 5], [-3418889 / 1995840, 6]),
  powers([212378941 / 319334400, 6]),
];
const RADIUS = A / (1 + N) * (1 + N ** 2 / 4 + N ** 4 / 64 + N ** 6 / 256);

function transverseMercator(latitude, longitude) {
  const phi = latitude * Math.PI / 180, lambda = longitude * Math.PI / 180, tau = Math.tan(phi);
  const sigma = Math.sinh(E * Math.atanh(E * tau / Math.sqrt(1 + tau * tau)));
  const conformal = tau * Math.sqrt(1 + sigma * sigma) - sigma * Math.sqrt(1 + tau * tau);
  const xi = Math.atan2(conformal, Math.cos(lambda));
  const eta = Math.asinh(Math.sin(lambda) / Math.hypot(conformal, Math.cos(lambda)));
  let north = xi, east = eta;
  SERIES.forEach((coefficient, index) => {
    const j = 2 * (index + 1);
    north += coefficient * Math.sin(j * xi) * Math.cosh(j * eta);
    east += coefficient * Math.cos(j * xi) * Math.sinh(j * eta);
  });
  return [east * RADIUS, north * RADIUS];
}

function utm(latitude, longitude) {
  if (!(latitude >= -80 && latitude < 84)) return null;
  if (longitude >= 180) longitude = -180;
  const band = "CDEFGHJKLMNPQRSTUVWX"[Math.min(19, Math.floor((latitude + 80) / 8))];
  let zone = Math.floor((longitude + 180) / 6) + 1;
  // All of south-west Norway is in zone 32; Svalbard has four zones instead of seven.
  if (latitude >= 56 && latitude < 64 && longitude >= 3 && longitude < 12) zone = 32;
  if (latitude >= 72 && longitude >= 0 && longitude < 42) {
    zone = longitude < 9 ? 31 : longitude < 21 ? 33 : longitude < 33 ? 35 : 37;
  }
  let offset = longitude - (zone * 6 - 183);
  if (offset > 180) offset -= 360;
  const [east, north] = transverseMercator(latitude, offset);
  return { zone: pad(zone, 2) + band, number: zone, east: Math.floor(500000 + 0.9996 * east),
    north: Math.floor((latitude < 0 ? 10000000 : 0) + 0.9996 * north) };
}

// Polar stereographic, variant A (EPSG 9810).
function ups(latitude, longitude) {
  const isNorth = latitude > 0, phi = Math.abs(latitude) * Math.PI / 180;
  const t = Math.tan(Math.PI / 4 - phi / 2)
    * ((1 + E * Math.sin(phi)) / (1 - E * Math.sin(phi))) ** (E / 2);
  const distance = 2 * A * 0.994 * t / Math.sqrt((1 + E) ** (1 + E) * (1 - E) ** (1 - E));
  const lambda = longitude * Math.PI / 180;
  const east = 2000000 + distance * Math.sin(lambda);
  const north = 2000000 + (isNorth ? -distance : distance) * Math.cos(lambda);
  const zone = isNorth ? (east >= 2000000 ? "Z" : "Y") : (east >= 2000000 ? "B" : "A");
  return { zone, east: Math.floor(east), north: Math.floor(north) };
}

function utmText(latitude, longitude) {
  const grid = utm(latitude, longitude);
  if (grid) return `${grid.zone} ${grid.east} ${grid.north}`;
  const polar = ups(latitude, longitude);
  return `UPS ${polar.zone} ${polar.east} ${polar.north}`;
}

function mgrs(latitude, longitude) {
  const rest = (metres) => pad(metres % 100000, 5);
  const grid = utm(latitude, longitude);
  if (grid) {
    // The letters of a zone begin eight after the previous zone's, and repeat every three zones; the
    // rows of even zones are offset by five.
    const columns = "ABCDEFGHJKLMNPQRSTUVWXYZ", rows = "ABCDEFGHJKLMNPQRSTUV";
    const column = columns[((grid.number - 1) % 3 * 8 + Math.max(0, Math.floor(grid.east / 1e5) - 1))
      % 24];
    const row = rows[(Math.floor(grid.north / 1e5) + (grid.number % 2 ? 0 : 5)) % 20];
    return `${grid.zone} ${column}${row} ${rest(grid.east)} ${rest(grid.north)}`;
  }
  const { zone, east, north } = ups(latitude, longitude), isNorth = zone > "B";
  const first = isNorth ? 13 : 8;
  const [start, letters] = { A: [first, "JKLPQRSTUXYZ"], Y: [first, "RSTUXYZ"],
    Z: [20, "ABCFGHJ"], B: [20, "ABCFGHJKLPQR"] }[zone];
  const rows = isNorth ? "ABCDEFGHJKLMNP" : "ABCDEFGHJKLMNPQRSTUVWXYZ";
  const at = (text, index) => text[Math.min(text.length - 1, Math.max(0, index))];
  return `${zone} ${at(letters, Math.floor(east / 1e5) - start)}`
    + `${at(rows, Math.floor(north / 1e5) - first)} ${rest(east)} ${rest(north)}`;
}

/** Returns a locator of ten characters, about 12 m by 8 m in Europe. */
function maidenhead(latitude, longitude) {
  const parts = 18 * 10 * 24 * 10 * 24;
  const part = (share) => Math.min(parts - 1, Math.max(0, Math.floor(share * parts)));
  const values = [part((longitude + 180) / 360), part((latitude + 90) / 180)];
  let rest = parts, text = "";
  for (const [count, first] of [[18, "A"], [10, "0"], [24, "a"], [10, "0"], [24, "a"]]) {
    rest /= count;
    for (const value of values) {
      text += String.fromCharCode(first.charCodeAt(0) + Math.floor(value / rest) % count);
    }
  }
  return text;
}
