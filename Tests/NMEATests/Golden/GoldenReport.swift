// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// A transcript as lines of JSON: each fix with the number of the sentence that completed it,
/// and the counters at the end.
struct GoldenReport {
    private(set) var lines: [String] = []

    init(_ decoded: Transcript) {
        var sentences = 0
        var views = decoded.views.makeIterator()
        for event in decoded.events {
            switch event {
            case .sentence: sentences += 1
            case .fix(let fix): lines.append(Self.line(fix, views.next(), after: sentences))
            case .rejected, .tagBlock, .satellites, .ubx: break
            }
        }
        let counters = decoded.statistics.counters.filter { $0.count != 0 }
        lines.append(
            "{" + counters.map { "\"\($0.name)\":\($0.count)" }.joined(separator: ",") + "}")
    }

    private static func line(_ fix: Fix, _ view: SatelliteView?, after sentences: Int) -> String {
        var members: [String] = []
        func add(_ name: String, _ value: (some Any)?) {
            if let value { members.append("\"\(name)\":\(value)") }
        }
        func quoted(_ text: String?) -> String? { text.map { "\"\($0)\"" } }
        add("after", sentences)
        add("time", quoted(fix.time?.description))
        if fix.time == nil { add("seconds", fix.timeOfDay.map { Double($0.nanoseconds) / 1e9 }) }
        add("mode", fix.mode.rawValue)
        add("quality", quoted("\(fix.quality)"))
        add("lat", fix.coordinate?.latitude)
        add("lon", fix.coordinate?.longitude)
        add("alt", fix.altitude)
        add("hae", fix.ellipsoidalAltitude)
        add("speed", fix.speed)
        add("course", fix.course)
        add("magnetic", fix.magneticCourse)
        add("variation", fix.magneticVariation)
        add("pdop", fix.dilution.pdop)
        add("hdop", fix.dilution.hdop)
        add("vdop", fix.dilution.vdop)
        add("accuracy", fix.accuracy.horizontal)
        add("verticalAccuracy", fix.accuracy.vertical)
        add("source", quoted(fix.accuracy.source.map { "\($0)" }))
        add("used", fix.satellitesUsed)
        add("inView", fix.satellitesInView)
        add("age", fix.correctionAge)
        add("station", fix.correctionStation)
        let signals = view?.signals.map { "\($0.id)\($0.signal == 0 ? "" : "/\($0.signal)")" }
        add("signals", quoted(signals.flatMap { $0.isEmpty ? nil : $0.joined(separator: " ") }))
        return "{" + members.joined(separator: ",") + "}"
    }
}
