// SPDX-License-Identifier: MIT
package import GNSS

/// The data shown for one receiver.
package struct ScreenModel: Sendable {
    /// The state of the connection to the receiver.
    package enum Condition: Hashable, Sendable {
        /// The source has not been opened yet. The value is the reason; empty if unknown.
        case awaited(String)
        /// The receiver is open.
        case open
        /// The receiver was disconnected. The value is the reason.
        case gone(String)
        /// The source has ended. The value is the error; `nil` at a normal end.
        case ended(String?)
    }

    /// The name of the source as given by the user; after it was opened, the name of the device.
    package private(set) var name: String
    /// Where the data comes from.
    package private(set) var origin: DataOrigin
    /// The state of the connection.
    package private(set) var condition = Condition.awaited("")
    /// When `condition` last changed; `nil` if it has not.
    private(set) var conditionChanged: ClockReading?
    /// The problem that is shown; `nil` if there is none.
    var shownProblem: String? { passingProblem ?? lastingProblem }
    /// A problem of the open receiver that is resolved when the next fix arrives, with or without a
    /// position, or when a silent receiver sends messages again, even if they contain no fix.
    package var passingProblem: String?
    /// A problem that a fix does not resolve, such as another program that also reads the tty. It is
    /// shown until the receiver is lost or opened again.
    package var lastingProblem: String?
    /// The receiver that is read, if the source has several; otherwise `nil`.
    package var chosenReceiver: String?

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
    /// The satellites of the last complete lists.
    package private(set) var satellites: [Satellite] = []
    /// The track of the last ten minutes.
    package private(set) var track = TrackHistory()
    /// The statistics of the trip since the start: distance, times, speeds and altitudes.
    package private(set) var trip = TrackSummary()
    /// Computes the time between the fixes of a recording.
    private var clock = FixClock()
    /// The recorded time from the first to the latest position of a recording, in seconds.
    private var recorded = 0.0
    /// The altitudes of the last seconds, from which the climb rate is computed.
    private var altitudes = AltitudeTrend()
    /// The state of the anchor watch and the route; `nil` if neither is used. Set it before passing
    /// the fix that the state belongs to.
    package var navigation: Navigation?
    /// The recent values of depth sounders, wind vanes and other instruments.
    private(set) var instruments = InstrumentReadings()
    /// Statistics of the received stream, and the last sentences.
    package var stream = StreamHistory()

    /// Creates a model without data.
    package init(name: String, origin: DataOrigin) {
        self.name = name
        self.origin = origin
    }

    // MARK: Connection

    /// Updates the model when the receiver has been opened. `device` is the name of the device.
    ///
    /// A simulated receiver keeps the name given by the user, because it describes what is
    /// simulated.
    package mutating func opened(_ device: String, at moment: ClockReading) {
        if origin != .simulated { name = device }
        (passingProblem, lastingProblem, chosenReceiver) = (nil, nil, nil)
        hasSimulated = false
        stream.pause()
        change(to: .open, moment)
    }

    /// Updates the model when the receiver cannot be opened at the moment. After a disconnection,
    /// the condition remains `gone`, and the reason is shown as a problem.
    package mutating func unavailable(_ reason: String, at moment: ClockReading) {
        if case .gone = condition { return passingProblem = reason }
        change(to: .awaited(reason), moment)
    }

    /// Updates the model when the open receiver was disconnected.
    package mutating func lost(_ reason: String, at moment: ClockReading) {
        change(to: .gone(reason), moment)
        held = nil
        satellites = []
        (passingProblem, lastingProblem) = (nil, nil)
        stream.pause()
        altitudes = AltitudeTrend()
        trip.endSegment()
    }

    /// Updates the model when the source has ended.
    package mutating func ended(_ reason: String?, at moment: ClockReading) {
        change(to: .ended(reason), moment)
    }

    /// Updates the model when the open receiver has become silent. Its last satellites are outdated.
    /// A problem that explains the silence, such as a wrong baud rate, stays.
    package mutating func silent() {
        passingProblem = passingProblem ?? "silent"
        satellites = []
    }

    private mutating func change(to new: Condition, _ moment: ClockReading) {
        condition = new
        conditionChanged = moment
    }

    // MARK: Data

    /// Sets the origin of the current data. If a recording contains simulated data, `origin`
    /// remains `.replay`, and `isSimulated` becomes `true`.
    package mutating func set(_ new: DataOrigin) {
        if origin != .replay || new != .simulated { return origin = new }
        hasSimulated = true
    }

    /// Updates the model with the fix of an epoch.
    package mutating func didReceive(
        fix new: Fix, satellites view: SatelliteView, at moment: ClockReading
    ) {
        if fix?.mode != new.mode || fix?.quality != new.quality || held == nil {
            held = (new.time, moment)
        }
        // Receivers may report the date later than their first fix.
        if held?.time == nil { held?.time = new.time }
        fix = new
        passingProblem = nil
        hasSimulated = hasSimulated || new.quality == .simulated
        satellites = view.satellites
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

    /// Updates the model when the satellite lists are complete.
    package mutating func didReceive(satellites view: SatelliteView) {
        satellites = view.satellites
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
        if case .ended = condition, let conditionChanged { return conditionChanged }
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
