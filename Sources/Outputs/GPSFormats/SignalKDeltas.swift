// SPDX-License-Identifier: MIT
package import GNSS
import NMEA

/// Creates Signal K delta messages about one receiver, one per line.
///
/// Units are SI and radians. When a value that was sent is no longer known, such as the position
/// when the fix is lost, it is sent once as `null`. `$source` contains the name of the receiver,
/// and whether its data is simulated or replayed: `gpsbridge.simulated.NAME`.
package struct SignalKDeltas: Sendable {
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
    private var notifications: [Alarm: Notification] = [:]
    /// The former `$source`, and the alarms that were active when it changed, until they are ended.
    private var formerAlarms: (source: String, alarms: [Alarm])?
    /// The arrival time of the last position; `nil` if the receiver has been lost since then.
    private var lastPosition: MonotonicInstant?

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
        let label = origin.mayBeLive ? [] : [origin.rawValue]
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
        var values = SignalKDeltas.values(of: fix, isSimulated: origin == .simulated)
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
        let attitude = SignalKDeltas.values(of: fix.attitude).filter { $0.json != nil }
        for value in attitude { instrumentPaths[value.path] = now }
        values += attitude + expired(at: now)
        return line(values, time: fix.time ?? time)
    }

    /// Returns the message about an instrument's sentence; `nil` if it would be empty.
    package mutating func delta(
        ofSentence sentence: [UInt8], time: UTCTime?, now: MonotonicInstant
    ) -> [UInt8]? {
        var values: [Value] = []
        for value in SignalKDeltas.values(ofSentence: sentence)
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
    private func update(_ values: [Value], _ source: String, _ time: UTCTime?) -> JSONObject {
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

extension SignalKDeltas {
    /// Returns a number as JSON text; `nil` for infinity, NaN and values of 1e9 or more.
    static func number(_ value: Double?, decimals: Int) -> String? {
        guard let value, value.magnitude < 1e9 else { return nil }
        return String(value, atMostDecimals: decimals)
    }

    /// Converts degrees to radians. Returns them as JSON text.
    private static func radians(_ degrees: Double?) -> String? {
        number(degrees?.radians, decimals: 6)
    }
}

/// The alarms of a receiver as Signal K notifications. An alarm is an object with a state, the
/// methods to show it and a message; `null` ends it. Each change is sent once.
extension SignalKDeltas {
    /// The kinds of alarms. The raw value is the Signal K path of the notification.
    private enum Alarm: String, CaseIterable, Sendable {
        case anchor = "notifications.navigation.anchor"
        case integrity = "notifications.navigation.gnss.integrity"
        case position = "notifications.navigation.position"
    }

    /// An active alarm.
    private struct Notification: Sendable {
        let state: String
        let json: String
    }

    /// The time without a position after which its loss is an alarm.
    private static let positionTimeout = Duration.seconds(5)

    /// Returns the message about alarms that begin or end with a fix; `nil` if there are none.
    package mutating func alarms(
        of fix: Fix, time: UTCTime?, now: MonotonicInstant
    ) -> [UInt8]? {
        guard !fix.isAttitudeOnly else { return nil }
        var changes: [Value] = []
        if let integrity = fix.integrity, integrity.state == .alarm {
            let reasons = integrity.reasons.map(\.text).joined(separator: "; ")
            let message = "the position may be false" + (reasons.isEmpty ? "" : ": \(reasons)")
            changes += set(.integrity, "alarm", message)
        } else {
            changes += clear(.integrity)
        }
        if fix.mode > .noFix, fix.coordinate != nil {
            lastPosition = now
            changes += clear(.position)
        } else if let lastPosition, lastPosition + Self.positionTimeout <= now {
            changes += setPositionLost("no fix")
        }
        return message(changes, time: fix.time ?? time)
    }

    /// Returns the message about an alarm of the anchor watch that begins, changes or ends; `nil`
    /// if there is none.
    package mutating func alarm(of anchor: AnchorState?, time: UTCTime?) -> [UInt8]? {
        guard let anchor, anchor.isAlarm else {
            let end = clear(.anchor)
            return message(end, time: time)
        }
        let state = anchor.condition == .drag ? "emergency" : "alarm"
        let change = set(.anchor, state, anchor.summary)
        return message(change, time: time)
    }

    /// Returns the message about alarms that begin or end because the receiver is lost or silent;
    /// `nil` if there are none. An expected loss, as when the receiver is reopened, raises no
    /// alarm.
    package mutating func alarmsOfLoss(isExpected: Bool, time: UTCTime?) -> [UInt8]? {
        var changes = clear(.integrity)
        if isExpected {
            changes += clear(.position)
        } else if lastPosition != nil {
            changes += setPositionLost("the receiver sends nothing")
        }
        lastPosition = nil
        return message(changes, time: time)
    }

    /// Returns the message that ends all alarms, when the receiver is removed; `nil` if there are
    /// none.
    package mutating func endAlarms(time: UTCTime?) -> [UInt8]? {
        var changes: [Value] = []
        for alarm in Alarm.allCases { changes += clear(alarm) }
        return message(changes, time: time)
    }

    /// Returns the message about all active alarms, for a new client; `nil` if there are none.
    package func activeAlarms(time: UTCTime?) -> [UInt8]? { line(active, time: time) }

    private var active: [Value] {
        Alarm.allCases.filter { notifications[$0] != nil }.map {
            ($0.rawValue, notifications[$0]?.json)
        }
    }

    /// Returns the message about changed alarms; `nil` if there are none. If `$source` has changed,
    /// as when the receiver was plugged in again as another tty, the message ends the alarms of the
    /// former `$source`, which would otherwise never end. It also sends the alarms that are still
    /// active again.
    private mutating func message(_ changes: [Value], time: UTCTime?) -> [UInt8]? {
        guard let former = formerAlarms.take() else { return line(changes, time: time) }
        let ended: [Value] = former.alarms.map { ($0.rawValue, nil) }
        var updates = [update(ended, former.source, time)]
        if !active.isEmpty { updates.append(update(active, source, time)) }
        return line(of: updates)
    }

    /// Sets the alarm for a lost position, and returns the change. Does nothing for a recording,
    /// because its gaps and its end are in the past.
    private mutating func setPositionLost(_ reason: String) -> [Value] {
        origin == .replay ? [] : set(.position, "alarm", "the position is lost: \(reason)")
    }

    private mutating func set(_ alarm: Alarm, _ state: String, _ message: String) -> [Value] {
        guard notifications[alarm]?.state != state else { return [] }
        let mark = origin.mayBeLive ? "" : " (\(origin.rawValue))"
        var object = JSONObject()
        object.add("state", state)
        object.add("method", ["visual", "sound"])
        object.add("message", message + mark)
        notifications[alarm] = Notification(state: state, json: object.description)
        return [(alarm.rawValue, object.description)]
    }

    private mutating func clear(_ alarm: Alarm) -> [Value] {
        guard notifications.removeValue(forKey: alarm) != nil else { return [] }
        return [(alarm.rawValue, nil)]
    }
}

extension SignalKDeltas {
    /// Returns all paths for a fix, except the paths of its attitude, with their values; `nil` for
    /// an unknown value.
    static func values(of fix: Fix, isSimulated: Bool) -> [Value] {
        let solution = fix.solution
        let values: [Value] = [
            ("navigation.position", position(of: solution)),
            ("navigation.speedOverGround", number(solution.speed, decimals: 3)),
            ("navigation.courseOverGroundTrue", radians(solution.course)),
            ("navigation.courseOverGroundMagnetic", radians(solution.magneticCourse)),
            ("navigation.magneticVariation", radians(fix.magneticVariation)),
            ("navigation.datetime", fix.time.map { String(json: $0.description) }),
        ]
        // A compass has no values for satellites.
        return fix.isAttitudeOnly
            ? values : values + satelliteValues(of: fix, isSimulated: isSimulated)
    }

    /// Returns the paths for an attitude with their values; `nil` for an unknown value.
    static func values(of attitude: Attitude) -> [Value] {
        [
            ("navigation.headingTrue", radians(attitude.heading)),
            ("navigation.headingMagnetic", radians(attitude.magneticHeading)),
            ("navigation.rateOfTurn", radians(attitude.rateOfTurn)),
        ]
    }

    private static func satelliteValues(of fix: Fix, isSimulated: Bool) -> [Value] {
        let solution = fix.solution
        let quality =
            fix.mode > .noFix ? (isSimulated ? .simulated : fix.quality).signalK : "no GPS"
        return [
            ("navigation.gnss.methodQuality", String(json: quality)),
            ("navigation.gnss.integrity", String(json: name(of: fix.integrity))),
            ("navigation.gnss.satellites", fix.satellitesUsed.map { "\($0)" }),
            ("navigation.gnss.horizontalDilution", number(fix.dilution.hdop, decimals: 2)),
            ("navigation.gnss.positionDilution", number(fix.dilution.pdop, decimals: 2)),
            ("navigation.gnss.antennaAltitude", number(solution.altitude, decimals: 3)),
            ("navigation.gnss.geoidalSeparation", number(solution.geoidSeparation, decimals: 3)),
            ("navigation.gnss.differentialAge", number(fix.correctionAge, decimals: 1)),
            ("navigation.gnss.differentialReference", fix.correctionStation.map { "\($0)" }),
        ]
    }

    private static func position(of fix: Fix) -> String? {
        guard let coordinate = fix.coordinate,
            let latitude = angle(coordinate.latitude), let longitude = angle(coordinate.longitude)
        else { return nil }
        var object = JSONObject()
        object.add("latitude", json: latitude)
        object.add("longitude", json: longitude)
        object.add("altitude", json: number(fix.altitude, decimals: 3))
        return object.description
    }

    /// Returns an angle in degrees as JSON text with a decimal point. OpenCPN does not read a position
    /// with a latitude or longitude that is an integer.
    private static func angle(_ degrees: Double) -> String? {
        number(degrees, decimals: 9).map { $0.contains(".") ? $0 : "\($0).0" }
    }

    /// Returns the name of an integrity state in Signal K's specification.
    private static func name(of integrity: Integrity?) -> String {
        switch integrity?.state {
        case .ok: "Safe"
        case .warning: "Caution"
        case .alarm: "Unsafe"
        case .unknown, nil: "no Integrity checking"
        }
    }
}

extension Fix {
    /// The fix, or one without any values if this one is not valid.
    fileprivate var solution: Fix { mode > .noFix ? self : Fix() }
}

extension SignalKDeltas {
    private static let trueWindSpeedPath = "environment.wind.speedTrue"

    private static func isMWD(_ sentence: [UInt8]) -> Bool {
        sentence.dropFirst(3).starts(with: "MWD".utf8)
    }

    /// Returns the paths for an instrument's sentence with their values; `nil` for an unknown
    /// value. Returns an empty list for other sentences.
    static func values(ofSentence sentence: [UInt8]) -> [Value] {
        guard sentence.count > 6, sentence[0] == UInt8(ascii: "$") else { return [] }
        return readers[String(decoding: sentence[3..<6], as: UTF8.self)]?(sentence) ?? []
    }

    private typealias Reader = @Sendable ([UInt8]) -> [Value]

    /// The functions that read the sentences, by their formatters.
    private static let readers: [String: Reader] = [
        "DPT": reader(depths),
        "DBT": reader { (sentence: DBT) in depth("belowTransducer", sentence.depth) },
        "DBK": reader { (sentence: DBK) in depth("belowKeel", sentence.depth) },
        "DBS": reader { (sentence: DBS) in depth("belowSurface", sentence.depth) },
        "HDG": reader { (sentence: HDG) in
            [("navigation.magneticVariation", radians(sentence.variation))]
        },
        "MTW": reader { (sentence: MTW) in
            let kelvin = sentence.temperature.map { $0 + 273.15 }
            return [("environment.water.temperature", number(kelvin, decimals: 2))]
        },
        "MWV": reader(wind),
        "VWR": reader { (sentence: VWR) in
            [
                ("environment.wind.angleApparent", radians(sentence.signedAngle)),
                ("environment.wind.speedApparent", number(sentence.speed, decimals: 2)),
            ]
        },
        "VWT": reader { (sentence: VWT) in
            [("environment.wind.angleTrueWater", radians(sentence.signedAngle))]
                + trueWindSpeed(sentence.speed)
        },
        "MWD": reader(groundWind),
    ]

    private static func reader<S: Sentence>(_ values: @escaping @Sendable (S) -> [Value]) -> Reader
    {
        // The checksum has already been verified. A sentence with a malformed field has no values.
        { (try? S(String(decoding: $0, as: UTF8.self))).map(values) ?? [] }
    }

    private static func depth(_ name: String, _ depth: Double?) -> [Value] {
        [("environment.depth.\(name)", number(depth, decimals: 2))]
    }

    private static func depths(of sentence: DPT) -> [Value] {
        let offset = sentence.offset ?? 0
        let values = depth("belowTransducer", sentence.depth)
        // Without an offset, the values of DBK and DBS remain valid.
        if offset < 0 {
            return values + depth("belowKeel", sentence.depthBelowKeel)
                + depth("transducerToKeel", -offset)
        }
        guard offset > 0 else { return values }
        return values + depth("belowSurface", sentence.depthBelowSurface)
            + depth("surfaceToTransducer", offset)
    }

    /// Returns the path and value for the speed of the true wind; an empty list if the speed is
    /// unknown, so that the value of another sentence remains valid.
    private static func trueWindSpeed(_ speed: Double?) -> [Value] {
        number(speed, decimals: 2).map { [(trueWindSpeedPath, $0)] } ?? []
    }

    private static func groundWind(of sentence: MWD) -> [Value] {
        [
            ("environment.wind.directionTrue", radians(sentence.trueDirection)),
            ("environment.wind.directionMagnetic", radians(sentence.magneticDirection)),
        ] + trueWindSpeed(sentence.speed)
    }

    private static func wind(of sentence: MWV) -> [Value] {
        let isValid = sentence.status != UInt8(ascii: "V")
        // Signal K's angles are from −180° to 180°, negative to port.
        let angle = sentence.angle.map { $0 > 180 ? $0 - 360 : $0 }
        let values =
            isValid
            ? (radians(angle), number(sentence.speedMetresPerSecond, decimals: 2)) : (nil, nil)
        switch sentence.reference {
        case UInt8(ascii: "R"):
            return [
                ("environment.wind.angleApparent", values.0),
                ("environment.wind.speedApparent", values.1),
            ]
        case UInt8(ascii: "T"):
            return [
                ("environment.wind.angleTrueWater", values.0),
                (trueWindSpeedPath, values.1),
            ]
        default: return []
        }
    }
}
