// SPDX-License-Identifier: MIT
public import GNSS

/// Simulates a receiver's antenna and channels: which satellites are tracked and used, and their
/// C/N0.
struct FrontEnd: Sendable {
    /// A satellite above the horizon, and its signal.
    private struct Channel {
        var sighting: Sighting
        /// The C/N0 of the main signal in dB-Hz; `nil` if the satellite is not tracked.
        var cn0: Double?
        var isUsable: Bool
    }

    /// The C/N0 in dB-Hz below which a signal is lost.
    private static let trackingThreshold = 20.0
    /// The C/N0 in dB-Hz below which a signal is too weak to be used.
    private static let usableThreshold = 25.0

    private var sky: SimulatedSky
    /// The signal IDs of each constellation, indexed by the constellation's raw value.
    private var signals: [[UInt8]] = []
    /// The times from the start to the first 2D and 3D fixes.
    var acquisition: Acquisition
    private let seed: UInt64
    private var fading: Fading
    private var second: Double?
    private var sightings: [Sighting] = []
    private var channels: [Channel] = []
    /// The indices in `channels` of the satellites that a 2D solution uses.
    private var flat: [Int] = []

    /// All satellites above the horizon in the last epoch, whether or not they are tracked.
    private(set) var truth: [Truth.Satellite] = []

    init(_ configuration: Observer.Configuration) {
        sky = SimulatedSky([])
        acquisition = configuration.acquisition
        seed = configuration.seed
        fading = Fading(seed: configuration.seed)
        receive(configuration.signals)
    }

    /// Changes the signals that the receiver can track (NMEA 4.11 signal IDs, the main one first).
    mutating func receive(_ signals: [Constellation: [UInt8]]) {
        sky = SimulatedSky(signals.keys)
        self.signals = Constellation.allCases.map { signals[$0] ?? [] }
        second = nil
    }

    /// Computes the satellites and signals of an epoch. `elapsed` is the time since the first
    /// epoch, and `running` the time since the last start, in seconds. Satellite positions are
    /// computed once a second.
    mutating func look(
        from state: TrueState, at nanoseconds: Int64, elapsed: Double, running: Double,
        _ surroundings: Surroundings, jamming: Double, _ falseSignals: FalseSignals?
    ) {
        let whole = elapsed.rounded(.down)
        if second != whole {
            let days = Earth.daysSinceJ2000(
                unixNanoseconds: nanoseconds &- Int64(nanosecondsIn: elapsed - whole))
            sightings = sky.sightings(
                from: state.coordinate, height: state.altitude + Observer.geoidSeparation,
                daysSinceJ2000: days)
            fading.advance(
                by: second.map { whole - $0 } ?? 0, sightings,
                hasMultipath: surroundings.hasMultipath)
            truth = sightings.map {
                Truth.Satellite(id: $0.id, elevation: $0.elevation, azimuth: $0.azimuth)
            }
            second = whole
        }
        channels.removeAll(keepingCapacity: true)
        for sighting in sightings {
            let isHidden = surroundings.hides(
                elevation: sighting.elevation, azimuth: sighting.azimuth)
            let own = fading.cn0(of: sighting, isHidden: isHidden)
            let received = own.map {
                (falseSignals?.cn0(of: sighting.id, $0, seed: seed, at: whole) ?? $0)
                    - max(0, jamming)
            }
            let cn0 = received.flatMap {
                $0 >= Self.trackingThreshold && isAcquired(sighting.id, after: running) ? $0 : nil
            }
            // A satellite that is hidden but received by reflection is tracked, but not used.
            channels.append(
                Channel(
                    sighting: sighting, cn0: cn0,
                    isUsable: (cn0 ?? 0) >= Self.usableThreshold && !isHidden
                        && sighting.elevation >= surroundings.mask
                        && sighting.id.constellation != .sbas))
        }
        chooseFlat()
    }

    /// Returns whether a satellite has been acquired, `seconds` after the receiver's start. Until
    /// the first 3D fix, satellites are acquired one after the other at random times.
    private func isAcquired(_ id: SatelliteID, after seconds: Double) -> Bool {
        guard seconds < acquisition.threeD else { return true }
        var random = SeededGenerator(seed: seed &+ id.number &* 0x1F3D_5B79)
        return seconds >= acquisition.threeD * random.unit()
    }

    /// Returns the satellites that a 2D or 3D solution uses. A 2D solution uses at most four
    /// satellites, all of one constellation.
    func used(for mode: FixMode) -> [Sighting] {
        channels.indices.filter { isUsed($0, for: mode) }.map { channels[$0].sighting }
    }

    private func isUsed(_ index: Int, for mode: FixMode) -> Bool {
        switch mode {
        case .noFix: false
        case .twoD: flat.contains(index)
        case .threeD: channels[index].isUsable
        }
    }

    /// Selects up to four satellites of the constellation with the most usable satellites, for a
    /// solution in two dimensions.
    private mutating func chooseFlat() {
        var best = 0..<0
        var start = 0
        let usable = channels.indices.filter { channels[$0].isUsable }
        while start < usable.count {
            let constellation = channels[usable[start]].sighting.id.constellation
            let end =
                usable[start...].firstIndex {
                    channels[$0].sighting.id.constellation != constellation
                } ?? usable.count
            if end - start > best.count { best = start..<end }
            start = end
        }
        flat = Array(usable[best].prefix(4))
    }

    /// Returns the satellites that the receiver lists: the tracked ones and, once a 2D fix is
    /// possible, all satellites above the horizon. `running` is the time since the last start in
    /// seconds.
    func listed(usedFor mode: FixMode?, running: Double) -> [ObservedSatellite] {
        var satellites: [ObservedSatellite] = []
        satellites.reserveCapacity(channels.count)
        let knowsOrbits = running >= acquisition.twoD
        for (index, channel) in channels.enumerated() where knowsOrbits || channel.cn0 != nil {
            let sighting = channel.sighting
            var tracked: [ObservedSignal] = []
            if let cn0 = channel.cn0 {
                let ids = signals[Int(sighting.id.constellation.rawValue)]
                tracked.reserveCapacity(ids.count)
                for (signalIndex, id) in ids.enumerated() {
                    let weaker = cn0 - 2 * Double(signalIndex)
                    if weaker >= Self.trackingThreshold || signalIndex == 0 {
                        tracked.append(ObservedSignal(signal: id, cn0: weaker))
                    }
                }
            }
            satellites.append(
                ObservedSatellite(
                    id: sighting.id, elevation: sighting.elevation, azimuth: sighting.azimuth,
                    signals: tracked, isUsed: mode.map { isUsed(index, for: $0) } ?? false))
        }
        return satellites
    }
}

/// A receiver's measurements at one epoch, with the ground truth.
public struct SimulatedObservation: Hashable, Sendable {
    /// The ground truth.
    public var truth: Truth
    /// The time that the receiver reports; `nil` until it knows the time.
    public var time: UTCTime?
    /// The satellites that the receiver lists, sorted by id.
    public var satellites: [ObservedSatellite]
    /// The position; `nil` without a fix.
    public var solution: Solution?
}

/// A satellite that the receiver lists.
public struct ObservedSatellite: Hashable, Sendable {
    /// The satellite's id.
    public var id: SatelliteID
    /// The elevation in degrees above the horizon, not rounded.
    public var elevation: Double
    /// The azimuth in degrees from true north, 0 up to 360, not rounded.
    public var azimuth: Double
    /// The tracked signals; empty if the satellite is listed but not tracked.
    package var signals: [ObservedSignal]
    /// Whether the solution uses the satellite.
    public var isUsed: Bool
}

/// A tracked signal of a satellite.
package struct ObservedSignal: Hashable, Sendable {
    /// The NMEA 4.11 signal ID, as in `SatelliteSignal`. 1 is the first civil signal of every
    /// constellation except Galileo, whose E1 signal is 7.
    package var signal: UInt8
    /// The carrier-to-noise density in dB-Hz, not rounded.
    package var cn0: Double
}

/// The position and velocity that a receiver computes, including their errors.
public struct Solution: Hashable, Sendable {
    /// Two or three dimensions; never `.noFix`.
    public var mode: FixMode
    /// The latitude and longitude in degrees (WGS 84).
    public var coordinate: Coordinate
    /// The altitude in metres above mean sea level. In two dimensions, the last known altitude.
    public var altitude: Double
    /// The height of mean sea level above the ellipsoid, in metres.
    public var geoidSeparation: Double
    /// The speed over ground in metres per second.
    public var speed: Double
    /// The course over ground in degrees true, 0 up to 360; `nil` if the speed is too low to
    /// measure it.
    public var course: Double?
    /// The climb rate in metres per second; positive upwards.
    public var climb: Double
    /// The dilutions of precision: the factors from range error to position error.
    public var dilution: Dilution
    /// The receiver's estimate of its errors. The real errors have this distribution, except where
    /// the receiver underestimates them (see `ErrorModel`).
    public var deviations: Deviations
    /// The corrections that the solution uses; `nil` if it uses none.
    package var corrections: SolutionCorrections?
}

/// The dilutions of precision, computed from the geometry of the used satellites. They have no
/// unit.
public struct Dilution: Hashable, Sendable {
    /// Horizontal DOP.
    public var hdop: Double
    /// Vertical DOP; `nil` in two dimensions.
    public var vdop: Double?
    /// Position DOP; in two dimensions, it equals the horizontal DOP.
    public var pdop: Double
    /// Time DOP, for the first constellation's clock.
    public var tdop: Double
    /// Geometric DOP, for position and time.
    public var gdop: Double

}

/// The standard deviations of the position error in metres, as in GST.
public struct Deviations: Hashable, Sendable {
    /// The standard deviation of the range error to a satellite, in metres.
    public var range: Double
    /// The standard deviation of the eastward error, in metres.
    public var east: Double
    /// The standard deviation of the northward error, in metres.
    public var north: Double
    /// The standard deviation of the altitude error, in metres; `nil` in two dimensions.
    public var up: Double?
    /// The semi-major axis of the one-sigma error ellipse, in metres.
    public var semiMajor: Double
    /// The semi-minor axis of the one-sigma error ellipse, in metres.
    public var semiMinor: Double
    /// The direction of the major axis in degrees true, 0 up to 180.
    public var orientation: Double
}

/// The ground truth of an epoch.
public struct Truth: Hashable, Sendable {
    /// A satellite above the horizon, whether or not it is tracked.
    public struct Satellite: Hashable, Sendable {
        /// The satellite's id.
        public var id: SatelliteID
        /// The elevation in degrees above the horizon.
        public var elevation: Double
        /// The azimuth in degrees from true north, 0 up to 360.
        public var azimuth: Double
    }

    /// The true time.
    public var time: UTCTime
    /// The true position and velocity of the antenna.
    public var state: TrueState
    /// The satellites above the horizon, sorted by id, including those that walls hide.
    public var satellites: [Satellite]
}

/// The obstacles between the antenna and the sky.
public struct Surroundings: Hashable, Sendable {
    /// An obstacle that hides the sky from the horizon to an elevation.
    public struct Wall: Hashable, Sendable {
        /// The direction of the wall's left edge in degrees true.
        public var from: Double
        /// The direction of the wall's right edge in degrees true, clockwise from the left edge. A
        /// wall all around has a right edge of 360 more than the left edge.
        public var to: Double
        /// The elevation up to which the wall hides the sky, in degrees.
        public var elevation: Double

        /// Creates a wall.
        public init(from: Double, to: Double, elevation: Double) {
            self.from = from
            self.to = to
            self.elevation = elevation
        }
    }

    /// The elevation below which the receiver uses no satellites, in degrees.
    public var mask: Double
    /// The obstacles that hide the sky.
    public var walls: [Wall]
    /// Whether walls reflect signals, which sometimes increases the range errors; see `ErrorModel`.
    public var hasMultipath: Bool

    /// Creates surroundings. By default, nothing hides the sky.
    public init(mask: Double = 5, walls: [Wall] = [], hasMultipath: Bool = false) {
        self.mask = mask
        self.walls = walls
        self.hasMultipath = hasMultipath
    }

    /// Surroundings without obstacles, with an elevation mask of 5°.
    public static let openSky = Surroundings()

    /// Returns the surroundings of a street crossing between tall buildings, with multipath.
    /// `street` is the direction of the wider street in degrees true.
    public static func urban(street: Double = 30) -> Surroundings {
        let walls = [
            (20.0, 75.0, 40.0), (75, 105, 15), (105, 160, 40),
            (200, 255, 30), (255, 285, 15), (285, 340, 30),
        ]
        return Surroundings(
            mask: 10,
            walls: walls.map { Wall(from: street + $0.0, to: street + $0.1, elevation: $0.2) },
            hasMultipath: true)
    }

    /// Returns whether a wall hides a direction. Angles are in degrees.
    package func hides(elevation: Double, azimuth: Double) -> Bool {
        walls.contains { wall in
            elevation < wall.elevation
                && (wall.to - wall.from >= 360
                    || (azimuth - wall.from).wrappedDegrees <= (wall.to - wall.from).wrappedDegrees)
        }
    }
}
