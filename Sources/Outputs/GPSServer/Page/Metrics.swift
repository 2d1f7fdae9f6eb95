// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSReceivers

/// The counters of a server for each receiver.
struct ReceiverCounts: Sendable {
    /// The number of complete epochs for each `mode`: 1 is no fix, 2 is 2D, 3 is 3D.
    var fixes: [UInt8: Int] = [:]
    var bytes = 0
    /// The number of rejected lines, keyed by the reason.
    var rejections: [String: Int] = [:]
}

/// The values of a receiver for `/metrics`.
struct ReceiverMetrics: Sendable {
    let device: ServedDevice
    let receiver: ReceiverModel
    let counts: ReceiverCounts
    /// The counts of warm-start messages sent since the receiver was last opened; `nil` if none
    /// were sent.
    let warmStart: WarmStartTransfer?
    /// Whether the receiver's time is sent to clock services; `nil` if that is not known yet or no
    /// services are configured.
    let isTimeUsed: Bool?

    var fix: Fix { receiver.epoch?.fix ?? Fix() }
    var view: SatelliteView {
        receiver.condition.isOpen ? receiver.satellites : SatelliteView()
    }
}

/// The values of the server itself for `/metrics`.
struct ServerMetrics: Sendable {
    var clients: [(protocol: String, count: Int)] = []
    var droppedCount = 0
    /// The number of dropped NMEA 2000 messages; `nil` without NMEA 2000.
    var nmea2000DroppedCount: Int?
    /// The number of requests with a wrong token; `nil` if no token is required.
    var wrongTokenCount: Int?
    /// The clock services to which the time is sent.
    var clocks: [ClockTargets.Target] = []
    /// The figures of the pulses; `nil` without any.
    var pulses: PulseClock.Statistics?
}

/// Writes metrics in the text format of Prometheus or OpenMetrics. Unknown values are omitted.
struct MetricsText {
    private var text = ""
    private let isOpenMetrics: Bool
    /// Whether altitude, speed and course are included.
    private let hasMotion: Bool

    /// Returns the metrics in the format that the `Accept` header requests. With `hasMotion`, they
    /// include altitude, speed and course, which only clients with a token may read.
    static func page(
        _ receivers: [ReceiverMetrics], _ server: ServerMetrics, accept: String, hasMotion: Bool
    ) -> HTTPResponse {
        let isOpen = accept.contains("application/openmetrics-text")
        var metrics = MetricsText(isOpenMetrics: isOpen, hasMotion: hasMotion)
        metrics.write(receivers, server)
        if isOpen { metrics.text += "# EOF\n" }
        let type =
            isOpen
            ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
            : "text/plain; version=0.0.4; charset=utf-8"
        return HTTPResponse(contentType: type, text: metrics.text)
    }

    private init(isOpenMetrics: Bool, hasMotion: Bool) {
        self.isOpenMetrics = isOpenMetrics
        self.hasMotion = hasMotion
    }

    private typealias Sample = (labels: [(String, String)], value: Double)

    /// Writes one metric family; writes nothing if it has no known values.
    private mutating func add(
        _ name: String, _ help: String, isCounter: Bool = false, _ samples: [Sample?]
    ) {
        let known = samples.compactMap { $0 }.filter { $0.value.isFinite }
        guard !known.isEmpty else { return }
        // In OpenMetrics, the name of a counter's family does not have the suffix `_total`.
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

    private mutating func write(_ pulses: PulseClock.Statistics?) {
        func row(_ value: Double?) -> [([(String, String)], Double)?] {
            [pulses.flatMap { pulses in value.map { ([("method", pulses.method)], $0) } }]
        }
        add(
            "pulses", "Time pulses received.", isCounter: true,
            row(pulses.map { Double($0.count) }))
        add(
            "pulses_missed", "Time pulses that did not arrive.", isCounter: true,
            row(pulses.map { Double($0.missedCount) }))
        add(
            "pulse_interval_deviation_seconds", "Median of the last intervals, less one second.",
            row(pulses?.deviation))
        add(
            "pulse_jitter_seconds", "Median absolute deviation of the last intervals.",
            row(pulses?.jitter))
        add(
            "pulse_uncertainty_seconds", "Largest error of the last pulse's time stamp.",
            row(pulses?.uncertainty))
    }

    private mutating func write(_ receivers: [ReceiverMetrics], _ server: ServerMetrics) {
        func samples(
            _ values: (ReceiverMetrics) -> [([(String, String)], Double?)]
        ) -> [Sample?] {
            receivers.flatMap { receiver in
                values(receiver).map { labels, value in
                    value.map { ([("device", receiver.device.path)] + labels, $0) }
                }
            }
        }
        func each(_ value: (ReceiverMetrics) -> Double?) -> [Sample?] {
            samples { [([], value($0))] }
        }
        func each(
            _ label: String, _ values: (ReceiverMetrics) -> [(String, Double?)]
        ) -> [Sample?] {
            samples { values($0).map { ([(label, $0)], $1) } }
        }
        func eachConstellation(
            _ label: String, _ values: (SkySummary) -> [(String, Double?)]
        ) -> [Sample?] {
            samples { receiver in
                SkySummary.summaries(of: receiver.view).flatMap { sky in
                    values(sky).map { ([("constellation", sky.constellation), (label, $0)], $1) }
                }
            }
        }
        func gauge(_ name: String, _ help: String, _ value: (ReceiverMetrics) -> Double?) {
            add(name, help, each(value))
        }
        add("build_info", "The version.", [([("version", GPSDConversation.serverName)], 1)])
        add(
            "device_info", "The device, its source, and the origin of its data.",
            samples { receiver in
                let origin = receiver.device.origin.rawValue
                return [
                    ([("source", receiver.receiver.source.kind.rawValue), ("origin", origin)], 1)
                ]
            })
        gauge("device_up", "1 while the device is open and sends valid data.") {
            $0.device.isUp ? 1 : 0
        }
        gauge("fix_mode", "1 no fix, 2 two dimensions, 3 three dimensions.") {
            $0.device.driver != nil ? Double(max($0.fix.mode.rawValue, 1)) : nil
        }
        gauge("integrity_state", "0 unknown, 1 ok, 2 warning, 3 alarm.") {
            $0.fix.integrity.map { Double($0.state.number) }
        }
        add(
            "integrity_reason", "1 for each test that found evidence against the position.",
            each("test") { ($0.fix.integrity?.reasons ?? []).map { ($0.test.rawValue, 1) } })
        gauge("fix_timestamp_seconds", "UTC of the last fix.") {
            $0.fix.time.map { Double($0.unixNanoseconds) / 1e9 }
        }
        gauge("time_to_first_fix_seconds", "From opening to the first fix.") {
            $0.receiver.timeToFirstFix
        }
        gauge("warm_start_messages", "Stored messages accepted by the receiver since opening.") {
            $0.warmStart.map { Double($0.acceptedCount) }
        }
        if hasMotion {
            add(
                "altitude_meters", "Altitude above mean sea level, and above the ellipsoid.",
                each("datum") {
                    [("msl", $0.fix.altitude), ("ellipsoid", $0.fix.ellipsoidalAltitude)]
                })
            gauge("speed_meters_per_second", "Speed over ground.") { $0.fix.speed }
            gauge("course_degrees", "Course over ground, from true north.") { $0.fix.course }
        }
        add(
            "accuracy_meters", "Accuracy of the position with a probability of 68 %.",
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
        add(
            "receiver_report", "What the receiver reports about itself; for states, their number.",
            each("value") { receiver in
                FixProperty.reported.map { ($0.name, $0.value(receiver.fix)) }
            })
        add(
            "satellites", "Satellites in view, and used for the fix.",
            eachConstellation("state") { [("seen", Double($0.seen)), ("used", Double($0.used))] })
        add(
            "cn0_dbhz", "Carrier-to-noise density.",
            eachConstellation("stat") { [("max", $0.maximum), ("mean", $0.mean)] })
        add(
            "bytes_received", "Bytes received from the device.", isCounter: true,
            each { Double($0.counts.bytes) })
        add(
            "fixes", "Complete epochs.", isCounter: true,
            each("mode") {
                $0.counts.fixes.sorted { $0.key < $1.key }.map { ("\($0)", Double($1)) }
            })
        add(
            "rejected", "Data that was not a valid sentence.", isCounter: true,
            each("reason") {
                $0.counts.rejections.sorted { $0.key < $1.key }.map { ($0, Double($1)) }
            })
        add(
            "reopens", "Number of times that the device was reopened.", isCounter: true,
            each { Double($0.receiver.reopenCount) })
        gauge("time_used", "1 while the receiver's time is sent to clocks.") {
            $0.isTimeUsed.map { $0 ? 1 : 0 }
        }
        add(
            "time_output_up", "1 while a program receives the time.",
            server.clocks.map { clock in
                clock.isReached.map { ([("output", clock.name)], $0 ? 1 : 0) }
            })
        add(
            "time_samples_sent", "Time samples that a program received.", isCounter: true,
            server.clocks.map { ([("output", $0.name)], Double($0.count)) })
        write(server.pulses)
        add(
            "clients", "Clients that are connected.",
            server.clients.map { ([("protocol", $0.protocol)], Double($0.count)) })
        add(
            "reports_dropped", "Chunks of reports lost because a client was too slow.",
            isCounter: true,
            [([], Double(server.droppedCount))])
        add(
            "nmea2000_messages_dropped",
            "NMEA 2000 messages lost because the bus did not accept them in time.",
            isCounter: true, [server.nmea2000DroppedCount.map { ([], Double($0)) }])
        add(
            "tokens_rejected", "Requests with a wrong token.", isCounter: true,
            [server.wrongTokenCount.map { ([], Double($0)) }])
    }
}

/// The counts and signal strengths of one constellation's satellites.
private struct SkySummary {
    let constellation: String
    var seen = 0
    var used = 0
    var maximum: Double?
    var sum = 0.0
    private var trackedCount = 0

    /// The mean C/N0 of the satellites with a signal, rounded to 0.1 dB-Hz; `nil` if there are
    /// none.
    var mean: Double? { trackedCount > 0 ? (sum / Double(trackedCount) * 10).rounded() / 10 : nil }

    private mutating func add(_ satellite: Satellite) {
        seen += 1
        used += satellite.isUsed ? 1 : 0
        guard let cn0 = satellite.cn0 else { return }
        maximum = max(maximum ?? cn0, cn0)
        sum += cn0
        trackedCount += 1
    }

    static func summaries(of view: SatelliteView) -> [SkySummary] {
        var summaries: [SkySummary] = []
        for satellite in view.satellites {
            let name = "\(satellite.id.constellation)"
            if summaries.last?.constellation != name {
                summaries.append(SkySummary(constellation: name))
            }
            summaries[summaries.count - 1].add(satellite)
        }
        return summaries
    }
}
