// SPDX-License-Identifier: MIT
package import GNSS
import GPSReceivers

/// A simulated receiver on the command line, by `simulate`'s options or in `simulated:…`.
package struct SimulationArguments {
    /// The settings without the trajectory, which `configured()` adds.
    package var configuration = SimulatedReceiver.Configuration()
    /// The position of a receiver at rest, the centre of a circle, or the start of a line.
    package var place = CircleTrack().center
    /// The radius of the circle in metres.
    package var radius: Double?
    /// Metres per second.
    package var speed: Double?
    /// The end of a straight line.
    package var destination: Coordinate?
    /// Reads the file with the track, to be followed at a speed if one is given.
    package var track: (@Sendable (_ speed: Double?) throws -> any Trajectory)?
    private var isPlaced = false

    /// Creates the settings of a receiver that drives in a circle.
    package init() {}

    /// The keys of `simulated:…`, with their values as shown in `--help`.
    package static let settings: [(name: String, value: String)] = [
        ("personality", "NAME, also without the key: see `gpsbridge simulate --personality list`"),
        ("protocol", "nmea, ubx or both, for u-blox receivers"), ("rate", "epochs a second"),
        ("radius", "metres of the circle that it drives"),
        ("speed", "m/s"), ("lat", "degrees of the circle's centre"), ("lon", "degrees"),
        ("sky", "open, urban or DEGREES above the horizon that are hidden"),
        ("seed", "a whole number; the same one makes the same errors"),
        ("fault", "as for simulate, such as 10s: drag-off 1n; also several times"),
    ]

    /// Applies a setting of `simulate` or of `simulated:…`.
    package mutating func set(_ name: String, _ value: String) throws {
        switch name {
        case "personality":
            guard let personality = Personality.named(value) else {
                throw UsageError.unknown(
                    "personality", value, known: Personality.all.map(\.name))
            }
            configuration.personality = personality
        case "protocol":
            guard let protocols = OutputProtocols(rawValue: value) else {
                throw UsageError.unknown(
                    "protocol", value, known: OutputProtocols.allCases.map(\.rawValue))
            }
            configuration.protocols = protocols
        case "rate": configuration.rate = try Number.of(value, "rate", in: 0.01...50)
        case "radius", "circle": radius = try Number.of(value, name, in: 0...100_000)
        case "speed": speed = try Number.of(value, "speed", in: 0...500)
        case "lat": place.latitude = try Number.of(value, "latitude", in: -90...90)
        case "lon": place.longitude = try Number.of(value, "longitude", in: -180...180)
        case "sky": configuration.surroundings = try Self.surroundings(value)
        case "seed":
            configuration.seed = try Number.whole(value, "seed", in: 0...UInt64.max)
        case "fault":
            do {
                configuration.faults.faults.append(try Fault(value))
            } catch {
                throw UsageError("fault: \(error)")
            }
        default:
            throw UsageError.unknown("setting", name, known: Self.settings.map(\.name))
        }
    }

    /// Sets the place from `LAT,LON`.
    package mutating func setPlace(_ text: String) throws {
        place = try CoordinateArgument.coordinate(text)
        isPlaced = true
    }

    private static func surroundings(_ text: String) throws -> Surroundings {
        switch text {
        case "open": return .openSky
        case "urban": return .urban()
        default:
            guard Double(text) != nil else {
                throw UsageError.unknown("sky", text, known: ["open", "urban", "DEGREES"])
            }
            let elevation = try Number.of(text, "sky", in: 0...60)
            let wall = Surroundings.Wall(from: 0, to: 360, elevation: elevation)
            return Surroundings(mask: elevation, walls: [wall])
        }
    }

    // MARK: Putting it together

    /// Returns the configuration, including the trajectory.
    ///
    /// Throws a `UsageError` for settings that contradict each other or that the personality does
    /// not support.
    package func configured() throws -> SimulatedReceiver.Configuration {
        var configuration = configuration
        let personality = configuration.personality
        guard configuration.rate <= personality.maximumRate else {
            throw UsageError(
                "a \(personality.name) sends at most \(Number.short(personality.maximumRate)) Hz: "
                    + "take a lower --rate, or another personality")
        }
        guard personality.sendsUBX || configuration.protocols == .nmea else {
            let known = Personality.all.filter(\.sendsUBX).map(\.name).joined(separator: ", ")
            throw UsageError(
                "a \(personality.name) sends no UBX: take one of the personalities \(known)")
        }
        configuration.trajectory = try trajectory()
        return configuration
    }

    private func trajectory() throws -> any Trajectory {
        let ways = [radius != nil, destination != nil, track != nil].filter { $0 }
        guard ways.count <= 1 else {
            throw UsageError("--circle, --line and --track exclude each other: choose one")
        }
        if let track {
            guard !isPlaced else {
                throw UsageError("--at and --track exclude each other: a track has its own start")
            }
            return try track(speed)
        }
        if let destination { return try line(to: destination) }
        if isPlaced, radius == nil {
            guard speed == nil else {
                throw UsageError("--speed needs a way to go beside --at: --circle or --line")
            }
            return Stationary(at: place, altitude: 171)
        }
        return CircleTrack(center: place, radius: radius ?? 100, speed: speed ?? 10)
    }

    private func line(to destination: Coordinate) throws -> LineTrack {
        guard destination != place, speed != 0 else {
            throw UsageError("--line needs another place than --at, and a speed above 0")
        }
        let line = LineTrack(from: place, to: destination, speed: speed ?? 10, altitude: 171)
        guard let line else {
            throw UsageError("--line leads to the other side of the globe: go by a nearer place")
        }
        return line
    }
}
