// SPDX-License-Identifier: MIT
package import GNSS
package import GPSReceivers

/// The settings of a simulated receiver, as given by the options of `simulate` or by the source
/// `simulated:…`.
package struct SimulationArguments {
    /// The settings of the receiver, except the trajectory, which `configured()` adds.
    package var configuration = SimulatedReceiver.Configuration()
    /// The position of a receiver at rest, the centre of a circle, or the start of a line.
    package var place = CircleTrack().center
    /// The altitude in metres above mean sea level.
    package var altitude = 171.0
    /// The radius of the circle in metres; `nil` if not given.
    package var radius: Double?
    /// The speed in metres per second; `nil` if not given.
    package var speed: Double?
    /// The end of a straight line; `nil` if not given.
    package var destination: Coordinate?
    /// A function that reads the track file; `nil` if no file was given. If a speed in metres per
    /// second is passed to it, the times in the file are ignored.
    package var track: (@Sendable (_ speed: Double?) throws -> any Trajectory)?
    private var isPlaced = false

    /// Creates the settings of a receiver that drives in a circle.
    package init() {}

    /// The keys of `simulated:…`, with descriptions of their values for `--help`.
    package static let settings: [(name: String, value: String)] = [
        (
            "personality",
            "the receiver's name: see `gpsbridge simulate --personality list`"
        ),
        ("protocol", "nmea, ubx or both, for u-blox receivers"), ("rate", "epochs per second"),
        ("radius", "the radius of the circle in metres; 0 for a receiver at rest"),
        ("instruments", "instruments on the same line: compass+wind+depth, or some of them"),
        ("speed", "the speed in m/s, or with a unit as in 36km/h or 10kn"),
        ("lat", "the latitude of the circle's centre in degrees"),
        ("lon", "the longitude of the circle's centre in degrees"),
        (
            "sky",
            "the view of the sky: open, urban, or the elevation in DEGREES below which it is blocked"
        ),
        ("seed", "a whole number; the same seed gives the same errors"),
        ("fault", "a fault as for `gpsbridge simulate`, such as 10s: drag-off 1n; may be repeated"),
    ]

    /// Sets the value for a key. Throws a `UsageError` if the key is unknown or the value is
    /// invalid.
    package mutating func set(_ name: String, _ value: String) throws {
        switch name {
        case "personality":
            guard let personality = Personality.named(value) else {
                throw UsageError.unknown(
                    "personality", value, known: Personality.all.map(\.name))
            }
            configuration.personality = personality
        case "protocol": configuration.protocols = try Choice.of(value, "protocol")
        case "rate": configuration.rate = try Number.of(value, "rate", in: 0.01...50)
        case "radius", "circle":
            radius = try LengthArgument.metres(value, name, in: 0...100_000)
        case "speed":
            speed = try SpeedArgument.metresPerSecond(value, "speed", in: 0...500)
        case "lat": place.latitude = try CoordinateArgument.latitude(value)
        case "lon": place.longitude = try CoordinateArgument.longitude(value)
        case "instruments": try setInstruments(value)
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

    /// Sets the position, and the altitude if given, from `LAT,LON` or `LAT,LON,ALT`. Throws a
    /// `UsageError` if the text has another form.
    package mutating func setPlace(_ text: String) throws {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        if parts.count == 3 {
            let length = parts[2].filter { $0 != " " }
            altitude = try LengthArgument.metres(length, "altitude", in: -500...20_000)
        }
        let position = parts.count == 3 ? parts.prefix(2).joined(separator: ",") : text
        place = try CoordinateArgument.coordinate(position)
        isPlaced = true
    }

    /// Sets the instruments from a list such as `wind+depth` or `wind,depth`.
    private mutating func setInstruments(_ text: String) throws {
        for word in text.split(whereSeparator: { $0 == "+" || $0 == "," }) {
            configuration.instruments.insert(try Choice.of(String(word), "instrument"))
        }
    }

    private static func surroundings(_ text: String) throws -> Surroundings {
        switch text {
        case "open": return .openSky
        case "urban": return .urban()
        default:
            guard Double(text) != nil else {
                throw UsageError.unknown("sky", text, known: ["open", "urban", "DEGREES"])
            }
            let elevation = try Number.of(text, "sky", in: 0...60, unit: "degrees")
            let wall = Surroundings.Wall(from: 0, to: 360, elevation: elevation)
            return Surroundings(mask: elevation, walls: [wall])
        }
    }

    // MARK: Putting it together

    /// Returns the configuration, including the trajectory.
    ///
    /// Throws a `UsageError` for settings that conflict with each other or that the personality
    /// does not support.
    package func configured() throws -> SimulatedReceiver.Configuration {
        var configuration = configuration
        let personality = configuration.personality
        guard configuration.rate <= personality.maximumRate else {
            throw UsageError(
                "the personality \(personality.name) supports a rate of at most "
                    + "\(Number.short(personality.maximumRate)) Hz: use a lower --rate, or another "
                    + "personality")
        }
        guard personality.sendsUBX || configuration.protocols == .nmea else {
            let known = Personality.all.filter(\.sendsUBX).map(\.name).joined(separator: ", ")
            throw UsageError(
                "a \(personality.name) sends no UBX: use one of the personalities \(known)")
        }
        configuration.trajectory = try trajectory()
        return configuration
    }

    private func trajectory() throws -> any Trajectory {
        let ways = [radius != nil, destination != nil, track != nil].filter { $0 }
        guard ways.count <= 1 else {
            throw UsageError("--circle, --line and --track cannot be combined: choose one")
        }
        if let track {
            guard !isPlaced else {
                throw UsageError("--at and --track cannot be combined: a track has its own start")
            }
            return try track(speed)
        }
        if let destination { return try line(to: destination) }
        if isPlaced, radius == nil {
            guard speed == nil else {
                throw UsageError(
                    "--speed is for a moving receiver, and --at alone places it at rest: add "
                        + "--circle or --line")
            }
            return Stationary(at: place, altitude: altitude)
        }
        return CircleTrack(
            center: place, radius: radius ?? 100, speed: speed ?? 10, altitude: altitude)
    }

    private func line(to destination: Coordinate) throws -> LineTrack {
        let line = LineTrack(from: place, to: destination, speed: speed ?? 10, altitude: altitude)
        guard destination != place, let line else {
            throw UsageError("--line needs a position other than that of --at, and a speed above 0")
        }
        return line
    }
}

extension SourceArgument {
    /// The explanation of SOURCE for `--help`.
    package static let help = """
        SOURCE is one of:
        \(TwoColumns.text(forms))

        Keys of simulated, as in simulated:ublox8,rate=10,lat=48.2,lon=16.37:
        \(TwoColumns.text(SimulationArguments.settings.map { ($0.name, $0.value) }))

        Without SOURCE, the command uses the first receiver that is plugged in. If that receiver, serial:NUMBER, \
        or a link in /dev/serial or /dev/gnss does not exist yet, the command waits for it.
        """

    /// Parses a source, among them `simulated:…`, as
    /// `source(_:baudRate:speed:defaultSpeed:isLive:rateOption:simulated:)` does.
    package static func source(
        _ text: String, baudRate: BaudRate? = nil, speed: Double? = nil, defaultSpeed: Double = 1,
        isLive: Bool = false, rateOption: String = "--baud"
    ) throws -> any DeviceSource {
        try source(
            text, baudRate: baudRate, speed: speed, defaultSpeed: defaultSpeed, isLive: isLive,
            rateOption: rateOption
        ) { keys in
            SimulatedSource(try simulation(keys))
        }
    }

    private static func simulation(
        _ text: Substring
    ) throws -> SimulatedReceiver.Configuration {
        var arguments = SimulationArguments()
        for item in text.split(separator: ",") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            switch pair.count {
            case 2: try arguments.set(String(pair[0]), String(pair[1]))
            default: try arguments.set("personality", String(item))
            }
        }
        return try arguments.configured()
    }
}
