// SPDX-License-Identifier: MIT

/// A unit of a column or a value in a table.
struct CSVUnit {
    /// The unit of the property that a value in this unit belongs to: `m`, `m/s`, `deg`…
    let property: String
    /// The number by which a value is multiplied.
    let factor: Double

    /// Creates a unit from its name in any case; `nil` if it is unknown.
    init?(_ name: String) {
        guard let unit = Self.names[name.lowercased().filter { $0 != " " && $0 != "." }] else {
            return nil
        }
        self = unit
    }

    private init(_ property: String, _ factor: Double) {
        (self.property, self.factor) = (property, factor)
    }

    private static let names = {
        let knot = 1852.0 / 3600
        let list: [(names: String, property: String, factor: Double)] = [
            ("m meter meters metre metres mtr mts", "m", 1),
            ("ft foot feet", "m", 0.3048), ("km kilometer kilometers", "m", 1000),
            ("mi mile miles", "m", 1609.344), ("nmi nm", "m", 1852), ("yd yards", "m", 0.9144),
            ("cm", "m", 0.01), ("mm", "m", 0.001),
            ("m/s mps m/sec ms-1 meters/second metres/second meter/sec", "m/s", 1),
            ("km/h kmh kph kmph km/hr km/hour kilometers/hour", "m/s", 1 / 3.6),
            ("mph mi/h miles/hour", "m/s", 0.44704),
            ("kn kt kts knot knots nmi/h", "m/s", knot),
            ("ft/s fps ft/sec feet/second", "m/s", 0.3048),
            ("cm/s", "m/s", 0.01), ("mm/s", "m/s", 0.001),
            ("deg degs degree degrees ° degt °t decimaldegrees dd", "deg", 1),
            ("rad rads radian radians", "deg", 180 / .pi),
            ("semicircle semicircles", "deg", 180 / 0x1p31), ("e7 dege7", "deg", 1e-7),
            ("degc °c c", "degC", 1), ("rpm", "rpm", 1),
        ]
        var units: [String: CSVUnit] = [:]
        for entry in list {
            for name in entry.names.split(separator: " ") {
                units[String(name)] = CSVUnit(entry.property, entry.factor)
            }
        }
        return units
    }()

    /// The units that a name may end with without a separator, as in `altitudeFeet`.
    static let endings = names.keys.filter { $0.count > 2 || $0 == "e7" }.sorted {
        ($0.count, $0) > ($1.count, $1)
    }

    /// What stands like a unit after a name, but is none: how a value was determined.
    static let notes: Set<String> = [
        "utc", "gmt", "gps", "gnss", "msl", "amsl", "asl", "wgs84", "wgs-84", "hae", "true", "txt",
        "used/view", "used", "n/s", "e/w", "2d", "3d", "s", "sec", "ms", "us", "ns", "seconds",
        "millisecond", "milliseconds", "",
    ]
}
