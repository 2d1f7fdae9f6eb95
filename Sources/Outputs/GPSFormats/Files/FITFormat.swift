// SPDX-License-Identifier: MIT
package import GNSS

/// Writes FIT, the binary format of Garmin's devices: an activity with a session for every source.
///
/// Times are in whole seconds, so several fixes in a second are several records with the same time.
/// The timer runs during segments.
package struct FITFormat: OutputFormat {
    /// FIT records require a date. The header contains the size of the file, so it is written last,
    /// and an interrupted file, which has none, cannot be continued.
    package static let traits = FormatTraits(
        name: "fit", extensions: ["fit"],
        summary: "FIT activities, for Garmin's programs, Strava and others", needsDate: true,
        canStore: canStore, storesEllipsoidalAltitude: false, hasHead: true, isContinuable: false)

    /// A position of the track with its time, in nanoseconds of Unix time.
    private struct TimedPoint {
        let nanoseconds: Int64
        let coordinate: Coordinate

        /// The time in seconds since FIT's epoch.
        var seconds: Int { Int(nanoseconds / 1_000_000_000 - FITTime.epoch) }
    }

    /// A session that has begun.
    private struct Session {
        let isSimulated: Bool
        let start: TimedPoint
        var end: TimedPoint
        /// The start of the segment in nanoseconds of Unix time; `nil` between segments.
        var timerStart: Int64?
        /// The total duration of the completed segments, in nanoseconds.
        var timer: Int64 = 0
    }

    private var encoder = FITEncoder()
    private var source = OutputSource()
    private var session: Session?
    private var isEmpty = true
    private var sessionCount = 0
    /// The end of the last completed session, in seconds since FIT's epoch (1989-12-31).
    private var end = 0
    /// The timer's total over all completed sessions, in nanoseconds.
    private var timer: Int64 = 0
    private var odometer = Odometer()
    /// The distance of the session in metres.
    private var distance = 0.0

    package init(_ metadata: OutputMetadata) {}

    /// Sets the source. The next fix begins a session.
    package mutating func begin(_ source: OutputSource) {
        endSession()
        self.source = source
        guard isEmpty else { return }
        encoder.begin()
        isEmpty = false
    }

    /// Stops the timer until the next fix.
    package mutating func beginSegment() {
        stopTimer()
        odometer.endSegment()
    }

    /// Returns whether a date is in the range of FIT, 1998-07-03 to 2126-02-06.
    private static func canStore(_ date: UTCTime) -> Bool {
        let time = date.withoutLeapSecond.unixNanoseconds
        return FITTime.dates.contains(time / 1_000_000_000 - FITTime.epoch)
    }

    /// Writes a record. Fixes without a date, or with one that FIT cannot store, are omitted.
    package mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid, let date = fix.time,
            Self.canStore(date)
        else { return }
        let time = date.withoutLeapSecond.unixNanoseconds
        let point = TimedPoint(nanoseconds: time, coordinate: position)
        let isSimulated = source.isSimulated(fix)
        if session?.isSimulated != isSimulated { endSession() }
        var session = session ?? beginSession(isSimulated, point)
        if session.timerStart == nil {
            session.timerStart = time
            writeTimer(isStart: true, point)
        }
        session.end = point
        self.session = session
        odometer.add(fix)
        // When the receiver comes to rest, the odometer may subtract the last metres.
        distance = max(distance, odometer.distance)
        writeRecord(fix, point)
    }

    private mutating func writeRecord(_ fix: Fix, _ point: TimedPoint) {
        encoder.append(
            .record,
            [
                FITField(FITMessage.timestamp, .uint32, point.seconds),
                FITField(0, .sint32, FITAngle.semicircles(point.coordinate.latitude)),
                FITField(1, .sint32, FITAngle.semicircles(point.coordinate.longitude)),
                FITField(78, .uint32, fix.altitude, scale: 5, offset: 500),
                FITField(5, .uint32, distance, scale: 100),
                FITField(73, .uint32, fix.speed, scale: 1000),
                FITField(32, .sint16, fix.climb, scale: 1000),
                // The accuracy is a whole number of metres. One centimetre is subtracted before
                // rounding up, so that 3.005 m stays 3 m. 0 is an unknown accuracy.
                FITField(
                    31, .uint8,
                    fix.accuracy.horizontal
                        .flatMap { $0 > 0 ? max(1, ($0 - 0.01).rounded(.up)) : nil },
                    scale: 1),
            ])
    }

    // MARK: Sessions

    private mutating func beginSession(_ isSimulated: Bool, _ start: TimedPoint) -> Session {
        if sessionCount == 0 {
            // An activity (4) of a product in development (255).
            encoder.append(
                .fileID,
                [
                    FITField(0, .enumeration, 4), FITField(1, .uint16, 255),
                    FITField(2, .uint16, 0), FITField(4, .uint32, start.seconds),
                    FITField(8, "gpsbridge"),
                ])
        }
        encoder.append(
            .deviceInfo,
            [
                FITField(FITMessage.timestamp, .uint32, start.seconds), FITField(0, .uint8, 0),
                FITField(2, .uint16, 255), FITField(27, "gpsbridge"),
                FITField(19, "origin: \(source.originName(isSimulated: isSimulated))"),
            ])
        // Sessions follow their records, so this message has the name for readers. Sport and subsport
        // 0 are generic.
        encoder.append(
            .sport,
            [
                FITField(0, .enumeration, 0), FITField(1, .enumeration, 0),
                FITField(3, TerminalText.safe(source.trackName)),
            ])
        return Session(isSimulated: isSimulated, start: start, end: start)
    }

    /// Writes an event message that starts or stops the timer.
    private mutating func writeTimer(isStart: Bool, _ point: TimedPoint) {
        encoder.append(
            .event,
            [
                FITField(FITMessage.timestamp, .uint32, point.seconds),
                FITField(0, .enumeration, 0), FITField(1, .enumeration, isStart ? 0 : 4),
            ])
    }

    private mutating func stopTimer() {
        guard var session, let start = session.timerStart else { return }
        session.timer += max(0, session.end.nanoseconds - start)
        session.timerStart = nil
        self.session = session
        writeTimer(isStart: false, session.end)
    }

    private mutating func endSession() {
        stopTimer()
        guard let session else { return }
        // Event 9 is a lap, and 8 a session; both stop (1).
        encoder.append(
            .lap,
            totals(session, event: 9) + [
                FITField(5, .sint32, FITAngle.semicircles(session.end.coordinate.latitude)),
                FITField(6, .sint32, FITAngle.semicircles(session.end.coordinate.longitude)),
                // Trigger 7 means that the lap ends with the session. Sport 0 is generic.
                FITField(24, .enumeration, 7), FITField(25, .enumeration, 0),
            ])
        encoder.append(
            .session,
            totals(session, event: 8) + [
                // Sport and subsport 0 are generic. Trigger 0 is the end of the activity.
                FITField(5, .enumeration, 0), FITField(6, .enumeration, 0),
                FITField(28, .enumeration, 0), FITField(25, .uint16, sessionCount),
                FITField(26, .uint16, 1),
                FITField(
                    110,
                    (session.isSimulated ? "SIMULATED " : "")
                        + TerminalText.safe(source.trackName)),
            ])
        sessionCount += 1
        end = session.end.seconds
        timer += session.timer
        self.session = nil
        odometer = Odometer()
        distance = 0
    }

    /// Returns the fields that laps and sessions have in common.
    private func totals(_ session: Session, event: Int) -> [FITField] {
        let elapsed = max(0, session.end.nanoseconds - session.start.nanoseconds)
        return [
            FITField(FITMessage.index, .uint16, sessionCount),
            FITField(FITMessage.timestamp, .uint32, session.end.seconds),
            FITField(0, .enumeration, event), FITField(1, .enumeration, 1),
            FITField(2, .uint32, session.start.seconds),
            FITField(3, .sint32, FITAngle.semicircles(session.start.coordinate.latitude)),
            FITField(4, .sint32, FITAngle.semicircles(session.start.coordinate.longitude)),
            FITField(7, .uint32, Int(elapsed / 1_000_000)),
            FITField(8, .uint32, Int(session.timer / 1_000_000)),
            FITField(9, .uint32, distance, scale: 100),
        ]
    }

    // MARK: Output

    /// A copy of this writer that has ended the last session and written the summary of the
    /// activity.
    private var ended: FITFormat {
        var rest = self
        rest.encoder.buffer.removeAll()
        rest.endSession()
        guard rest.sessionCount > 0 else { return rest }
        // A manual activity (0) stops (event 26, type 1).
        rest.encoder.append(
            .activity,
            [
                FITField(FITMessage.timestamp, .uint32, rest.end),
                FITField(0, .uint32, Int(rest.timer / 1_000_000)),
                FITField(1, .uint16, rest.sessionCount), FITField(2, .enumeration, 0),
                FITField(3, .enumeration, 26), FITField(4, .enumeration, 1),
            ])
        return rest
    }

    /// The end of the last session, the summary of the activity and the checksum.
    package var closing: [UInt8] {
        let ended = ended
        return ended.encoder.buffer.array + ended.encoder.end
    }

    /// The header with the final size of the file.
    package var head: [UInt8] { ended.encoder.header }

    /// Passes the output to `body`, then removes it.
    package mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try encoder.buffer.drain(body)
    }
}

/// A field of a message: its number in FIT's profile, its type and its value.
private struct FITField {
    let number: UInt8
    let type: FITType
    fileprivate let bytes: [UInt8]

    /// Creates a field with a number. If the number is `nil` or out of the range of the type, it is
    /// written as unknown.
    init(_ number: UInt8, _ type: FITType, _ value: Int?) {
        self.number = number
        self.type = type
        let known = value.flatMap { type.range.contains($0) ? $0 : nil } ?? type.invalid
        bytes = (0..<type.size).map { UInt8(truncatingIfNeeded: known >> (8 * $0)) }
    }

    /// Creates a field with the number (`value` + `offset`) × `scale`, rounded.
    init(_ number: UInt8, _ type: FITType, _ value: Double?, scale: Double, offset: Double = 0) {
        let scaled = value.flatMap { Int(exactly: (($0 + offset) * scale).rounded()) }
        self.init(number, type, scaled)
    }

    /// Creates a field with a text. At most 60 characters are stored.
    init(_ number: UInt8, _ text: String) {
        self.number = number
        type = .text
        let kept = String.UnicodeScalarView(text.unicodeScalars.prefix(60).filter { $0.value > 0 })
        bytes = Array(String(kept).utf8) + [0]
    }

    /// The bytes for the field in the definition of its message.
    fileprivate var definition: [UInt8] { [number, UInt8(bytes.count), type.rawValue] }
}

/// Writes FIT messages. A definition is written before a message if it differs from the last
/// definition for this kind of message.
private struct FITEncoder {
    /// The version of the protocol, 1.0. It has no developer fields and no 64-bit numbers.
    private static let version: UInt8 = 0x10
    /// The version of the profile, 21.32.
    private static let profile: Int = 2132
    /// The size of the header in bytes.
    private static let headerSize = 14

    /// The output that has not been drained.
    var buffer = TextBuffer()
    /// The total size of all messages in bytes.
    private var size = 0
    private var checksum = FITChecksum()
    /// The last definition of each message.
    private var definitions: [FITMessage: [UInt8]] = [:]

    /// Writes a preliminary header, to be replaced by `header` when the file is complete.
    mutating func begin() {
        for byte in header { buffer.append(byte) }
    }

    /// The header with the current size of all messages.
    var header: [UInt8] {
        let fields = [
            FITField(0, .uint8, Self.headerSize), FITField(1, .uint8, Int(Self.version)),
            FITField(2, .uint16, Self.profile), FITField(4, .uint32, size),
        ]
        let bytes = fields.flatMap { $0.bytes } + Array(".FIT".utf8)
        var checksum = FITChecksum()
        checksum.add(bytes)
        return bytes + checksum.bytes
    }

    /// The checksum of the file. It does not depend on the header, because the header ends with its
    /// own checksum.
    var end: [UInt8] { checksum.bytes }

    mutating func append(_ message: FITMessage, _ fields: [FITField]) {
        // The local number of a message is its index in `FITMessage.allCases`.
        guard let local = FITMessage.allCases.firstIndex(of: message).map({ UInt8($0) }) else {
            return
        }
        let number = message.rawValue.littleEndianBytes
        let definition: [UInt8] =
            [0, 0] + number + [UInt8(fields.count)] + fields.flatMap { $0.definition }
        if definitions[message] != definition {
            definitions[message] = definition
            append([0x40 | local] + definition)
        }
        append([local] + fields.flatMap { $0.bytes })
    }

    private mutating func append(_ bytes: [UInt8]) {
        for byte in bytes { buffer.append(byte) }
        checksum.add(bytes)
        size += bytes.count
    }
}

/// Converts FIT's data messages to fixes and ends of segments.
struct FITRecords {
    /// The last timestamp in FIT's seconds; `nil` before the first one.
    private var time: UInt32?
    private var isSimulated = false
    /// Whether gpsbridge wrote the file. Other programs' names are those of sports.
    private var isOurs = false
    private var lapCount = 0
    private(set) var unread = UnreadValues()

    init(unread: UnreadValues = UnreadValues()) { self.unread = unread }

    /// Advances the time to the next one whose lowest five bits are `bits` (a compressed
    /// timestamp).
    mutating func advance(toLowBits bits: UInt32) {
        time = time.map { $0 &+ (bits &- $0) & 0x1F }
    }

    /// Returns the event that a message represents; `nil` for messages that are skipped. If the
    /// position of a record is out of range, the result is a fix without a position.
    ///
    /// `hasTime` is `true` if the message has a compressed timestamp. A record without any timestamp
    /// has no time.
    mutating func event(
        _ definition: FITDefinition, _ body: ArraySlice<UInt8>, hasTime: Bool = false
    ) -> InputEvent? {
        let seconds = definition.number(FITMessage.timestamp, in: body)
        if let seconds { time = UInt32(exactly: seconds) }
        switch FITMessage(rawValue: definition.message) {
        case .record:
            note([3: "heart rate", 4: "cadence", 7: "power", 13: "temperature"], definition, body)
            return fix(definition, body, at: hasTime || seconds != nil ? time : nil)
                .map { .fix($0) }
        case .event:
            // Event 0 is the timer. It starts (0) or stops (1, 4, 8 and 9).
            let isTimer = definition.number(0, in: body) == 0
            let isChange = definition.number(1, in: body).map { [0, 1, 4, 8, 9].contains($0) }
            return isTimer && isChange == true ? .segment : nil
        case .deviceInfo:
            // `FITFormat` writes this before the records.
            let text = definition.text(19, in: body)
            guard let text, text.hasPrefix("origin: ") else { return nil }
            (isSimulated, isOurs) = (text == "origin: simulated", true)
            return nil
        case .sport:
            guard isOurs, let name = definition.text(3, in: body) else { return nil }
            return .track(name: name.isEmpty ? nil : name)
        case .session:
            // The generic sport, which gpsbridge writes, is 0.
            lapCount = 0
            note([5: "sport", 11: "calories"], definition, body)
            return .segment
        case .lap:
            if lapCount > 0 { unread.add("laps") }
            lapCount += 1
            return nil
        case .fileID, .activity, nil: return nil
        }
    }

    /// Notes the fields that have a value other than 0, but no place in a fix.
    private mutating func note(
        _ fields: KeyValuePairs<UInt8, String>, _ definition: FITDefinition,
        _ body: ArraySlice<UInt8>
    ) {
        for (number, name) in fields where definition.number(number, in: body) ?? 0 != 0 {
            unread.add(name)
        }
    }

    private func fix(
        _ definition: FITDefinition, _ body: ArraySlice<UInt8>, at time: UInt32?
    ) -> Fix? {
        func value(_ number: UInt8, scale: Double, offset: Double = 0) -> Double? {
            definition.number(number, in: body).map { (Double($0) - offset * scale) / scale }
        }
        guard let latitude = definition.number(0, in: body),
            let longitude = definition.number(1, in: body)
        else { return nil }
        var fix = Fix()
        fix.coordinate = Coordinate(
            checking: FITAngle.degrees(latitude), FITAngle.degrees(longitude))
        if let time, FITTime.dates.contains(Int64(time)),
            let instant = UTCTime(
                unixNanoseconds: (Int64(time) + FITTime.epoch) * 1_000_000_000)
        {
            fix.set(time: instant)
        }
        // Older devices write only the 16-bit fields 2 and 6.
        fix.altitude = value(78, scale: 5, offset: 500) ?? value(2, scale: 5, offset: 500)
        fix.speed = value(73, scale: 1000) ?? value(6, scale: 1000)
        fix.climb = value(32, scale: 1000)
        fix.accuracy.horizontal = value(31, scale: 1)
        fix.complete(mode: nil, quality: isSimulated ? .simulated : nil)
        return fix
    }
}
