// SPDX-License-Identifier: MIT
package import GNSS

/// Computes a receiver's observations epoch by epoch. The same configuration and calls give the
/// same observations on any machine.
package struct Observer: Sendable {
    /// The settings of an observer: motion, signals, surroundings and errors.
    package struct Configuration: Sendable {
        /// The motion of the antenna.
        package var trajectory: any Trajectory = CircleTrack()
        /// The true time at the start.
        package var start: UTCTime
        /// The received signals of each constellation as NMEA 4.11 signal IDs, the main signal
        /// first.
        package var signals: [Constellation: [UInt8]] = [.gps: [1], .glonass: [1]]
        /// The obstacles that hide the sky.
        package var surroundings = Surroundings.openSky
        /// The model of range and velocity errors.
        package var errors = ErrorModel()
        /// The times to the first fix.
        package var acquisition = Acquisition.instant
        /// The seed of the random numbers. The same seed gives the same errors.
        package var seed: UInt64 = 1

        /// Creates the default configuration: a circle under open sky, with GPS and GLONASS.
        package init(start: UTCTime) {
            self.start = start
        }
    }

    /// The jamming, spoofing and receiver faults. Changes take effect with the next observation.
    package var disturbances = Disturbances()

    /// The elevation in degrees below which no satellites are used; `nil` for the mask of the
    /// surroundings.
    var minimumElevation: Double?

    /// The height of mean sea level above the ellipsoid, in metres.
    static let geoidSeparation = 43.4

    private let configuration: Configuration
    private var acquisition: Acquisition
    /// The time of the receiver's last start, in seconds after the start of the simulation.
    private var started = 0.0
    private var front: FrontEnd
    private var errors: ErrorProcess
    private var previous = 0.0
    /// The last time at which a fix was impossible, in seconds after the receiver's last start;
    /// `nil` while there is a fix.
    private var outage: Double?
    /// The altitude of the last solution in three dimensions, which two-dimensional solutions keep.
    private var heldAltitude: Double?

    /// Creates an observer.
    package init(_ configuration: Configuration) {
        self.configuration = configuration
        acquisition = configuration.acquisition
        front = FrontEnd(configuration)
        errors = ErrorProcess(configuration.errors, seed: configuration.seed)
    }

    /// Restarts the receiver at a time in seconds after the start of the simulation.
    mutating func restart(_ acquisition: Acquisition, at seconds: Double) {
        started = seconds
        outage = nil
        heldAltitude = nil
        acquire(acquisition)
    }

    /// Changes the times to the first fix, which are relative to the receiver's last start.
    mutating func acquire(_ acquisition: Acquisition) {
        self.acquisition = acquisition
        front.acquisition = acquisition
    }

    /// Changes the signals that the receiver can track (NMEA 4.11 signal IDs, the main one first).
    mutating func receive(_ signals: [Constellation: [UInt8]]) {
        front.receive(signals)
    }

    /// Returns the observation `seconds` after the start. `seconds` must increase with each call,
    /// and is limited to 3e9 (95 years).
    package mutating func observe(after seconds: Double) -> SimulatedObservation {
        let seconds = seconds > 0 ? min(seconds, 3e9) : 0
        errors.advance(to: seconds, step: max(0, seconds - previous))
        previous = seconds
        let state = configuration.trajectory.state(after: seconds)
        let elapsed = Int64((seconds * 1e9).rounded())
        let nanoseconds = configuration.start.unixNanoseconds.addingReportingOverflow(elapsed)
        let instant = nanoseconds.overflow ? Int64.max : nanoseconds.partialValue
        var surroundings = disturbances.surroundings ?? configuration.surroundings
        surroundings.mask = minimumElevation ?? surroundings.mask
        let running = seconds - started
        front.look(
            from: state, at: instant, elapsed: seconds, running: running, surroundings,
            jamming: disturbances.jamming, disturbances.falseSignals)
        let solution = solution(received(state), after: running, surroundings)
        let time = time(instant)
        return SimulatedObservation(
            truth: Truth(time: time, state: state, satellites: front.truth),
            time: running < acquisition.time ? nil : receiverTime(time),
            satellites: front.listed(usedFor: solution?.mode, running: running),
            solution: solution)
    }

    // MARK: Time

    /// Converts Unix nanoseconds to UTC. If `disturbances.leapSecondDay` is set, the first second
    /// after that day becomes 23:59:60, and all later times are one second earlier.
    private func time(_ nanoseconds: Int64) -> UTCTime {
        let second: Int64 = 1_000_000_000
        var result = nanoseconds
        if let day = disturbances.leapSecondDay,
            let midnight = TimeOfDay(hour: 0, minute: 0, second: 0)
        {
            let end = UTCTime(date: day.adding(days: 1), time: midnight).unixNanoseconds
            let (since, isFar) = nanoseconds.subtractingReportingOverflow(end)
            if !isFar, 0..<second ~= since,
                let leap = TimeOfDay(hour: 23, minute: 59, second: 60, nanosecond: Int(since))
            {
                return UTCTime(date: day, time: leap)
            }
            if nanoseconds >= end { result -= second }
        }
        return UTCTime(unixNanoseconds: result) ?? configuration.start
    }

    private func receiverTime(_ time: UTCTime) -> UTCTime {
        guard disturbances.clockOffset != 0 else { return time }
        let wrong = time.unixNanoseconds.addingReportingOverflow(disturbances.clockOffset)
        return wrong.overflow ? time : UTCTime(unixNanoseconds: wrong.partialValue) ?? time
    }

    // MARK: Position

    /// Returns the state that the signals correspond to: the true state or, with a repeater, the
    /// state of its antenna.
    private func received(_ state: TrueState) -> TrueState {
        guard let repeater = disturbances.repeater else { return state }
        var received = state
        received.coordinate = repeater
        (received.speed, received.course, received.climb) = (0, nil, 0)
        return received
    }

    private mutating func solution(
        _ state: TrueState, after seconds: Double, _ surroundings: Surroundings
    ) -> Solution? {
        guard seconds >= acquisition.twoD else { return nil }
        guard !disturbances.isFixLost,
            let (geometry, mode) = geometry(mayRise: seconds >= acquisition.threeD)
        else {
            outage = seconds
            return nil
        }
        if let outage, seconds - outage < acquisition.reacquisition { return nil }
        outage = nil
        let isFlat = mode == .twoD
        let range = errors.range(hasMultipath: surroundings.hasMultipath)
        let error = geometry.covariance.correlate(errors.position)
        // A 2D solution does not measure the altitude.
        let altitude =
            isFlat ? heldAltitude ?? state.altitude : state.altitude + range * error.z
        if !isFlat { heldAltitude = altitude }
        let velocity = motion(state)
        return Solution(
            mode: mode,
            coordinate: state.coordinate.moved(
                north: range * error.y + disturbances.spoofedNorth,
                east: range * error.x + disturbances.spoofedEast),
            altitude: altitude,
            geoidSeparation: Self.geoidSeparation, speed: velocity.speed,
            course: velocity.course, climb: isFlat ? 0 : state.climb + errors.velocity.z,
            dilution: geometry.dilution(isFlat: isFlat),
            deviations: geometry.covariance.deviations(
                range: errors.believedRange(hasMultipath: surroundings.hasMultipath),
                isFlat: isFlat))
    }

    /// Returns the geometry of the best possible solution: 3D with a PDOP of at most 20, or else 2D
    /// with an HDOP of at most 20. Returns `nil` if neither is possible. If `mayRise` is `false`,
    /// only a 2D solution is possible.
    private func geometry(mayRise: Bool) -> (Geometry, FixMode)? {
        if mayRise, let full = Geometry(front.used(for: .threeD)),
            full.dilution(isFlat: false).pdop <= Self.worstDilution
        {
            return (full, .threeD)
        }
        guard let flat = Geometry(front.used(for: .twoD), isFlat: true),
            flat.dilution(isFlat: true).hdop <= Self.worstDilution
        else { return nil }
        return (flat, .twoD)
    }

    private static let worstDilution = 20.0

    /// Returns the measured speed and course, including errors. Below 0.3 m/s, the course is `nil`.
    private func motion(_ state: TrueState) -> (speed: Double, course: Double?) {
        let (sine, cosine) = PortableMath.sinCos((state.course ?? 0).radians)
        let east = state.speed * sine + errors.velocity.x + disturbances.spoofedEastVelocity
        let north = state.speed * cosine + errors.velocity.y + disturbances.spoofedNorthVelocity
        let speed = (east * east + north * north).squareRoot()
        let course = PortableMath.atan2(east, north).degrees.wrappedDegrees
        return (speed, speed >= 0.3 ? course : nil)
    }
}

/// The times, in seconds, until a receiver knows the time and until it has its first fixes.
public struct Acquisition: Hashable, Sendable {
    /// The time from the start until the receiver knows the time, in seconds.
    public var time: Double
    /// The time from the start until a fix in two dimensions, in seconds.
    public var twoD: Double
    /// The time from the start until a fix in three dimensions, in seconds.
    public var threeD: Double
    /// The time from the end of an outage to the next fix, in seconds.
    public var reacquisition: Double

    /// Creates acquisition times in seconds. `twoD` is at least `time`, and `threeD` at least
    /// `twoD`; smaller values are raised.
    public init(time: Double, twoD: Double, threeD: Double, reacquisition: Double = 2) {
        self.time = max(0, time)
        self.twoD = max(self.time, twoD)
        self.threeD = max(self.twoD, threeD)
        self.reacquisition = max(0, reacquisition)
    }

    /// A fix at the first epoch.
    public static let instant = Acquisition(time: 0, twoD: 0, threeD: 0)
    /// A hot start: time, almanac and ephemerides are known.
    public static let hot = Acquisition(time: 0, twoD: 1, threeD: 1)
    /// A warm start after a night: ephemerides must be received.
    public static let warm = Acquisition(time: 1, twoD: 22, threeD: 25)
    /// A cold start: nothing is known.
    public static let cold = Acquisition(time: 9, twoD: 26, threeD: 29)
}
