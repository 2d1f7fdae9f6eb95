// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// Counts and measurements of one receiver.
struct ReceiverMetrics: Sendable {
    var device = ServedDevice(path: "")
    /// `serial`, `tcp`, `udp`, `file` or `simulated`.
    var sourceKind = "serial"
    var fix = Fix()
    var view = SatelliteView()
    /// The number of complete epochs by `mode`: 1 is no fix, 2 and 3 are dimensions.
    var fixCounts: [UInt8: Int] = [:]
    var byteCount = 0
    var reopenCount = 0
    /// The number of rejected lines by reason.
    var rejections: [String: Int] = [:]
    /// Seconds from opening to the first fix.
    var timeToFirstFix: Double?
    /// Whether the receiver's time is sent to clocks; `nil` if that is not known yet or there are
    /// no clocks.
    var isTimeUsed: Bool?
}

/// Counts for the server itself.
struct ServerMetrics: Sendable {
    var clients: [(protocol: String, count: Int)] = []
    var droppedCount = 0
    /// The number of requests with a wrong token; `nil` if no token is required.
    var wrongTokenCount: Int?
    var version = ""
    /// The programs that the time is sent to.
    var clocks: [ClockReports.Target] = []
}

/// Metrics in the text formats of Prometheus and OpenMetrics. Unknown values are left out.
struct MetricsText {
    private var text = ""
    private let isOpenMetrics: Bool
    /// Whether altitude, speed and course are included.
    private let hasMotion: Bool

    /// Returns the metrics in the format that `accept` asks for. `hasMotion` is false for a client
    /// that may not read altitude, speed and course.
    static func page(
        _ receivers: [ReceiverMetrics], _ server: ServerMetrics, accept: String, hasMotion: Bool
    ) -> HTTPAnswer {
        let isOpen = accept.contains("application/openmetrics-text")
        var metrics = MetricsText(isOpenMetrics: isOpen, hasMotion: hasMotion)
        metrics.write(receivers, server)
        if isOpen { metrics.text += "# EOF\n" }
        let type =
            isOpen
            ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
            : "text/plain; version=0.0.4; charset=utf-8"
        return HTTPAnswer(contentType: type, text: metrics.text)
    }

    private init(isOpenMetrics: Bool, hasMotion: Bool) {
        self.isOpenMetrics = isOpenMetrics
        self.hasMotion = hasMotion
    }

    private typealias Sample = (labels: [(String, String)], value: Double)

    /// Writes one metric family, or nothing if it has no samples.
    private mutating func add(
        _ name: String, _ help: String, isCounter: Bool = false, _ samples: [Sample?]
    ) {
        let known = samples.compactMap { $0 }.filter { $0.value.isFinite }
        guard !known.isEmpty else { return }
        // In OpenMetrics, the name of a counter's family has no `_total`.
        let family = isCounter && !isOpenMetrics ? name + "_total" : name
        text += "# HELP gpsbridge_\(family) \(help)\n"
        text += "# TYPE gpsbridge_\(family) \(isCounter ? "counter" : "gauge")\n"
        for (labels, value) in known {
            let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
            let number =
                value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
            text += "gpsbridge_\(isCounter ? name + "_total" : name)"
            text += (pairs.isEmpty ? "" : "{\(pairs)}") + " \(number)\n"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
    }

    private mutating func write(_ receivers: [ReceiverMetrics], _ server: ServerMetrics) {
        func each(_ value: (ReceiverMetrics) -> Double?) -> [Sample?] {
            receivers.map { receiver in
                value(receiver).map { ([("device", receiver.device.path)], $0) }
            }
        }
        func each(
            _ label: String, _ values: (ReceiverMetrics) -> [(String, Double?)]
        ) -> [Sample?] {
            receivers.flatMap { receiver in
                values(receiver).map { name, value in
                    value.map { ([("device", receiver.device.path), (label, name)], $0) }
                }
            }
        }
        func gauge(_ name: String, _ help: String, _ value: (ReceiverMetrics) -> Double?) {
            add(name, help, each(value))
        }
        add("build_info", "The version.", [([("version", server.version)], 1)])
        add(
            "device_info", "What the device is.",
            receivers.map {
                (
                    [
                        ("device", $0.device.path), ("source", $0.sourceKind),
                        ("origin", $0.device.origin.rawValue),
                    ], 1
                )
            })
        gauge("device_up", "1 while the device is open and understood, and not silent.") {
            $0.device.isActive ? 1 : 0
        }
        gauge("fix_mode", "1 no fix, 2 and 3 dimensions.") {
            $0.device.isRecognized ? Double(max($0.fix.mode.rawValue, 1)) : nil
        }
        gauge("integrity_state", "0 unknown, 1 ok, 2 warning, 3 alarm.") {
            $0.fix.integrity.map { Double($0.state.number) }
        }
        gauge("fix_timestamp_seconds", "UTC of the last fix.") {
            $0.fix.time.map { Double($0.unixNanoseconds) / 1e9 }
        }
        gauge("time_to_first_fix_seconds", "From opening to the first fix.") { $0.timeToFirstFix }
        if hasMotion {
            add(
                "altitude_meters", "Above mean sea level, and above the ellipsoid.",
                each("datum") {
                    [("msl", $0.fix.altitude), ("ellipsoid", $0.fix.ellipsoidalAltitude)]
                })
            gauge("speed_meters_per_second", "Over ground.") { $0.fix.speed }
            gauge("course_degrees", "Over ground, from true north.") { $0.fix.course }
        }
        add(
            "accuracy_meters", "At 68 %.",
            each("axis") {
                [
                    ("horizontal", $0.fix.accuracy.horizontal),
                    ("vertical", $0.fix.accuracy.vertical),
                ]
            })
        add(
            "dop", "Dilution of precision.",
            each("axis") {
                let dilution = $0.fix.dilution
                return [("h", dilution.hdop), ("v", dilution.vdop), ("p", dilution.pdop)]
            })
        let skies = receivers.map { ($0.device.path, SkySummary.summaries(of: $0.view)) }
        add(
            "satellites", "In view, and used for the fix.",
            skies.flatMap { path, sky in
                sky.flatMap { part in
                    [("seen", part.seen), ("used", part.used)].map { state, count in
                        (
                            [
                                ("device", path), ("constellation", part.constellation),
                                ("state", state),
                            ], Double(count)
                        )
                    }
                }
            })
        add(
            "cn0_dbhz", "Carrier-to-noise density.",
            skies.flatMap { path, sky in
                sky.flatMap { part -> [Sample?] in
                    [("max", part.maximum), ("mean", part.mean)].map { stat, value in
                        value.map {
                            (
                                [
                                    ("device", path), ("constellation", part.constellation),
                                    ("stat", stat),
                                ], $0
                            )
                        }
                    }
                }
            })
        add("bytes_received", "From the device.", isCounter: true, each { Double($0.byteCount) })
        add(
            "fixes", "Complete epochs.", isCounter: true,
            each("mode") { $0.fixCounts.sorted { $0.key < $1.key }.map { ("\($0)", Double($1)) } })
        add(
            "rejected", "Data that was not a valid sentence.", isCounter: true,
            each("reason") {
                $0.rejections.sorted { $0.key < $1.key }.map { ($0, Double($1)) }
            })
        add(
            "reopens", "How often the device came back.", isCounter: true,
            each { Double($0.reopenCount) })
        gauge("time_used", "1 while clocks are sent the receiver's time.") {
            $0.isTimeUsed.map { $0 ? 1 : 0 }
        }
        add(
            "time_output_up", "1 while the time reaches a program.",
            server.clocks.map { clock in
                clock.isReached.map { ([("output", clock.name)], $0 ? 1 : 0) }
            })
        add(
            "time_samples_sent", "Samples that have reached a program.", isCounter: true,
            server.clocks.map { ([("output", $0.name)], Double($0.count)) })
        add(
            "clients", "Connected now.",
            server.clients.map { ([("protocol", $0.protocol)], Double($0.count)) })
        add(
            "reports_dropped", "Chunks of reports that slow clients have lost.", isCounter: true,
            [([], Double(server.droppedCount))])
        add(
            "tokens_rejected", "Requests with a wrong token.", isCounter: true,
            [server.wrongTokenCount.map { ([], Double($0)) }])
    }
}

/// The signals of one constellation.
private struct SkySummary {
    let constellation: String
    var seen = 0
    var used = 0
    var maximum: Double?
    var sum = 0.0
    var trackedCount = 0

    /// The mean C/N0 of the tracked satellites.
    var mean: Double? { trackedCount > 0 ? (sum / Double(trackedCount) * 10).rounded() / 10 : nil }

    static func summaries(of view: SatelliteView) -> [SkySummary] {
        var summaries: [SkySummary] = []
        for satellite in view.satellites {
            let name = "\(satellite.id.constellation)"
            if summaries.last?.constellation != name {
                summaries.append(SkySummary(constellation: name))
            }
            guard var last = summaries.popLast() else { continue }
            last.seen += 1
            last.used += satellite.isUsed ? 1 : 0
            if let cn0 = satellite.cn0 {
                last.maximum = max(last.maximum ?? cn0, cn0)
                last.sum += cn0
                last.trackedCount += 1
            }
            summaries.append(last)
        }
        return summaries
    }
}
