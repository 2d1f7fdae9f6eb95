// SPDX-License-Identifier: MIT
package import GNSS
package import NMEA

/// All that is shown of one receiver. Events change it; drawing only reads it.
package struct ScreenModel: Sendable {
    /// Where the bytes come from.
    package enum Origin: Sendable { case live, replay, simulated, unknown }

    /// The state of the connection.
    package enum Condition: Hashable, Sendable {
        /// Not opened yet, and why.
        case awaited(String)
        /// Open.
        case open
        /// Lost, and why.
        case gone(String)
        /// At its end, with the reason where that is an error.
        case ended(String?)
    }

    /// The user's name of the source, then the device's.
    package private(set) var name: String
    /// Where the bytes come from, as far as that is known.
    package private(set) var origin: Origin
    /// The state of the connection.
    package private(set) var condition = Condition.awaited("")
    /// Since when it is in that state.
    package private(set) var conditionChanged: ClockReading?
    /// A problem of an open receiver.
    package var trouble: String? { passingTrouble ?? sharing }
    /// One that is over with the next position.
    private var passingTrouble: String?
    /// Another program reads the tty, too.
    private var sharing: String?

    /// Whether the receiver has sent a simulated fix since it was opened.
    private var hasSimulated = false
    /// The last fix, with a position or without.
    package private(set) var fix: Fix?
    /// The last fix that had a position.
    package private(set) var position: (fix: Fix, at: ClockReading)?
    /// The first fix of the present quality and dimensions.
    private var held: (time: UTCTime?, at: ClockReading)?
    /// The last complete list of satellites.
    package private(set) var satellites: [Satellite] = []
    /// The track of the last minutes.
    package private(set) var track = TrackHistory()
    /// Distance, times, speeds and heights since the start.
    package private(set) var trip = TrackSummary()
    /// The times of a recording, and the seconds since its first position.
    private var clock = FixClock()
    private var recorded = 0.0
    /// Altitudes of the last seconds.
    private var altitudes = AltitudeTrend()
    /// The received stream.
    package private(set) var stream = StreamHistory()

    /// Creates a model with nothing known.
    package init(name: String, origin: Origin) {
        self.name = name
        self.origin = origin
    }

    // MARK: Connection

    /// Call when the receiver has been opened under this name.
    ///
    /// A simulated one keeps the user's name, which says what is simulated.
    package mutating func opened(_ device: String, at moment: ClockReading) {
        if origin != .simulated { name = device }
        (passingTrouble, sharing) = (nil, nil)
        hasSimulated = false
        stream.pause()
        change(to: .open, moment)
    }

    /// Call when the receiver cannot be opened for now.
    package mutating func unavailable(_ reason: String, at moment: ClockReading) {
        if case .gone = condition { return passingTrouble = reason }
        change(to: .awaited(reason), moment)
    }

    /// Call when an open receiver is gone.
    package mutating func lost(_ reason: String, at moment: ClockReading) {
        change(to: .gone(reason), moment)
        held = nil
        satellites = []
        stream.pause()
        altitudes = AltitudeTrend()
        trip.endSegment()
    }

    /// Call when nothing more will come.
    package mutating func ended(_ reason: String?, at moment: ClockReading) {
        change(to: .ended(reason), moment)
    }

    /// Call when an open receiver has a problem.
    package mutating func troubled(_ reason: String) {
        passingTrouble = reason
    }

    /// Call when another program reads the tty, too.
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
        passingTrouble = nil
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

    /// Call with all bytes, each chunk before what is decoded from it: rejected sentences are shown.
    package mutating func didReceive(bytes: [UInt8]) {
        stream.note(bytes)
    }

    /// When a fix arrived. A recording may be read faster than it was made: its own times count, which may begin
    /// without a date.
    private mutating func seconds(of fix: Fix, at moment: ClockReading) -> Double {
        guard origin == .replay else { return Double(moment.steady) / 1e9 }
        recorded += max(0, clock.step(to: fix) ?? 0)
        return recorded
    }

    // MARK: Derived values

    /// Whether the data is simulated, by this program or by the receiver.
    var isSimulated: Bool { origin == .simulated || hasSimulated }

    /// Seconds between fixes. Of a recording by its own times, however fast it is read.
    var period: Double? { origin == .replay ? stream.receiverPeriod : stream.arrivalPeriod }

    /// Metres per second upwards: as received, or over the last seconds.
    var climb: Double? { position?.fix.climb ?? altitudes.slope }

    /// Seconds for which fixes have had the present quality and dimensions. Of a recording by its
    /// own times; it stops at the end.
    func heldFor(at now: ClockReading) -> Double? {
        guard let held else { return nil }
        if origin == .replay {
            guard let start = held.time, let time = fix?.time else { return nil }
            return Double(time.unixNanoseconds &- start.unixNanoseconds) / 1e9
        }
        return presentMoment(now).seconds(since: held.at)
    }

    /// Now, or the moment of the end.
    private func presentMoment(_ now: ClockReading) -> ClockReading {
        if case .ended = condition, let conditionChanged { return conditionChanged }
        return now
    }

    /// Seconds since the last fix with a position arrived, where that is longer than the rate lets
    /// expect.
    func staleness(at now: ClockReading) -> Double? {
        guard let position else { return nil }
        let age = now.seconds(since: position.at)
        let expected = stream.arrivalPeriod.map { max(3, $0 * 3) } ?? 3
        return age > expected ? age : nil
    }
}
