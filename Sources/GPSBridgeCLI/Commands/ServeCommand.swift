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

            \(VoteArguments.help) Clients see one device, vote; --nmea carries the sentences of the winner.

            Examples:
              gpsbridge serve
              gpsbridge serve /dev/ttyUSB0 /dev/ttyACM0 --listen '*:2947'
              gpsbridge serve /dev/ttyUSB0 /dev/ttyACM0 /dev/ttyACM1 --vote
            """

    static var manual: [ManualSections.Section] { ManualSections.serving }

    static let options: [CommandOption<ServeCommand>] =
        [
            .init(
                "listen", "l", value: "ADDRESS",
                help: "Serve gpsd's protocol at ADDRESS; may be given several times"
            ) { $0.gpsd.append(try ListenArguments.address($1, defaultPort: 2947)) },
            .init(
                "nmea", value: "OUTPUT",
                help:
                    "Send sentences to clients that connect to ADDRESS, to udp://HOST:PORT, or to pty:LINK; "
                    + "append =GGA,RMC to send only these"
            ) {
                guard let output = SentenceOutput($1) else {
                    throw UsageError(
                        "not an output for sentences: '\($1)' (expected localhost:10110 or the like)"
                    )
                }
                $0.configuration.sentences.append(output)
            },
            .init(
                "chrony", value: "SOCKET",
                help: "Send the time to the socket of a chronyd SOCK clock"
            ) {
                $0.configuration.clocks.chronySockets.append(try ClockArguments.socket($1))
            },
            .init(
                "shm", value: "UNIT",
                help: "Send the time to a unit of NTP shared memory (0 to 255; 0 and 1 need root)"
            ) {
                $0.configuration.clocks.sharedMemoryUnits.append(
                    try Number.whole($1, "shm", in: SharedMemoryClock.units))
            },
            .init(
                "pps", value: "DEVICE",
                help:
                    "Use time pulses from /dev/pps0 or from the DCD line of a receiver's tty; append :clear for "
                    + "the falling edge"
            ) {
                let isClear = $1.hasSuffix(":clear")
                $0.configuration.clocks.pulseDevice = isClear ? String($1.dropLast(6)) : $1
                $0.configuration.clocks.usesClearEdge = isClear
            },
            .init(
                "time-delay", value: "SECONDS",
                help: "The delay from an epoch to its first byte (0)"
            ) { $0.configuration.clocks.delay = try Number.of($1, "delay", in: -1...2) },
            .init(
                "trust-any-time",
                help: "Also use the time of pseudo terminals and network receivers; for tests"
            ) { command, _ in command.configuration.clocks.trustsAnySource = true },
            .init(
                "http", value: "ADDRESS",
                help: "Serve the live page at ADDRESS, with /metrics (for Prometheus) and /health"
            ) { $0.configuration.http.append(try ListenArguments.address($1, defaultPort: 9955)) },
            .init(
                "http-token-file", value: "FILE",
                help: "Ask for the token in FILE: a browser opens the page once with ?token=TOKEN"
            ) { $0.tokenFile = $1 },
            .refused("http-token", because: HTTPToken.refusal),
            .init(
                "http-host", value: "NAME",
                help: "Also answer requests for this host name; may be given several times"
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
            .init("max-clients", value: "N", help: "Maximum number of clients (8192)") {
                $0.configuration.maximumClientCount = try Number.whole(
                    $1, "number of clients", in: 1...1_000_000)
            },
            .live(\.isLive),
            .baudRate(\.baudRate),
        ] + CommandOption.vote(\.vote) + CommandOption.alarms(\.alarms)

    private var sources: [String] = []
    private var gpsd: [ListenAddress] = []
    private var user = "nobody"
    private var baudRate: BaudRate?
    private var isLive = false
    private var alarms = AlarmArguments()
    private var vote = VoteArguments()
    private var tokenFile: String?
    private var configuration = ServerConfiguration()

    init() {}

    mutating func addArgument(_ word: String) throws {
        sources.append(word)
    }

    func run() async throws {
        let sources = try vote.sources(self.sources) {
            try SourceArgument.decompressedSources($0, baudRate: baudRate, isLive: isLive)
        }
        var configuration = self.configuration
        // With sockets from systemd, opens only the addresses that the command line names.
        if !gpsd.isEmpty || !ActivatedSockets.own.isEmpty { configuration.gpsd = gpsd }
        try ClockArguments.check(configuration.clocks)
        if vote.isActive { try ClockArguments.refuse(configuration.clocks) }
        // Before root's privileges are dropped: the new user may be unable to read the file.
        configuration.page.token = try HTTPToken.find(file: tokenFile)
        configuration.user = Privileges.areDropped(to: user) ? user : nil
        let server = try ReceiverServer(sources: sources, configuration: configuration) {
            // Runs on the polling thread: a stopped terminal must not delay receivers.
            StandardError.print($0, limit: 0)
        }
        try await server.listen()
        try Privileges.drop(to: user)
        ServiceManager.shared?.ready()
        for line in server.addresses { StandardError.print(line, limit: 0) }
        ListenArguments.warn(configuration)
        try await alarms.whileActive {
            await Signals.reloading(server.reopen) { await server.run() }
        }
    }
}
