// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSIO
import GPSReceivers
import GPSServer
import Glibc
import SimulatedDevices
import Synchronization

/// The sources that a command reads, and the options for them.
struct SourceArguments {
    /// The options `--live`, `--baud`, `--warm-start`, `--corrections`, `--vote` and `--at`.
    static let options: [CommandOption<SourceArguments>] =
        [.live(\.isLive), .baudRate(\.baudRate)]
        + WarmStartArguments.options.stored(in: \.warmStart)
        + CorrectionArguments.options.stored(in: \.corrections)
        + VoteArguments.options.stored(in: \.vote)

    /// The maximum replay speed with `--vote`, as a multiple of the recorded speed. Each recording
    /// is replayed separately. At several hundred times the recorded speed, one of them falls
    /// behind, and the others no longer confirm its fixes.
    private static let maximumVoteSpeed = 50.0

    /// The sources as given by the user; empty to use the first receiver that is plugged in.
    var words: [String] = []
    private var isLive = false
    var baudRate: BaudRate?
    var vote = VoteArguments()
    var warmStart = WarmStartArguments()
    var corrections = CorrectionArguments()

    /// Runs warm starts and sends corrections for the receivers on serial lines while `body` reads
    /// the sources.
    func whileActive(
        _ sources: [any DeviceSource], _ body: () async throws -> Void
    ) async throws {
        let feeds = try corrections.feeds()
        let ephemerides = warmStart.ephemerides(of: feeds)
        defer { withExtendedLifetime(ephemerides) {} }
        try await warmStart.whileActive(sources, ephemerides?.collection) {
            try await CorrectionArguments.send(feeds, to: sources, while: body)
        }
    }

    /// Throws a `UsageError` if an option is for serial lines but no source is one.
    func check(_ sources: [any DeviceSource]) throws {
        try warmStart.check(sources)
        try corrections.check(sources)
    }

    /// Parses the sources. With `--vote`, returns a single source that combines them.
    ///
    /// If there are several sources, or if `namesAll` is `true`, simulated receivers are named after
    /// their arguments. Repeated names get a number.
    func deviceSources(
        speed: Double? = nil, defaultSpeed: Double = 1, namesAll: Bool = false
    ) throws -> [any DeviceSource] {
        if vote.isActive, let speed, speed > Self.maximumVoteSpeed {
            let limit = Number.short(Self.maximumVoteSpeed)
            throw UsageError(
                "--vote replays recordings at most \(limit) times as fast as they were recorded: "
                    + "give a lower --speed")
        }
        return try vote.sources(words) { texts in
            try SourceArgument.checkLive(isLive, texts)
            guard !texts.isEmpty else { return [FirstReceiverSource(baudRate: baudRate)] }
            return try texts.enumerated().map { index, text -> any DeviceSource in
                let source = try SourceArgument.decompressedSource(
                    text, baudRate: baudRate, speed: speed, defaultSpeed: defaultSpeed,
                    isLive: isLive)
                guard texts.count > 1 || namesAll else { return source }
                let number = texts[...index].count { $0 == text }
                return source.named(number == 1 ? text : "\(text) (\(number))")
            }
        }
    }

    /// Checks each source alone, for `--check-config`.
    func checkMachine(_ attempt: (() throws -> Void) -> Void) {
        for word in words {
            attempt {
                let text = vote.isActive ? VoteArguments.split(word).source : word
                try ServiceArguments.checkMachine(
                    for: SourceArgument.decompressedSource(
                        text, baudRate: baudRate, isLive: isLive))
            }
        }
        attempt { _ = try corrections.feeds() }
    }

    /// Throws a `UsageError` if one of the parsed sources is given twice.
    func checkDistinct(_ sources: [any DeviceSource]) throws {
        for (index, source) in sources.enumerated()
        where sources[..<index].contains(where: { $0.identity == source.identity }) {
            throw UsageError(
                "unexpected argument '\(words[index])': this source was already given")
        }
    }
}

/// A command that reads sources, with or without `--vote` and `--warm-start`.
protocol SourceCommand: Command {
    var sources: SourceArguments { get set }
}

extension SourceCommand {
    /// The options of `SourceArguments`, which a command adds to its own. They set the properties
    /// of `sources`.
    static var sourceOptions: [CommandOption<Self>] {
        SourceArguments.options.stored(in: \.sources)
    }

    mutating func addArgument(_ word: String) throws {
        sources.words.append(word)
    }
}

extension SourceArgument {
    /// Parses a source as `source(_:baudRate:speed:defaultSpeed:isLive:)` does. In addition, a
    /// compressed recording is decompressed, and a track in a format other than NMEA is converted
    /// to sentences.
    static func decompressedSource(
        _ text: String, baudRate: BaudRate?, speed: Double? = nil, defaultSpeed: Double = 1,
        isLive: Bool = false
    ) throws -> any DeviceSource {
        try CompressedSource.decompressing(
            source(
                text, baudRate: baudRate, speed: speed, defaultSpeed: defaultSpeed, isLive: isLive))
    }
}

extension DeviceSource {
    /// Returns the source with another name if it is a simulated receiver; otherwise, returns it
    /// unchanged.
    func named(_ name: String) -> any DeviceSource {
        guard let simulated = self as? SimulatedSource else { return self }
        return SimulatedSource(simulated.configuration, name: name)
    }
}

/// Checks the options `--chrony`, `--shm` and `--pps`, which send the time to a clock daemon.
enum ClockArguments {
    /// Throws a `UsageError` if `--pps` cannot use its shared memory unit. With `--shm N`, the
    /// pulses use unit N + 1, which must exist and must not be the unit of another `--shm`.
    static func check(_ clocks: ClockConfiguration) throws {
        if let unit = clocks.unitWithTwoInputs {
            throw UsageError(
                "with --shm \(unit - 1), --pps uses shared memory unit \(unit), which "
                    + "--shm \(unit) uses as well: choose another unit instead of \(unit)"
            )
        }
        let last = SharedMemoryClock.units.upperBound
        guard clocks.pulseDevice != nil, clocks.sharedMemoryUnits.contains(last) else { return }
        throw UsageError(
            "with --shm \(last), --pps would use shared memory unit \(last + 1), but \(last) is "
                + "the last unit: give a lower unit to --shm"
        )
    }

    /// Throws a `UsageError` if `clocks` contains a socket of chrony or a shared memory unit. Call
    /// it for `--vote`: the time would jump when the selected receiver changes, because receivers
    /// report with different delays.
    static func refuse(_ clocks: ClockConfiguration) throws {
        guard !clocks.chronySockets.isEmpty || !clocks.sharedMemoryUnits.isEmpty else { return }
        throw UsageError(
            "--chrony and --shm need the time of one receiver: leave out --vote, or run "
                + "another `gpsbridge serve` with one receiver for --chrony and --shm"
        )
    }
}

/// The options for an anchor watch and a route.
struct NavigationArguments: Sendable {
    private var settings = Navigator.Settings()

    /// The options `--anchor` and `--to`.
    static let options: [CommandOption<NavigationArguments>] = [
        .anchor(\.settings.circle),
        .init(
            "to", value: "PLACE",
            "Show the bearing and distance to LAT,LON, or along the route of a GPX file (or to its first waypoint)"
        ) {
            let isFile = $1.lowercased().hasSuffix(".gpx")
            $0.settings.route =
                isFile
                ? try route(inFile: $1)
                : [RoutePoint(try CoordinateArgument.coordinate($1))]
        }.once(),
    ]

    private static func route(inFile path: String) throws -> [RoutePoint] {
        do {
            let bytes = try RegularFile.bytes(of: path, limit: 256 << 20)
            return try GPXWaypoints(bytes, name: path).route
        } catch let error as RegularFile.ReadingError {
            throw InputError(path, "cannot be read: \(error)")
        }
    }

    var hasRoute: Bool { !settings.route.isEmpty }

    /// Enables the anchor watch and the route for the receivers that this process opens from now
    /// on.
    func activate() {
        guard settings != Navigator.Settings() else { return }
        ReceiverPool.shared.navigation = settings
    }
}

extension ArgumentForm<ListenAddress> {
    /// An address to listen on. `port` is the port of a host that is given without one.
    static func address(defaultPort port: UInt16) -> ArgumentForm {
        ArgumentForm(
            "ADDRESS", not: "an address to listen on",
            expected:
                "a port from 0 to 65535, as in \(port), localhost:\(port) or *:\(port), or the "
                + "path of a Unix socket"
        ) { ListenAddress($0, defaultPort: port) }
    }
}

/// Checks the addresses on which a server listens, and warns about them.
enum ListenArguments {
    /// Throws a `UsageError` if the addresses of two services overlap. Without this check, the
    /// second service would fail with the misleading error that another program uses its port.
    static func checkDistinct(_ configuration: ServerConfiguration) throws {
        let addresses =
            configuration.gpsd + sentences(configuration) + configuration.signalK
            + configuration.http
        for (index, address) in addresses.enumerated() {
            guard let other = addresses[..<index].first(where: { $0.overlaps(address) }) else {
                continue
            }
            throw UsageError(
                other == address
                    ? "\(address) is used twice"
                        + (ServerConfiguration().gpsd == [address]
                            ? " (the server for gpsd's protocol listens on it by default)" : "")
                        + ": give each service its own address"
                    : "\(other) and \(address) overlap: give one of them another port")
        }
    }

    /// Warns if other machines can see the positions of the receivers.
    static func warn(_ configuration: ServerConfiguration, servedAt addresses: OpenAddresses) {
        for address in addresses.gpsd where !address.isLocal {
            let control = configuration.allowsControl ? ", and can change the receivers" : ""
            warn(address, control + ": use an address in a network that you trust")
        }
        for address in addresses.sentences + addresses.signalK where !address.isLocal {
            warn(address, ": use an address in a network that you trust")
        }
        guard configuration.page.token == nil else { return }
        for address in addresses.http where !address.isLocal {
            warn(
                address,
                ", and where they were in the last hour: use --http-token-file, or a reverse proxy that "
                    + "asks for a password"
            )
        }
    }

    /// Returns the addresses at which clients receive sentences.
    private static func sentences(_ configuration: ServerConfiguration) -> [ListenAddress] {
        configuration.sentences.compactMap { output in
            if case .clients(let address) = output.destination { address } else { nil }
        }
    }

    private static func warn(_ address: ListenAddress, _ rest: String) {
        StandardError.print(
            "warning: other machines can reach \(address) and see where the receivers are\(rest)",
            level: .warning)
    }
}

/// A secret that a command reads, such as a password.
///
/// It is not passed as an argument, because every user of the machine can see the command line.
struct SecretArgument: Sendable {
    /// The token that HTTP clients of the live page must present.
    static let httpToken = SecretArgument(
        name: "token", option: "http-token-file", variable: "GPSBRIDGE_HTTP_TOKEN",
        credential: "http-token",
        rule: "a token consists of 12 or more of the characters A-Z a-z 0-9 - . _ ~",
        isValid: PageConfiguration.isToken)
    /// The password of the user of an NTRIP caster.
    static let ntripPassword = SecretArgument(
        name: "password", option: "ntrip-password-file", variable: "GPSBRIDGE_NTRIP_PASSWORD",
        credential: "ntrip-password", rule: "a password is one line of text",
        isValid: { !$0.isEmpty && !$0.utf8.contains { $0 < 0x20 } })

    /// The maximum size of a file in bytes.
    private static let maximumSize = 1024

    /// The noun for messages: `token`.
    let name: String
    /// The option that names a file with the secret.
    let option: String
    /// The environment variable that contains the secret.
    let variable: String
    /// The name of systemd's credential.
    let credential: String
    /// What a valid secret looks like.
    let rule: String
    let isValid: @Sendable (String) -> Bool

    /// The reason why an option with the secret itself is rejected.
    var refusal: String {
        "would show the \(name) to every user of this machine: put it into a file for --\(option) FILE, "
            + "into the variable \(variable), or into systemd's credential \(credential)"
    }

    /// Returns the secret from the first source that is set: the file, the environment variable, or
    /// systemd's credential. Returns `nil` if none is set.
    ///
    /// - Throws: `CommandFailure` if a secret exists but cannot be read or is not valid.
    func find(file: String?) throws -> String? {
        if let file { return try secret(inFile: file) }
        if let value = valueOfVariable { return try secret(value, of: variable) }
        guard let folder = getenv("CREDENTIALS_DIRECTORY") else { return nil }
        let path = "\(String(cString: folder))/\(credential)"
        return access(path, F_OK) == 0 ? try secret(inFile: path, isCredential: true) : nil
    }

    /// The secrets that variables contained. They are removed from the environment, which the commands
    /// of alarms inherit.
    private static let variables = Mutex<[String: String]>([:])

    private var valueOfVariable: String? {
        Self.variables.withLock { values in
            if let value = getenv(variable) {
                values[variable] = String(cString: value)
                unsetenv(variable)
            }
            return values[variable]
        }
    }

    /// Lets no crash write the memory of this process, which contains a secret. A limit of one byte,
    /// unlike 0, also keeps programs such as systemd-coredump from getting it.
    ///
    /// The corresponding C function is `setrlimit`.
    private static func preventCoreDumps() {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        guard getrlimit(kind, &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 1)
        setrlimit(kind, &limit)
    }

    private func secret(inFile path: String, isCredential: Bool = false) throws -> String {
        if let refusal = RegularFile.secretRefusal(path, isCredential: isCredential) {
            throw CommandFailure(refusal)
        }
        let bytes: [UInt8]
        do {
            bytes = try RegularFile.bytes(of: path, limit: Self.maximumSize)
        } catch {
            throw CommandFailure("cannot read the \(name) in \(path): \(error)")
        }
        var text = String(decoding: bytes, as: UTF8.self)
        // CR LF is a single `Character`.
        if text.last == "\n" || text.last == "\r\n" { text.removeLast() }
        return try secret(text, of: path)
    }

    private func secret(_ text: String, of source: String) throws(CommandFailure) -> String {
        guard isValid(text) else {
            let what = text.isEmpty ? "contains no \(name)" : "contains no valid \(name)"
            throw CommandFailure("\(source) \(what): \(rule)")
        }
        Self.preventCoreDumps()
        return text
    }
}
