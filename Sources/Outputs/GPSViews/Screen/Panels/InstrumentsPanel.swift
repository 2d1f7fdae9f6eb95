// SPDX-License-Identifier: MIT
import GNSS

/// The values that instruments send: depth, wind, water, log, rudder and engines.
struct InstrumentsPanel: Panel {
    let title = "Instruments"
    let rows: [(label: String, value: String)]

    var minimumRows: Int { min(3, rows.count) }
    func usefulRows(_ scene: Scene) -> Int? { rows.count }

    /// Returns the panel if there are current values; otherwise an empty list.
    static func all(_ scene: Scene) -> [any Panel] {
        let values = scene.model.instruments.current(at: scene.now)
        guard !values.isEmpty else { return [] }
        return [InstrumentsPanel(rows: rows(values, scene.settings.units, scene.settings.glyphs))]
    }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        var lines = Rows(scene)
        for row in rows { lines.add(row.label, row.value, .plain) }
        lines.draw(on: &canvas)
    }

    private static func rows(
        _ values: Instruments, _ units: Units, _ glyphs: Glyphs
    ) -> [(label: String, value: String)] {
        let rows: [(String, String?)] = [
            ("Depth", depth(values, units)),
            (
                "Apparent",
                wind(
                    values[.apparentWindSpeed],
                    values[.apparentWindAngle].map { fromBow($0, glyphs) }, units)
            ),
            (
                "True wind",
                wind(values[.trueWindSpeed], trueWindDirection(values, glyphs), units)
            ),
            (
                "Water",
                values[.waterTemperature].map { "\(String($0, decimals: 1)) \(glyphs.degree)C" }
            ),
            ("Log", log(values, units)),
            ("Rudder", values[.rudder].map { side(of: $0, glyphs) }),
            ("Engine", engines(values)),
        ]
        return rows.compactMap { label, value in value.map { (label, $0) } }
    }

    /// Returns the depth below the transducer and, if the offset is known, below the keel or the
    /// surface.
    private static func depth(_ values: Instruments, _ units: Units) -> String? {
        values[.depth].map { depth in
            let offset = values[.depthOffset] ?? 0
            let reference = offset < 0 ? ", keel " : ", surface "
            return units.length(depth)
                + (offset == 0 ? "" : reference + units.length(depth + offset))
        }
    }

    private static func wind(_ speed: Double?, _ direction: String?, _ units: Units) -> String? {
        let parts = [speed.map(units.speed), direction].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    private static func fromBow(_ angle: Double, _ glyphs: Glyphs) -> String {
        side(of: angle > 180 ? angle - 360 : angle, glyphs)
    }

    /// Returns the direction of the true wind relative to true north or, if that is unknown, to the
    /// bow or to magnetic north; `nil` if none is known.
    private static func trueWindDirection(_ values: Instruments, _ glyphs: Glyphs) -> String? {
        func degrees(_ direction: Double) -> String {
            "from \(String(direction: direction, decimals: 0))\(glyphs.degree)"
        }
        if let north = values[.trueWindDirection] {
            return "\(degrees(north)) \(Glyphs.wind(north))"
        }
        if let angle = values[.trueWindAngle] { return fromBow(angle, glyphs) }
        return values[.magneticWindDirection].map { "\(degrees($0))M" }
    }

    private static func side(of angle: Double, _ glyphs: Glyphs) -> String {
        let degrees = "\(String(angle.magnitude, decimals: 0))\(glyphs.degree)"
        return angle.magnitude < 0.5 ? degrees : degrees + (angle < 0 ? " port" : " starboard")
    }

    private static func log(_ values: Instruments, _ units: Units) -> String? {
        let parts = [
            values[.waterSpeed].map(units.speed), values[.log].map(units.distance),
            values[.tripLog].map { "trip \(units.distance($0))" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func engines(_ values: Instruments) -> String? {
        let speeds = [values[.portEngineSpeed], values[.engineSpeed]].compactMap(\.self)
        guard !speeds.isEmpty else { return nil }
        return speeds.map { String($0, decimals: 0) }.joined(separator: " | ") + " rpm"
    }
}
