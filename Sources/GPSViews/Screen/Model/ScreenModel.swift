// SPDX-License-Identifier: MIT
package import GNSS
package import NMEA

/// The data shown for one receiver.
package struct ScreenModel: Sendable {
    /// The origin of the data.
    package enum Origin: Sendable { case live, replay, simulated, unknown }

    /// The state of the connection.
    package enum Condition: Hashable, Sendable {
        /// Not opened yet, with the reason.
        case awaited(String)
        /// Open.
        case open
        /// Lost, with the reason.
        case gone(String)
        /// Ended, with the reason if it was an error.
        case ended(String?)
    }

    /// The user's name of the source; after opening, the device's name.
    package private(set) var name: String
    /// The origin of the data, as far as it is known.
    package private(set) var origin: Origin
    /// The state of the connection.
    package private(set) var condition = Condition.awaited("")
    /// The time of the last change of the state.
    package private(set) var conditionChanged: ClockReading?
    /// A problem of an open receiver.
    package var trouble: String? { passingProblem ?? sharing }
    /// A problem that ends with the next position.
    private var passingProblem: String?
    /// The message that another program also reads the tty; `nil` if none does.
    private var sharing: String?

    /// Whether the receiver has sent a simulated fix since it was opened.
    private var hasSimulated = false
    /// The last fix, with or without a position.
    package private(set) var fix: Fix?
    /// The last fix that had a position.
    package private(set) var position: (fix: Fix, at: ClockReading)?
    /// The first fix with the current quality and dimensions.
    private var held: (time: UTCTime?, at: ClockReading)?
    /// The last complete list of satellites.
    package private(set) var satellites: [Satellite] = []
    /// The track of the last ten minutes.
    package private(set) var track = TrackHistory()
    /// Distance, times, speeds and heights since the start.
    package private(set) var trip = TrackSummary()
    /// The times of a recording, and the seconds since its first position.
    private var clock = FixClock()
    private var recorded = 0.0
    /// The altitudes of the last seconds.
    private var altitudes = AltitudeTrend()
    /// The received stream.
    package private(set) var stream = StreamHistory()

    /// Creates a model without data.
    package init(name: String, origin: Origin) {
        self.name = name
        self.origin = origin
    }

    // MARK: Connection

    /// Call when the receiver has been opened under this name.
    ///
    /// A simulated receiver keeps the user's name, which describes what is simulated.
    package mutating func opened(_ device: String, at moment: ClockReading) {
        if origin != .simulated { name = device }
        (passingProblem, sharing) = (nil, nil)
        hasSimulated = false
        stream.pause()
        change(to: .open, moment)
    }

    /// Call when the receiver cannot be opened at present.
    package mutating func unavailable(_ reason: String, at moment: ClockReading) {
        if case .gone = condition { return passingProblem = reason }
        change(to: .awaited(reason), moment)
    }

    /// Call when an open receiver was lost.
    package mutating func lost(_ reason: String, at moment: ClockReading) {
        change(to: .gone(reason), moment)
        held = nil
        satellites = []
        stream.pause()
        altitudes = AltitudeTrend()
        trip.endSegment()
    }

    /// Call when the source has ended.
    package mutating func ended(_ reason: String?, at moment: ClockReading) {
        change(to: .ended(reason), moment)
    }

    /// Call when an open receiver has a problem.
    package mutating func setProblem(_ reason: String) {
        passingProblem = reason
    }

    /// Call when another program also reads the tty.
    package mutating func setOtherReader(_ reason: String) {
        sharing = reason
    }

    private mutating func change(to new: Condition, _ moment: ClockReading) {
        condition = new
        conditionChanged = moment
    }

    // MARK: Data

    /// Call with the origin of each epoch. A recording of a simulated receiver remains a recording.
    package mutating func set(_ new: Origin) {
        if origin != .replay || new != .simulated { return origin = new }
        hasSimulated = true
    }

    /// Call with the fix of each epoch.
    package mutating func didReceive(
        fix new: Fix, satellites view: SatelliteView, at moment: ClockReading
    ) {
        if fix?.mode != new.mode || fix?.quality != new.quality || held == nil {
            held = (new.time, moment)
        }
        // Receivers report the date later than their first fix.
        if held?.time == nil { held?.time = new.time }
        fix = new
        hasSimulated = hasSimulated || new.quality == .simulated
        satellites = view.satellites
        stream.count(new, at: moment)
        guard new.mode > .noFix, let coordinate = new.coordinate, coordinate.isValid else {
            return trip.endSegment()
        }
        position = (new, moment)
        passingProblem = nil
        track.add(coordinate, at: seconds(of: new, at: moment))
        altitudes.add(new)
        trip.add(new)
    }

    /// Call when the lists of satellites are complete.
    package mutating func didReceive(satellites view: SatelliteView) {
        satellites = view.satellites
    }

    /// Call with each valid sentence, without its line end.
    package mutating func didReceive(sentence: [UInt8], at moment: ClockReading) {
        stream.count(sentence: sentence, at: moment)
    }

    /// Call with each rejection.
    package mutating func didReceive(rejection: Rejection, at moment: ClockReading) {
        stream.count(rejection, at: moment)
    }

    /// Call with all bytes, each chunk before anything that was decoded from it, so that rejected
    /// sentences can be shown.
    package mutating func didReceive(bytes: [UInt8]) {
        stream.note(bytes)
    }

    /// Returns the time of a fix in seconds. For a recording this is its own time, since it may be
    /// read faster than it was made; it may begin without a date.
    private mutating func seconds(of fix: Fix, at moment: ClockReading) -> Double {
        guard origin == .replay else { return Double(moment.steady) / 1e9 }
        recorded += max(0, clock.step(to: fix) ?? 0)
        return recorded
    }

    // MARK: Derived values

    /// Whether the data is simulated, by this program or by the receiver.
    var isSimulated: Bool { origin == .simulated || hasSimulated }

    /// Seconds between fixes; for a recording by its own times.
    var period: Double? { origin == .replay ? stream.receiverPeriod : stream.arrivalPeriod }

    /// Metres per second upwards: as received, or from the altitudes of the last seconds.
    var climb: Double? { position?.fix.climb ?? altitudes.slope }

    /// Returns the seconds since the quality or dimensions of the fixes last changed. For a
    /// recording they are by its own times, up to its end.
    func heldFor(at now: ClockReading) -> Double? {
        guard let held else { return nil }
        if origin == .replay {
            guard let start = held.time, let time = fix?.time else { return nil }
            return Double(time.unixNanoseconds &- start.unixNanoseconds) / 1e9
        }
        return presentMoment(now).seconds(since: held.at)
    }

    /// Returns the current time, or the time of the end.
    private func presentMoment(_ now: ClockReading) -> ClockReading {
        if case .ended = condition, let conditionChanged { return conditionChanged }
        return now
    }

    /// Returns the seconds since the last fix with a position arrived; `nil` if that is not longer
    /// than the rate explains.
    func staleness(at now: ClockReading) -> Double? {
        guard let position else { return nil }
        let age = now.seconds(since: position.at)
        let expected = stream.arrivalPeriod.map { max(3, $0 * 3) } ?? 3
        return age > expected ? age : nil
    }
}
