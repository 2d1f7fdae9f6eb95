// SPDX-License-Identifier: MIT
package import GNSS
package import GPSReceivers

/// The data shown for one receiver.
package struct ScreenModel: Sendable {
    /// The name of the source as given by the user; after it was opened, the name of the device.
    package private(set) var name: String
    /// Where the data comes from.
    package private(set) var origin: DataOrigin
    /// The condition of the receiver. After a disconnection, it remains `.lost` until the receiver
    /// is open again, even while attempts to open it fail.
    private(set) var condition = ReceiverCondition.searching
    /// When `condition` last changed; `nil` if it has not.
    private(set) var conditionChanged: ClockReading?
    private var receiver: ReceiverModel

    /// Whether a simulated fix has been received since the receiver was opened.
    private var hasSimulated = false
    /// The last fix, with or without a position.
    package private(set) var fix: Fix?
    /// The last fix with a position, and when it arrived.
    package private(set) var position: (fix: Fix, at: ClockReading)?
    /// When the quality or the dimensions (2D or 3D) of the fixes last changed: the receiver's
    /// time, if known, and the time of arrival. `nil` before the first fix and, after a
    /// disconnection, before the next one.
    private var held: (time: UTCTime?, at: ClockReading)?
    /// The track of the last ten minutes.
    package private(set) var track = TrackHistory()
    /// The statistics of the trip since the start: distance, times, speeds and altitudes.
    private(set) var trip = TrackSummary()
    /// Computes the time between the fixes of a recording.
    private var clock = FixClock()
    /// The recorded time from the first to the latest position of a recording, in seconds.
    private var recorded = 0.0
    /// The altitudes of the last seconds, from which the climb rate is computed.
    private var altitudes = AltitudeTrend()
    /// The state of the anchor watch and the route; `nil` if neither is used. Set it before passing
    /// the fix that the state belongs to.
    package var navigation: Navigation? {
        get { receiver.navigation }
        set { receiver.navigation = newValue }
    }
    /// The recent values of depth sounders, wind vanes and other instruments.
    private(set) var instruments = InstrumentReadings()
    /// Statistics of the received stream, and the last sentences.
    package var stream = StreamHistory()
    /// Ephemerides and raw measurements.
    package var raw = RawDataHistory()

    /// Creates a model without data. `name` is the name of the source as given by the user.
    package init(_ source: any DeviceSource, name: String, policy: WaitPolicy = .whenUseful) {
        self.name = name
        origin = source.origin
        receiver = ReceiverModel(source, policy)
    }

    /// Processes an update of the receiver's session. Returns the model's message or error for it.
    @discardableResult
    package mutating func didReceive(
        _ update: ReceiverUpdate, at moment: ClockReading
    ) -> ReceiverModel.Output? {
        let output = receiver.receive(update)
        switch update {
        case .condition(let new, let former): changed(to: new, after: former, at: moment)
        case .notice, .satellites: break
        case .epoch(let epoch):
            set(epoch.origin)
            didReceive(epoch.fix, at: moment)
        }
        return output
    }

    // MARK: The receiver

    private mutating func changed(
        to new: ReceiverCondition, after former: ReceiverCondition, at moment: ClockReading
    ) {
        switch new {
        case .open(let device, nil) where !former.isOpen: opened(device)
        case .lost: lost()
        case .waiting: if case .lost = condition { return }
        // The condition of a vote may be `searching` after `lost`.
        case .searching: return
        case .open, .silent, .ended: break
        }
        condition = new
        conditionChanged = moment
    }

    /// A simulated receiver keeps the name given by the user, because it describes what is
    /// simulated.
    private mutating func opened(_ device: String) {
        if origin != .simulated { name = TerminalText.safe(device) }
        hasSimulated = false
        stream.pause()
    }

    private mutating func lost() {
        held = nil
        stream.pause()
        altitudes = AltitudeTrend()
        trip.endSegment()
    }

    /// The problem that is shown; `nil` if there is none. A problem that explains a silence, such as
    /// a wrong baud rate, is shown instead of the silence.
    var shownProblem: String? {
        if case .lost = condition {
            guard case .waiting(let error) = receiver.condition else { return nil }
            return error.waitingReason
        }
        if let notice = receiver.searchNotice { return notice.summary(of: receiver.source) }
        switch receiver.condition {
        case .open(_, let problem?): return "\(problem)"
        case .silent: return "silent"
        default: return receiver.lastingNotice?.summary(of: receiver.source)
        }
    }

    /// The receiver that is read, if the source has several; otherwise `nil`.
    var chosenReceiver: String? { receiver.chosenReceiver.map(TerminalText.safe) }

    /// The satellites of the last complete lists.
    package var satellites: [Satellite] { receiver.satellites.satellites }

    // MARK: Data

    /// Sets the origin of the current data. If a recording contains simulated data, `origin`
    /// remains `.replay`, and `isSimulated` becomes `true`.
    private mutating func set(_ new: DataOrigin) {
        if origin != .replay || new != .simulated { return origin = new }
        hasSimulated = true
    }

    /// Updates the model with the fix of an epoch.
    private mutating func didReceive(_ new: Fix, at moment: ClockReading) {
        if fix?.mode != new.mode || fix?.quality != new.quality || held == nil {
            held = (new.time, moment)
        }
        // Receivers may report the date later than their first fix.
        if held?.time == nil { held?.time = new.time }
        fix = new
        hasSimulated = hasSimulated || new.quality == .simulated
        instruments.add(new.instruments, at: moment)
        stream.count(new, at: moment)
        guard new.mode > .noFix, let coordinate = new.coordinate, coordinate.isValid else {
            return trip.endSegment()
        }
        position = (new, moment)
        track.add(coordinate, at: seconds(of: new, at: moment))
        altitudes.add(new)
        trip.add(new)
    }

    /// Returns the time of a fix in seconds, for the track. For a recording, it is the time since
    /// the first position in the recording, because the replay may have any speed.
    private mutating func seconds(of fix: Fix, at moment: ClockReading) -> Double {
        guard origin == .replay else { return Double(moment.steady) / 1e9 }
        recorded += max(0, clock.step(to: fix) ?? 0)
        return recorded
    }

    // MARK: Derived values

    /// Whether the data is simulated, according to the source or the receiver.
    var isSimulated: Bool { origin == .simulated || hasSimulated }

    /// The time between fixes in seconds; `nil` if unknown. For a recording, it is computed from
    /// the recorded times.
    var period: Double? { origin == .replay ? stream.receiverPeriod : stream.arrivalPeriod }

    /// The climb rate in metres per second, as received, or computed from the altitudes of the last
    /// seconds; `nil` if unknown.
    var climb: Double? { position?.fix.climb ?? altitudes.slope }

    /// Returns the seconds since the quality or dimensions of the fixes last changed; `nil` if
    /// unknown. For a recording, they are computed from the recorded times.
    func heldFor(at now: ClockReading) -> Double? {
        guard let held else { return nil }
        if origin == .replay {
            guard let start = held.time, let time = fix?.time else { return nil }
            return Double(time.unixNanoseconds &- start.unixNanoseconds) / 1e9
        }
        return currentMoment(now).seconds(since: held.at)
    }

    /// Returns the current time; after the source has ended, the time of its end.
    private func currentMoment(_ now: ClockReading) -> ClockReading {
        if condition.hasEnded, let conditionChanged { return conditionChanged }
        return now
    }

    /// Returns the seconds since the last fix with a position arrived. Returns `nil` if there is no
    /// such fix, or if its age is at most 3 s or three times the mean time between fixes.
    func staleness(at now: ClockReading) -> Double? {
        guard let position else { return nil }
        let age = now.seconds(since: position.at)
        let expected = stream.arrivalPeriod.map { max(3, $0 * 3) } ?? 3
        return age > expected ? age : nil
    }
}

extension DeviceError {
    /// The reason why the receiver is waited for.
    var waitingReason: String {
        code == .noReceiver ? "plug one in, or run gpsbridge doctor" : "\(self)"
    }
}

/// A reading of two clocks. Code that needs the time gets it as a parameter.
package struct ClockReading: Hashable, Sendable {
    /// The system's clock, in nanoseconds of Unix time.
    package var unix: Int64
    /// A monotonic clock, in nanoseconds.
    package var steady: Int64

    package init(unix: Int64, steady: Int64) {
        self.unix = unix
        self.steady = steady
    }

    /// Returns the seconds from `earlier` to this reading, according to the monotonic clock.
    func seconds(since earlier: ClockReading) -> Double {
        Double(steady &- earlier.steady) / 1e9
    }
}

/// The most recent value of each instrument. Instruments may send at another rate than the
/// receiver.
struct InstrumentReadings: Sendable {
    /// A value is shown for at most this time, in seconds.
    private static let limit = 10.0

    private var readings: [Instruments.Quantity: (value: Double, at: ClockReading)] = [:]

    /// Stores the known values of a fix with their time of arrival. Removes the stored values of
    /// instruments that now report an invalid value.
    mutating func add(_ instruments: Instruments, at moment: ClockReading) {
        guard !instruments.isEmpty else { return }
        for (quantity, value) in instruments.known { readings[quantity] = (value, moment) }
        for quantity in instruments.invalid { readings[quantity] = nil }
    }

    /// Returns the values that are recent enough to be shown.
    func current(at now: ClockReading) -> Instruments {
        var instruments = Instruments()
        for (quantity, reading) in readings where now.seconds(since: reading.at) <= Self.limit {
            instruments[quantity] = reading.value
        }
        return instruments
    }
}

/// The local time zone at some time.
package struct LocalZone: Hashable, Sendable {
    /// The offset of local time from UTC in seconds, positive to the east.
    package var offset: Int
    /// The abbreviation, such as `CEST`.
    package var name: String

    /// Creates a zone. Default: UTC.
    package init(offset: Int = 0, name: String = "UTC") {
        self.offset = offset
        self.name = name
    }
}

/// The track of the last ten minutes, with at most two points per second.
package struct TrackHistory: Sendable {
    package struct Point: Hashable, Sendable {
        package let coordinate: Coordinate
        /// The time in seconds: of the monotonic clock or, for a recording, since its first
        /// position.
        package let seconds: Double
    }

    /// The maximum duration of the track in seconds.
    private static let maximumDuration = 600.0
    private static let limit = 1200

    /// The points from the oldest to the newest.
    package private(set) var points: [Point] = []

    /// The time from the oldest to the newest point, in seconds.
    var duration: Double {
        guard let first = points.first, let last = points.last else { return 0 }
        return min(Self.maximumDuration, max(0, last.seconds - first.seconds))
    }

    /// Adds a position. If the last but one point is less than half a second older, the position
    /// replaces the last point.
    mutating func add(_ coordinate: Coordinate, at seconds: Double) {
        let point = Point(coordinate: coordinate, seconds: seconds)
        if points.count > 1, 0..<0.5 ~= seconds - points[points.count - 2].seconds {
            points[points.count - 1] = point
        } else {
            points.append(point)
        }
        let isOld = { (point: Point) in seconds - point.seconds > Self.maximumDuration }
        // Old points are removed in blocks, because moving the remaining ones is expensive.
        if points.count > Self.limit + 100
            || points.first.map(isOld) == true && points.count % 64 == 0
        {
            points.removeFirst(max(0, points.count - Self.limit))
            points.removeAll(where: isOld)
        }
    }
}

/// A pressed key.
package enum Key: Hashable, Sendable {
    case character(Character)
    case left, right, up, down
    case pageUp, pageDown, home, end
    case tab, backTab
    /// The key ^L, which redraws the whole screen.
    case redraw
    /// Escape or Return, which only close the help.
    case other

    /// Parses the keys in bytes from a terminal. Keys that the program does not use are omitted.
    package static func keys(in bytes: [UInt8]) -> [Key] {
        var keys: [Key] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case 0x1B where index < bytes.count && bytes[index] == 0x09:
                // On the Linux console, Shift-Tab sends these bytes.
                keys.append(.backTab)
                index += 1
            case 0x1B where index == bytes.count: keys.append(.other)
            case 0x1B:
                guard index < bytes.count, bytes[index] == 0x5B || bytes[index] == 0x4F else {
                    continue
                }
                index += 1
                // Skips the parameters of the escape sequence, up to its final byte.
                let start = index
                while index < bytes.count, bytes[index] < 0x40 { index += 1 }
                guard index < bytes.count else { break }
                if let key = special(bytes[start..<index], bytes[index]) { keys.append(key) }
                index += 1
            case 0x09: keys.append(.tab)
            case 0x0A, 0x0D: keys.append(.other)
            case 0x0C: keys.append(.redraw)
            case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
            default: break
            }
        }
        return keys
    }

    private static func special(_ parameters: ArraySlice<UInt8>, _ final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "Z"): .backTab
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "~"):
            switch String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
            case "1", "7": .home
            case "4", "8": .end
            case "5": .pageUp
            case "6": .pageDown
            default: nil
            }
        default: nil
        }
    }
}
