// SPDX-License-Identifier: MIT
package import GNSS

/// Computes a receiver's observations epoch by epoch. The same configuration and calls give the
/// same observations on any machine.
package struct Observer: Sendable {
    /// The settings of an observer: motion, signals, surroundings and errors.
    package struct Configuration: Sendable {
        /// The motion of the antenna.
        package var trajectory: any Trajectory = CircleTrack()
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
    package var time: Double
    /// The time from the start until a fix in two dimensions, in seconds.
    var twoD: Double
    /// The time from the start until a fix in three dimensions, in seconds.
    package var threeD: Double
    /// The time from the end of an outage to the next fix, in seconds.
    var reacquisition: Double

    /// Creates acquisition times in seconds. `twoD` is at least `time`, and `threeD` at least
    /// `twoD`; smaller values are raised.
    package init(time: Double, twoD: Double, threeD: Double, reacquisition: Double = 2) {
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

/// The statistics of a simulated receiver's measurement errors. Position errors, and the accuracies
/// that the receiver reports, are computed from these and the satellite geometry.
public struct ErrorModel: Hashable, Sendable {
    /// The standard deviation of a range error under open sky, in metres.
    ///
    /// The default is the value that `RangeError` assumes if a receiver reports only its DOPs.
    package var range = RangeError().autonomous
    // `urbanRange` and `multipathRange` are tuned so that a circle with the radius 1.07 × HDOP ×
    // `range` contains 68 % of the errors in urban surroundings, including bursts: 67 % where error
    // ellipses are round, 69 % where they are long.
    /// The standard deviation of a range error in urban surroundings, outside multipath bursts, in
    /// metres.
    var urbanRange = 4.85
    /// The standard deviation of a range error during a multipath burst, in metres.
    var multipathRange = 8.0
    // A real receiver underestimates multipath. (Also, a circle with a radius of 1.07 sigma
    // contains more than 68 % of the errors where ellipses are long.)
    /// In urban surroundings, the ratio of the real errors to the errors that the receiver reports.
    var urbanUnderestimate = 1.02
    /// The average time between multipath bursts, in seconds.
    var multipathInterval = 90.0
    /// The average duration of a multipath burst, in seconds.
    var multipathDuration = 10.0
    /// The correlation time of the position error, in seconds.
    var correlationTime = 15.0
    /// The fraction of the position error's variance that is white noise, 0 to 1. The other part is
    /// correlated in time.
    var whiteNoiseFraction = 0.04
    /// The standard deviation of the velocity error in each direction, in metres per second.
    var velocity = 0.05

    /// Creates the default model: a civil single-frequency receiver.
    public init() {}

    /// Returns a model with all errors multiplied by `factor`. A factor of 0 removes all errors.
    public func scaled(by factor: Double) -> ErrorModel {
        var scaled = self
        scaled.range *= factor
        scaled.urbanRange *= factor
        scaled.multipathRange *= factor
        scaled.velocity *= factor
        return scaled
    }
}

/// Generates the errors of successive epochs. The errors also advance without a fix, so that an
/// outage does not change the errors after it.
private struct ErrorProcess: Sendable {
    /// The east, north and up errors before the geometry is applied. They are independent and have
    /// variance 1.
    private(set) var position = Vector(x: 0, y: 0, z: 0)
    /// The east, north and up errors of the velocity in metres per second.
    private(set) var velocity = Vector(x: 0, y: 0, z: 0)
    /// Whether a multipath burst is active. It only affects receivers in urban surroundings.
    private var isBurst = false

    private let model: ErrorModel
    private var random: SeededGenerator
    private var bursts: SeededGenerator
    private var bias: Vector
    private var change: Double
    private var decay = (step: 0.0, factor: 1.0, fresh: 0.0)

    init(_ model: ErrorModel, seed: UInt64) {
        self.model = model
        random = SeededGenerator(seed: seed ^ 0x5EED_0E44_0450_0001)
        bursts = SeededGenerator(seed: seed ^ 0x5EED_0E44_0450_0002)
        bias = Self.vector(&random)
        change = model.multipathInterval * (0.5 + bursts.unit())
    }

    /// Computes the errors at `seconds` after the start, `step` seconds after the previous errors.
    mutating func advance(to seconds: Double, step: Double) {
        if step != decay.step {
            // This is a Gauss-Markov process: the part that decays is replaced by new noise.
            let factor = PortableMath.exp(-step / max(1e-3, model.correlationTime))
            decay = (step, factor, (1 - factor * factor).squareRoot())
        }
        bias = Self.mix(bias, decay.factor, Self.vector(&random), decay.fresh)
        let white = min(1, max(0, model.whiteNoiseFraction))
        position = Self.mix(
            bias, (1 - white).squareRoot(), Self.vector(&random), white.squareRoot())
        velocity = Self.mix(velocity, 0, Self.vector(&random), model.velocity)
        // After a gap of months, do not simulate each burst in it.
        if seconds - change > 1e7 { change = seconds }
        while seconds >= change {
            isBurst.toggle()
            let mean = isBurst ? model.multipathDuration : model.multipathInterval
            change += max(0.01, mean * (0.5 + bursts.unit()))
        }
    }

    /// Returns the current standard deviation of a range error, in metres. `hasMultipath` is `true`
    /// in urban surroundings.
    func range(hasMultipath: Bool) -> Double {
        guard hasMultipath else { return model.range }
        return isBurst ? model.multipathRange : model.urbanRange
    }

    /// Returns the standard deviation of a range error that the receiver assumes, in metres. In
    /// urban surroundings, it is less than the real one.
    func believedRange(hasMultipath: Bool) -> Double {
        let range = range(hasMultipath: hasMultipath)
        return hasMultipath ? range / max(0.1, model.urbanUnderestimate) : range
    }

    private static func vector(_ random: inout SeededGenerator) -> Vector {
        let x = random.normal()
        let y = random.normal()
        return Vector(x: x, y: y, z: random.normal())
    }

    private static func mix(_ a: Vector, _ fraction: Double, _ b: Vector, _ other: Double) -> Vector
    {
        Vector(
            x: a.x * fraction + b.x * other, y: a.y * fraction + b.y * other,
            z: a.z * fraction + b.z * other)
    }
}

/// The jamming, spoofing and receiver faults that affect an observation. Set them before calling
/// `Observer.observe(after:)`.
package struct Disturbances: Hashable, Sendable {
    /// The decrease of every C/N0 caused by a jammer, in dB. From about 30, no satellite is
    /// tracked.
    package var jamming = 0.0
    /// Whether the fix is lost although satellites are tracked.
    package var isFixLost = false
    /// The offset that a spoofer adds to the position, to the north in metres.
    package var spoofedNorth = 0.0
    /// The offset that a spoofer adds to the position, to the east in metres.
    var spoofedEast = 0.0
    /// The velocity that a spoofer adds, to the north in metres per second.
    var spoofedNorthVelocity = 0.0
    /// The velocity that a spoofer adds, to the east in metres per second.
    var spoofedEastVelocity = 0.0
    /// The position of a repeater's antenna at rest, whose signals are received instead of the true
    /// ones; `nil` without a repeater.
    var repeater: Coordinate?
    /// The false signals that determine the signal strengths; `nil` to keep the true strengths.
    var falseSignals: FalseSignals?
    /// The gain (AGC) as a fraction of its normal value, 0 to 1; `nil` to compute it from
    /// `jamming`.
    var gain: Double?
    /// Whether the chip's spoofing detector reports false signals.
    var isSpoofingReported = false
    /// The surroundings to use instead of the configured ones; `nil` for the configured ones.
    package var surroundings: Surroundings?
    /// The offset to add to the receiver's time in nanoseconds, for example -1024 weeks.
    package var clockOffset: Int64 = 0
    /// The day that ends with a leap second (23:59:60); `nil` for none.
    package var leapSecondDay: CalendarDate?
    /// The faults of Galileo's signed messages.
    package var signatures = SimulatedSignatures.Faults()

    /// Creates disturbances without effect.
    package init() {}

    /// The clock offset of a receiver whose 10-bit week number has overflowed: -1024 weeks in
    /// nanoseconds.
    package static let weekRollover: Int64 = -1024 * 7 * 86_400 * 1_000_000_000
}

/// The strengths of a spoofer's signals, which replace the strengths of the true signals.
struct FalseSignals: Hashable, Sendable {
    /// The mean C/N0 of the false signals in dB-Hz.
    var level: Double
    /// The fraction of the true signals' deviations from 41 dB-Hz that the attacker imitates, 0 to
    /// 1.
    var kept = 0.0
    /// The maximum random deviation of a false signal, in dB.
    var width = 0.0
    /// The progress of the transition from the true to the false C/N0, 0 to 1.
    var progress = 1.0

    /// The mean C/N0 of signals from an open sky, in dB-Hz.
    private static let openSkyLevel = 41.0

    /// Returns the received C/N0 of a satellite in dB-Hz. `own` is the C/N0 of its true signals,
    /// and `second` is the time since the first epoch in whole seconds.
    func cn0(of id: SatelliteID, _ own: Double, seed: UInt64, at second: Double) -> Double {
        var lasting = SeededGenerator(
            seed: seed ^ 0xFA15_E519 &+ id.number &* 0x9E37_79B9_7F4A_7C15)
        let moment = UInt64(max(0, second))
        var passing = SeededGenerator(seed: lasting.next() &+ moment &* 0xD1B5_4A32_D192_ED03)
        let difference = width * (lasting.unit() + passing.unit() - 1)
        let target = level + kept * (own - Self.openSkyLevel) + difference
        return own + (target - own) * progress
    }
}

extension SatelliteID {
    /// A different number for each satellite, which seeds its random numbers.
    var number: UInt64 { UInt64(constellation.rawValue) << 8 | UInt64(svid) }
}

/// Simulates the C/N0 of satellites. It depends on the elevation, differs between satellites, and
/// varies slowly. Reflections from walls add fading.
struct Fading: Sendable {
    private static let slots = 8 * 256
    private static let time = 60.0
    private static let deviation = 1.2
    /// The power of the direct signal divided by the total power of all reflections from walls.
    ///
    /// The value is 7 dB. 3GPP TR 38.811 lists 7.4 to 9.3 dB between 20° and 50°, and 4.4 dB at
    /// 10°, for a direct signal between tall houses (dense urban, S band).
    private static let directPower = 5.0
    /// The correlation time of reflections in seconds. For a receiver at rest with a wall 15 m
    /// away, the path of the reflected signal changes by half a wavelength while the satellite
    /// moves for 20 s.
    private static let reflectedTime = 20.0

    /// The slow variation in dB, indexed by `SatelliteID.number`.
    private var slowVariation: [Double]
    private var random: SeededGenerator
    /// The amplitudes of reflections relative to the direct signal, in phase and in quadrature,
    /// indexed by `SatelliteID.number`; empty without reflections.
    private var reflections: [(inPhase: Double, across: Double)] = []
    /// The random generator for reflections. It is separate from `random`, so that the slow
    /// variation is the same with and without walls.
    private var reflectedRandom: SeededGenerator
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        slowVariation = [Double](repeating: 0, count: Self.slots)
        random = SeededGenerator(seed: seed ^ 0x5EED_0FAD_1406_0003)
        reflectedRandom = SeededGenerator(seed: seed ^ 0x5EED_0FAD_1406_0004)
    }

    /// Advances the random variation of all satellites in `sightings` by a number of seconds.
    mutating func advance(by seconds: Double, _ sightings: [Sighting], hasMultipath: Bool) {
        let process = Process(Self.deviation, Self.time, seconds)
        for sighting in sightings {
            process.advance(&slowVariation[Int(sighting.id.number)], &random)
        }
        guard hasMultipath else { return reflections = [] }
        let isFirst = reflections.isEmpty
        if isFirst { reflections = Array(repeating: (0, 0), count: Self.slots) }
        let reflected = Process(
            (0.5 / Self.directPower).squareRoot(), Self.reflectedTime,
            isFirst ? .infinity : seconds)
        for sighting in sightings {
            let slot = Int(sighting.id.number)
            reflected.advance(&reflections[slot].inPhase, &reflectedRandom)
            reflected.advance(&reflections[slot].across, &reflectedRandom)
        }
    }

    /// A first-order Gauss-Markov process: the old value decays exponentially, and noise keeps the
    /// variance constant.
    private struct Process {
        private let factor: Double
        private let fresh: Double

        init(_ deviation: Double, _ time: Double, _ seconds: Double) {
            factor = PortableMath.exp(-max(0, seconds) / time)
            fresh = deviation * (1 - factor * factor).squareRoot()
        }

        func advance(_ value: inout Double, _ random: inout SeededGenerator) {
            value = value * factor + fresh * random.normal()
        }
    }

    /// Returns the C/N0 of the main signal in dB-Hz: about 33 at the horizon and 48 at the zenith.
    /// If `isHidden` is `true` (behind a wall), only reflections are received; without reflections,
    /// returns `nil`.
    func cn0(of sighting: Sighting, isHidden: Bool) -> Double? {
        let slot = Int(sighting.id.number)
        var own = SeededGenerator(seed: seed &+ UInt64(slot))
        let direct = 33 + 15 * sighting.direction.z + 3 * (own.unit() - 0.5) + slowVariation[slot]
        guard !reflections.isEmpty else { return isHidden ? nil : direct }
        let (inPhase, across) = reflections[slot]
        let sum = (isHidden ? 0 : 1) + inPhase
        return direct + 10 * PortableMath.log10(max(sum * sum + across * across, 1e-6))
    }
}
