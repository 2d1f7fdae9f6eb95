// SPDX-License-Identifier: MIT
package import GNSS
package import GPSReceivers
import UBX

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
    /// The file for the Merkle tree of the key that signs Galileo's messages; `nil` if they are not
    /// signed.
    package var treeFile: String?
    private var isPlaced = false

    /// Creates the settings of a receiver that drives in a circle.
    package init() {}

    /// The settings: options of `simulate`, if they have help, and keys of `simulated:…`.
    private static let settings: [CommandOption<SimulationArguments>] = [
        .init(
            "personality", \.configuration.personality,
            .choice("NAME", among: Personality.all, called: "personality") { $0.name }, ""
        ).key("the receiver's name: see `gpsbridge simulate --personality list`"),
        .init(
            "protocol", \.configuration.protocols, .choice("PROTOCOL"),
            "Send nmea (as new u-blox receivers do), ubx or both; see docs/simulating.md"
        ).key("nmea, ubx or both, for u-blox receivers"),
        .init(
            "rate", letter: "r", \.configuration.rate, .number("HZ", 0.01...50),
            "Epochs per second (default: 1)"
        ).key("epochs per second"),
        .init("radius", \.radius, .metres(0...100_000), "")
            .key("the radius of the circle in metres; 0 for a receiver at rest"),
        .init("circle", \.radius, .metres(0...100_000), "Drive in a circle of this radius"),
        .init(
            "instruments", value: "LIST",
            "Also simulate instruments on the same line: compass,wind,depth, or some of them"
        ) { try $0.addInstruments($1) }
        .key("instruments on the same line: compass+wind+depth, or some of them"),
        .init(
            "speed", \.speed, .speed(0...500),
            "The speed in m/s, or as in 36km/h or 10kn (default: 10, or from the times of --track)"
        ).key("the speed in m/s, or with a unit as in 36km/h or 10kn"),
        .init("lat", \.place.latitude, .init("", CoordinateArgument.latitude), "")
            .key("the latitude of the circle's centre in degrees"),
        .init("lon", \.place.longitude, .init("", CoordinateArgument.longitude), "")
            .key("the longitude of the circle's centre in degrees"),
        .init(
            "sky", \.configuration.surroundings, .init("SKY", surroundings),
            "The view of the sky: open, urban, or the elevation in DEGREES below which it is blocked"
        ).key(
            "the view of the sky: open, urban, or the elevation in DEGREES below which it is blocked"
        ),
        .init(
            "seed", \.configuration.seed, .whole("N", 0...UInt64.max),
            "Random seed; the same seed and --start give the same output"
        ).key("a whole number; the same seed gives the same errors"),
        .init(
            "osnma", \.treeFile, .text("FILE"),
            "Sign Galileo's messages with a key of this process, and write its Merkle tree to FILE"),
        .init(
            "fault", adding: \.configuration.faults.faults, .init("FAULT", fault),
            "Simulate a fault; see below"
        ).key("a fault as for `gpsbridge simulate`, such as 10s: drag-off 1n; may be repeated"),
    ]

    /// The options of `simulate` for these settings.
    package static var options: [CommandOption<SimulationArguments>] {
        settings.filter { !$0.help.isEmpty }
    }

    /// The keys of `simulated:…`, with descriptions of their values for `--help`.
    package static var keys: [(name: String, value: String)] {
        settings.compactMap { setting in setting.keyHelp.map { (setting.name, $0) } }
    }

    /// Sets the value for a key. Throws a `UsageError` if the key is unknown or the value is
    /// invalid.
    package mutating func set(_ name: String, _ value: String) throws {
        guard let setting = Self.settings.first(where: { $0.name == name }) else {
            throw UsageError.unknown("setting", name, known: Self.keys.map(\.name))
        }
        try setting.apply(&self, value)
    }

    /// Sets the position, and the altitude if given, from `LAT,LON` or `LAT,LON,ALT`. Throws a
    /// `UsageError` if the text has another form.
    package mutating func setPlace(_ text: String) throws {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        if parts.count == 3 {
            let length = parts[2].filter { $0 != " " }
            altitude = try ArgumentForm.metres(-500...20_000).parse(String(length), "altitude")
        }
        let position = parts.count == 3 ? parts.prefix(2).joined(separator: ",") : text
        place = try CoordinateArgument.coordinate(position)
        isPlaced = true
    }

    /// Adds the instruments of a list such as `wind+depth` or `wind,depth`.
    private mutating func addInstruments(_ text: String) throws {
        let form = ArgumentForm<SimulatedInstrument>.choice("instrument")
        for word in text.split(whereSeparator: { $0 == "+" || $0 == "," }) {
            configuration.instruments.insert(try form.parse(String(word), "instrument"))
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
            let elevation = try ArgumentForm.number("", 0...60, "degrees").parse(text, "sky")
            let wall = Surroundings.Wall(from: 0, to: 360, elevation: elevation)
            return Surroundings(mask: elevation, walls: [wall])
        }
    }

    private static func fault(_ text: String) throws -> Fault {
        do {
            return try Fault(text)
        } catch {
            throw UsageError("fault '\(text)', \(error)")
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
        if treeFile != nil {
            guard personality.chip?.knows(RxmSFRBX.id) == true, configuration.protocols != .nmea
            else {
                throw UsageError(
                    "--osnma needs a personality from ublox8 on and --protocol ubx or both, because "
                        + "only UBX contains the messages of satellites")
            }
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
        \(TwoColumns.text(SimulationArguments.keys.map { ($0.name, $0.value) }))

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
