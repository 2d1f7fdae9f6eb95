// SPDX-License-Identifier: MIT
public import GNSS

/// Writes FIT, the binary format of Garmin's devices: an activity with a session for every source.
///
/// Times are in whole seconds, so several fixes in a second are several records with the same time.
/// The timer runs during segments.
public struct FITFormat: OutputFormat {
    /// The name `fit`.
    public static let name = "fit"
    /// The extension `fit`.
    public static let fileExtensions = ["fit"]
    /// The description in `--help`.
    public static let summary = "FIT activities, for Garmin's programs, Strava and others"
    /// Altitudes are above mean sea level.
    public static let storesEllipsoidalAltitude = false
    /// FIT records require a date.
    public static let needsDate = true
    /// The header contains the size of the file, so it is written last.
    public static let hasHead = true

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

    /// Creates a writer.
    public init() {}

    /// Sets the source. The next fix begins a session.
    public mutating func begin(_ source: OutputSource) {
        endSession()
        self.source = source
        guard isEmpty else { return }
        encoder.begin()
        isEmpty = false
    }

    /// Stops the timer until the next fix.
    public mutating func beginSegment() {
        stopTimer()
        odometer.endSegment()
    }

    /// Returns whether a date is in the range of FIT, 1998-07-03 to 2126-02-06.
    public static func canStore(_ date: UTCTime) -> Bool {
        let time = date.withoutLeapSecond.unixNanoseconds
        return FITTime.dates.contains(time / 1_000_000_000 - FITTime.epoch)
    }

    /// Writes a record. Fixes without a date, or with one that FIT cannot store, are omitted.
    public mutating func write(_ fix: Fix) {
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
                // rounding up, so that 3.005 m stays 3 m. Only an accuracy of 0 is written as 0.
                FITField(
                    31, .uint8,
                    fix.accuracy.horizontal.map { $0 > 0 ? max(1, ($0 - 0.01).rounded(.up)) : 0 },
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
                    110, (session.isSimulated ? "SIMULATED " : "") + TerminalText.safe(source.name)),
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
    public var closing: [UInt8] {
        let ended = ended
        return ended.encoder.buffer.array + ended.encoder.end
    }

    /// The header with the final size of the file.
    public var head: [UInt8] { ended.encoder.header }

    /// An interrupted file cannot be continued, because its header contains no size.
    public static let isContinuable = false

    /// Passes the output to `body`, then removes it.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try encoder.buffer.drain(body)
    }
}
