// SPDX-License-Identifier: MIT
package import GNSS

/// Creates Signal K delta messages about one receiver, one per line.
///
/// Units are SI and radians. When a value that was sent is no longer known, such as the position
/// when the fix is lost, it is sent once as `null`. `$source` contains the name of the receiver,
/// and whether its data is simulated or replayed: `gpsbridge.simulated.NAME`.
package struct SignalKReports: Sendable {
    /// The version of the specification that the messages follow.
    package static let version = "1.7.0"

    /// The time after which the value of an instrument expires.
    private static let instrumentTimeout = Duration.seconds(10)

    /// A path with the JSON text of its value; `nil` if the value is unknown.
    typealias Value = (path: String, json: String?)

    private let vessel: String
    private var name: String
    private(set) var source: String
    private(set) var origin: DataOrigin
    /// The paths of the fix whose last value sent was not `null`.
    private var fixPaths: Set<String> = []
    /// The paths of instruments whose last value sent was not `null`, with the times of these
    /// values.
    private var instrumentPaths: [String: MonotonicInstant] = [:]
    /// Whether the last speed of the true wind came from MWD.
    private var isWindSpeedFromMWD = false
    /// The active alarms.
    var notifications: [Alarm: Notification] = [:]
    /// The former `$source`, and the alarms that were active when it changed, until they are ended.
    var formerAlarms: (source: String, alarms: [Alarm])?
    /// The arrival time of the last position; `nil` if the receiver has been lost since then.
    var lastPosition: MonotonicInstant?

    /// Creates a writer for a receiver. `vessel` is the context of the messages, such as
    /// `vessels.urn:mrn:signalk:uuid:…`.
    package init(receiver name: String, origin: DataOrigin, vessel: String) {
        (self.vessel, self.name, self.origin) = (vessel, name, origin)
        source = Self.source(name, origin)
    }

    /// Sets the name and origin of a receiver that has been opened. The values sent before count as
    /// unknown to clients; active alarms are kept.
    package mutating func begin(receiver name: String, origin: DataOrigin) {
        (self.name, self.origin) = (name, origin)
        setSource(Self.source(name, origin))
        (fixPaths, instrumentPaths) = ([], [:])
    }

    /// Sets the origin of the data. If that changes `$source`, returns a message that sets all
    /// values of the former `$source` to `null`. Returns `nil` if `$source` does not change, or if
    /// there are no such values.
    package mutating func setOrigin(_ origin: DataOrigin, time: UTCTime?) -> [UInt8]? {
        self.origin = origin
        let source = Self.source(name, origin)
        guard source != self.source else { return nil }
        defer { setSource(source) }
        return lost(time: time)
    }

    private mutating func setSource(_ source: String) {
        if source != self.source, !notifications.isEmpty, formerAlarms == nil {
            formerAlarms = (self.source, Alarm.allCases.filter { notifications[$0] != nil })
        }
        self.source = source
    }

    private static func source(_ name: String, _ origin: DataOrigin) -> String {
        let label: [String] =
            switch origin {
            case .simulated: ["simulated"]
            case .replay: ["replay"]
            case .live, .unknown: []
            }
        return (["gpsbridge"] + label + [word(name)]).joined(separator: ".")
    }

    /// Returns the first message that a client receives.
    package static func hello(vessel: String, time: UTCTime?) -> [UInt8] {
        var object = JSONObject()
        object.add("name", "gpsbridge")
        object.add("version", version)
        object.add("self", vessel)
        object.add("roles", ["master", "main"])
        object.add("timestamp", time?.description)
        return Array(object.description.utf8) + [0x0A]
    }

    /// Returns the message about a fix; `nil` if it would be empty. `time` is used for a fix
    /// without a time. Values of instruments that have expired at `now` are sent as `null`.
    package mutating func delta(
        of fix: Fix, time: UTCTime?, now: MonotonicInstant
    ) -> [UInt8]? {
        var values = SignalKReports.values(of: fix, isSimulated: origin == .simulated)
        values.removeAll { $0.json == nil && !fixPaths.contains($0.path) }
        for value in values {
            if value.json == nil {
                fixPaths.remove(value.path)
            } else {
                fixPaths.insert(value.path)
                // The variation of a receiver replaces that of a compass.
                instrumentPaths[value.path] = nil
            }
        }
        // A compass may be slower than the receiver: a heading is not lost when an epoch has none.
        let attitude = SignalKReports.values(of: fix.attitude).filter { $0.json != nil }
        for value in attitude { instrumentPaths[value.path] = now }
        values += attitude + expired(at: now)
        return line(values, time: fix.time ?? time)
    }

    /// Returns the message about an instrument's sentence; `nil` if it would be empty.
    package mutating func delta(
        ofSentence sentence: [UInt8], time: UTCTime?, now: MonotonicInstant
    ) -> [UInt8]? {
        var values: [Value] = []
        for value in SignalKReports.values(ofSentence: sentence)
        where !fixPaths.contains(value.path) {
            guard value.json != nil || instrumentPaths[value.path] != nil else { continue }
            if value.path == Self.trueWindSpeedPath {
                // An MWV without a speed does not clear the speed of MWD.
                if value.json == nil, isWindSpeedFromMWD { continue }
                isWindSpeedFromMWD = Self.isMWD(sentence)
            }
            instrumentPaths[value.path] = value.json == nil ? nil : now
            values.append(value)
        }
        values += expired(at: now)
        return line(values, time: time)
    }

    /// Returns a message that sets all known values to `null`; `nil` if there are none.
    package mutating func lost(time: UTCTime?) -> [UInt8]? {
        let paths = fixPaths.union(instrumentPaths.keys).sorted()
        (fixPaths, instrumentPaths) = ([], [:])
        return line(paths.map { ($0, nil) }, time: time)
    }

    /// Removes expired values of instruments. Returns their paths with `nil`.
    private mutating func expired(at now: MonotonicInstant) -> [Value] {
        guard !instrumentPaths.isEmpty else { return [] }
        let paths = instrumentPaths.filter { $0.value + Self.instrumentTimeout < now }.keys.sorted()
        for path in paths { instrumentPaths[path] = nil }
        return paths.map { ($0, nil) }
    }

    /// Returns a message with values; `nil` if there are none.
    func line(_ values: [Value], time: UTCTime?) -> [UInt8]? {
        values.isEmpty ? nil : line(of: [update(values, source, time)])
    }

    /// Returns an element of a delta message's `updates`: the values of a `$source`.
    func update(_ values: [Value], _ source: String, _ time: UTCTime?) -> JSONObject {
        var update = JSONObject()
        update.add("$source", source)
        update.add("timestamp", time?.description)
        update.add(
            "values",
            values.map { path, json in
                var value = JSONObject()
                value.add("path", path)
                value.add("value", json: json ?? "null")
                return value
            })
        return update
    }

    /// Returns a message with updates.
    func line(of updates: [JSONObject]) -> [UInt8] {
        var delta = JSONObject()
        delta.add("context", vessel)
        delta.add("updates", updates)
        return Array(delta.description.utf8) + [0x0A]
    }

    /// Returns a name in a form that can be a part of a `$source`: `dev-ttyUSB0` for
    /// `/dev/ttyUSB0`.
    private static func word(_ name: String) -> String {
        let parts = name.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_") }
        return parts.isEmpty ? "receiver" : parts.joined(separator: "-")
    }
}

extension SignalKReports {
    /// Returns a number as JSON text; `nil` for infinity, NaN and values of 1e9 or more.
    static func number(_ value: Double?, decimals: Int) -> String? {
        guard let value, value.magnitude < 1e9 else { return nil }
        return String(value, atMostDecimals: decimals)
    }

    /// Converts degrees to radians. Returns them as JSON text.
    static func radians(_ degrees: Double?) -> String? {
        number(degrees?.radians, decimals: 6)
    }
}
