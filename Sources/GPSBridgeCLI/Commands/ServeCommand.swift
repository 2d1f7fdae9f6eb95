// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSServer

/// Serves receivers to other programs.
struct ServeCommand: Command {
    static let name = "serve"
    static let summary = "Serve receivers to programs that speak gpsd's protocol."
    static let words = "[SOURCE...]"
    static let details =
        SourceArgument.help + """


            ADDRESS is PORT, HOST:PORT, *:PORT for every address of this machine, or the path of a Unix \
            socket. Left out, it is localhost:2947, which other machines cannot reach. Clients can \
            change nothing about a receiver without --allow-control. For sentences the port is 10110 unless given. \
            SIGHUP closes the receivers and opens them again.

            Examples:
              gpsbridge serve
              gpsbridge serve /dev/ttyUSB0 /dev/ttyACM0 --listen '*:2947'
            """

    static var manual: [ManualSections.Section] { ManualSections.serving }

    static let options: [CommandOption<ServeCommand>] = [
        .init(
            "listen", "l", value: "ADDRESS",
            help: "Speak gpsd's protocol there; may be given several times"
        ) { $0.gpsd.append(try ListenArguments.address($1, defaultPort: 2947)) },
        .init(
            "nmea", value: "OUTPUT",
            help:
                "Send sentences to clients that connect to ADDRESS, to udp://HOST:PORT, or to pty:LINK; "
                + "=GGA,RMC behind it sends these alone"
        ) {
            guard let output = SentenceOutput($1) else {
                throw UsageError(
                    "not an output for sentences: '\($1)' (expected localhost:10110 or the like)")
            }
            $0.configuration.sentences.append(output)
        },
        .init("chrony", value: "SOCKET", help: "Send the time to a SOCK clock of chronyd's") {
            $0.configuration.clocks.chronySockets.append(try ClockArguments.socket($1))
        },
        .init(
            "shm", value: "UNIT",
            help: "Send the time to a unit of NTP's shared memory (0 to 255; 0 and 1 are root's)"
        ) {
            $0.configuration.clocks.sharedMemoryUnits.append(
                try Number.whole($1, "shm", in: SharedMemoryClock.units))
        },
        .init(
            "pps", value: "DEVICE",
            help:
                "Take the time of pulses, of /dev/pps0 or on the DCD line of a receiver's tty; :clear behind it for "
                + "the falling edge"
        ) {
            let isClear = $1.hasSuffix(":clear")
            $0.configuration.clocks.pulseDevice = isClear ? String($1.dropLast(6)) : $1
            $0.configuration.clocks.usesClearEdge = isClear
        },
        .init(
            "time-delay", value: "SECONDS",
            help: "From an epoch to the first byte that the receiver sends about it (0)"
        ) { $0.configuration.clocks.delay = try Number.of($1, "delay", in: -1...2) },
        .init(
            "trust-any-time",
            help: "Take the time of pseudo terminals and the network, too; for tests"
        ) { command, _ in command.configuration.clocks.trustsAnySource = true },
        .init(
            "http", value: "ADDRESS",
            help: "Serve the live page there, /metrics (for Prometheus) and /health"
        ) { $0.configuration.http.append(try ListenArguments.address($1, defaultPort: 9955)) },
        .init(
            "http-token-file", value: "FILE",
            help: "Ask for the token in FILE: a browser opens the page once with ?token=TOKEN"
        ) { $0.tokenFile = $1 },
        .refused("http-token", because: HTTPToken.refusal),
        .init(
            "http-host", value: "NAME",
            help: "Answer under this name, too; may be given several times"
        ) { $0.configuration.page.hosts.append($1) },
        .init(
            "tiles", value: "URL",
            help:
                "Draw the page's map with tiles of https://HOST/{z}/{x}/{y}.png, or of a .pmtiles file"
        ) { try PageArguments.setTiles($1, of: &$0.configuration.page) },
        .init(
            "user", value: "NAME", help: "Become this user when started as root (nobody)"
        ) { $0.user = $1 },
        .init(
            "allow-control",
            help: "Let clients change receivers (gpsd's DEVICE requests: rate, cycle, bytes)"
        ) { command, _ in command.configuration.allowsControl = true },
        .init("max-clients", value: "N", help: "Turn away more than N clients (8192)") {
            $0.configuration.maximumClientCount = try Number.whole(
                $1, "number of clients", in: 1...1_000_000)
        },
        .live(\.isLive),
        .baudRate(\.baudRate),
    ]

    private var sources: [String] = []
    private var gpsd: [ListenAddress] = []
    private var user = "nobody"
    private var baudRate: BaudRate?
    private var isLive = false
    private var tokenFile: String?
    private var configuration = ServerConfiguration()

    init() {}

    mutating func addArgument(_ word: String) throws {
        sources.append(word)
    }

    func run() async throws {
        let sources = try SourceArgument.decompressedSources(
            self.sources, baudRate: baudRate, isLive: isLive)
        var configuration = self.configuration
        // Where systemd passes sockets, nothing is opened that was not asked for.
        if !gpsd.isEmpty || !ActivatedSockets.own.isEmpty { configuration.gpsd = gpsd }
        try ClockArguments.check(configuration.clocks)
        // As root, where it was started as root: the file need not be the other user's.
        configuration.page.token = try HTTPToken.find(file: tokenFile)
        configuration.user = Privileges.areDropped(to: user) ? user : nil
        let server = try ReceiverServer(sources: sources, configuration: configuration) {
            // On the polling thread: a terminal that has been stopped must not hold up receivers.
            StandardError.say($0, limit: 0)
        }
        try await server.listen()
        try Privileges.drop(to: user)
        ServiceManager.shared?.ready()
        for line in server.addresses { StandardError.say(line, limit: 0) }
        ListenArguments.warn(configuration)
        await Signals.reloading(server.reopen) { await server.run() }
    }
}
