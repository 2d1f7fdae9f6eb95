// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSReceivers
import GPSServer
import Glibc
import SimulatedDevices

/// Serves receivers to other programs.
struct ServeCommand: SourceCommand {
    static let name = "serve"
    static let summary = "Serve receivers to programs that speak gpsd's protocol."
    static let argumentSyntax = "[SOURCE...]"
    static let details =
        SourceArgument.help + """


            ADDRESS is PORT, HOST:PORT, *:PORT for every address of this machine, or the path of a Unix \
            socket. The default is localhost:2947, which other machines cannot reach. Clients cannot \
            change a receiver without --allow-control. The default port for sentences is 10110. \
            SIGHUP closes the receivers and opens them again; with --config, it reads FILE again and applies changed \
            sources instead.

            \(VoteArguments.help) Clients see one device named vote; --nmea sends the winner's sentences.

            --chrony sets this machine's clock: add "refclock SOCK /run/chrony.gps.sock refid GPS poll 3 delay 0.2" \
            to chrony.conf, restart chronyd, then run serve as root with the same socket. Half a minute after the \
            first fix, `chronyc sources` marks GPS with *, or with - if NTP servers are more accurate.

            \(WarmStartArguments.help)

            \(CorrectionArguments.help)

            \(AuthenticationArguments.help) With --require-authenticated, --chrony and --shm get the time only from \
            fixes in which at least one of Galileo's satellites is authenticated, and none failed.

            Examples:
              gpsbridge serve
              gpsbridge serve /dev/ttyUSB0 /dev/ttyACM0 --listen '*:2947'
              gpsbridge serve /dev/ttyUSB0 /dev/ttyACM0 /dev/ttyACM1 --vote
              gpsbridge serve --chrony /run/chrony.gps.sock
            """

    static var manual: [ManualSection] { ManualSections.serving }

    static let options: [CommandOption<ServeCommand>] =
        own + sourceOptions + AlarmArguments.options.stored(in: \.alarms)
        + AuthenticationArguments.options.stored(in: \.authentication)
        + NavigationArguments.options.stored(in: \.navigation)
        + ServiceArguments.options.stored(in: \.operation)

    private static let own: [CommandOption<ServeCommand>] = [
        .init(
            "listen", letter: "l", adding: \.gpsd, .address(defaultPort: 2947),
            "Serve gpsd's protocol at ADDRESS; may be given several times"),
        .init(
            "gpsd-release", \.release, .choice("RELEASE"),
            "The release of gpsd that clients are told (default: that of this machine's libgps, or 3.25)"
        ),
        .init(
            "nmea", adding: \.configuration.sentences,
            .init(
                "OUTPUT", not: "an output for sentences",
                expected: "an address such as localhost:10110, udp://HOST:PORT or pty:LINK"
            ) { SentenceOutput($0) },
            "Send sentences to clients that connect to ADDRESS, to udp://HOST:PORT, or to pty:LINK; "
                + "append =GGA,RMC to send only these"),
        .init(
            "signalk", adding: \.configuration.signalK, .address(defaultPort: 8375),
            "Serve Signal K at ADDRESS, over TCP and WebSocket (default port: 8375)"),
        .init(
            "n2k", \.configuration.nmea2000,
            .init(
                "INTERFACE", not: "the name of a network interface",
                expected: "one such as can0",
                unless: { text in
                    1...15 ~= text.utf8.count
                        && !text.contains { $0 == "/" || $0.isWhitespace }
                }),
            "Send the position to the NMEA 2000 bus at a CAN interface, such as can0"),
        .init(
            "chrony", adding: \.configuration.clocks.chronySockets, .text("SOCKET"),
            "Send the time to chronyd through SOCKET, a SOCK reference clock; see below"),
        .init(
            "shm", adding: \.configuration.clocks.sharedMemoryUnits,
            .whole("UNIT", SharedMemoryClock.units, called: "shared memory unit"),
            "Send the time to a unit of NTP shared memory (0 to 255; 0 and 1 need root)"),
        .init(
            "pps", value: "DEVICE",
            "Use time pulses from DEVICE: /dev/pps0, or a receiver's tty for any of its lines"
        ) {
            let isClear = $1.hasSuffix(":clear")
            $0.configuration.clocks.pulseDevice = isClear ? String($1.dropLast(6)) : $1
            if isClear { $0.configuration.clocks.pulses.edge = .clear }
        },
        .init(
            "pps-line", \.configuration.clocks.pulses.line, .choice("LINE"),
            "The tty's line with pulses: cts, dcd, dsr or ri (default: the one that moves)"),
        .init(
            "pps-edge", \.configuration.clocks.pulses.edge, .choice("EDGE"),
            "The edge that begins the second: assert or clear (default: after the longer part)"),
        .init(
            "pps-method", \.configuration.clocks.pulses.method, .choice("METHOD"),
            "How a tty's pulses are timed: poll or wait (default: the better one that works)"),
        .init(
            "pps-offset", \.configuration.clocks.pulseOffset,
            .number("SECONDS", -0.1...0.1, "seconds", called: "offset"),
            "The delay in seconds from a second to the time stamp of its pulse (default: 0)"),
        .init(
            "cpu-latency", \.configuration.clocks.cpuLatency,
            .whole("US", 0...10_000, called: "latency"),
            "Let processors wake within US microseconds, for exact pulses; needs root and power"),
        .init(
            "time-delay", \.configuration.clocks.delay,
            .number("SECONDS", -1...2, "seconds", called: "delay"),
            "The delay in seconds from an epoch to its first byte, as `doctor` measures it (default: 0)"
        ),
        .init(
            "trust-any-time", \.configuration.clocks.trustsAnySource,
            "Also use the time of pseudo terminals and network receivers; for tests"),
        .init(
            "require-authenticated", \.configuration.clocks.needsAuthentication,
            "Send the time only if Galileo's signatures fit; needs --clock-bound"),
        .init(
            "http", adding: \.configuration.http, .address(defaultPort: 9955),
            "Serve the live page at ADDRESS, with /metrics (for Prometheus) and /health"),
        .init(
            "http-token-file", \.tokenFile, .text("FILE"),
            "Require the token in FILE from browsers; open the page once with ?token=TOKEN"),
        .refused("http-token", because: SecretArgument.httpToken.refusal),
        .init(
            "http-host", adding: \.configuration.page.hosts, .text("NAME"),
            "Also answer requests for this host name; may be given several times"),
        .init(
            "tiles", value: "URL",
            "Draw the page's map with tiles from https://HOST/{z}/{x}/{y}.png, or from a .pmtiles file"
        ) {
            if $1.hasSuffix(".pmtiles") {
                $0.configuration.page.tileArchive = $1
            } else if PageConfiguration.isTiles($1) {
                $0.configuration.page.tiles = $1
            } else {
                throw UsageError(
                    "not a source of map tiles: '\($1)' (expected "
                        + "https://HOST/{z}/{x}/{y}.png, or the name of a .pmtiles file)"
                )
            }
        },
        .init(
            "user", \.user, .text("NAME"),
            "Become this user when started as root (default: nobody)"),
        .init(
            "allow-control", \.configuration.allowsControl,
            "Let clients change receivers: with gpsd's DEVICE requests (bps, cycle, hexdata) and "
                + "`gpsbridge configure`"),
        .init(
            "control-socket", letter: "F", \.configuration.controlSocket, .text("PATH"),
            "Let this user's programs, such as gpsdctl, add and remove receivers through the Unix socket PATH"
        ),
        .init(
            "max-clients", \.configuration.maximumClientCount,
            .whole("N", 1...1_000_000, called: "number of clients"),
            "Maximum number of clients (default: 8192)"),
    ]

    static var service: (any WritableKeyPath<ServeCommand, ServiceArguments> & Sendable)? {
        \ServeCommand.operation
    }
    static let changeableKeys: Set<String> = [
        "sources", "baud", "live", "vote", "at", "corrections", "ntrip-password-file", "ntrip-ca",
    ]

    var sources = SourceArguments()
    private var gpsd: [ListenAddress] = []
    private var release: GPSDRelease?
    private var user = "nobody"
    private var alarms = AlarmArguments()
    private var authentication = AuthenticationArguments()
    private var navigation = NavigationArguments()
    private var tokenFile: String?
    private var configuration = ServerConfiguration()
    private var operation = ServiceArguments()

    func check() throws {
        _ = (try receivers(), try served())
        try checkAuthentication()
    }

    private func checkAuthentication() throws {
        guard configuration.clocks.needsAuthentication else { return }
        guard !configuration.clocks.isEmpty else {
            throw UsageError("--require-authenticated needs --chrony or --shm")
        }
        guard authentication.clockBound != nil else {
            throw UsageError(
                "--require-authenticated needs --clock-bound: signatures prove something only to a "
                    + "clock that does not follow this receiver")
        }
    }

    func checkMachine(_ attempt: (() throws -> Void) -> Void) {
        sources.checkMachine(attempt)
        // During a reload, the file may be unreadable for the new user, or be a pipe that is now
        // empty. So the token is only checked for `--check-config`.
        attempt { _ = try SecretArgument.httpToken.find(file: tokenFile) }
        attempt { try Privileges.check(user) }
        (try? served())?.checkMachine(attempt)  // `check()` has found no wrong argument.
    }

    func run() async throws {
        Signals.keepHangups()
        try checkAuthentication()
        navigation.activate()
        var configuration = try served()
        // Secrets are read before root's privileges are dropped, because the new user may be unable
        // to read their files.
        configuration.page.token = try SecretArgument.httpToken.find(file: tokenFile)
        try checkPage(configuration)
        authentication.activate(setsClock: !configuration.clocks.isEmpty)
        let isUserChanged = Privileges.areDropped(to: user)
        let receivers = try receivers()
        let corrections = try self.sources.corrections.feeds()
        if sources.warmStart.isActive {
            configuration.ephemerides = sources.warmStart.ephemerides()
        }
        let sender = ServedCorrections(corrections, configuration.ephemerides)
        configuration.controlChange = { sender.change(for: $0) }
        let server = try ReceiverServer(
            sources: receivers, configuration: configuration,
            // Called on the polling thread, so a stopped terminal must not block: receivers would
            // be delayed.
            messages: MessageLog(withCauses: {
                StandardError.report($0, limit: 0, level: $1, cause: $2)
            }))
        try await server.listen()
        let keepsState = configuration.allowsControl || configuration.hasWarmStart
        try Privileges.drop(to: user, giving: keepsState ? configuration.journals.path : nil)
        if isUserChanged { try refuseForbidden(receivers) }
        ServiceManager.shared?.ready()
        for line in server.addresses { StandardError.print(line, limit: 0) }
        ListenArguments.warn(configuration, servedAt: server.openAddresses)
        try await alarms.whileActive {
            try await reloading(
                { command in
                    let receivers = try command.receivers()
                    let change = try sender.change(to: command.sources.corrections)
                    try await server.setSources(receivers)
                    change(receivers)
                }, otherwise: server.reopen
            ) {
                try await sender.send(to: receivers, while: server.run)
            }
        }
    }

    /// Throws a `CommandFailure` if the new user may not open a tty. As a service, the server waits
    /// instead, because udev may set the permissions later.
    private func refuseForbidden(_ receivers: [any DeviceSource]) throws {
        guard ServiceManager.shared == nil else { return }
        for path in receivers.flatMap(\.parts).compactMap(\.ttyPath)
        where faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) != 0 && errno == EACCES {
            throw CommandFailure(ReceiverServer.refusal(of: path, to: user))
        }
    }

    /// Refuses options of the page if no page is served. `check` cannot do this, because it may run
    /// without the sockets from systemd.
    private func checkPage(_ configuration: ServerConfiguration) throws {
        guard configuration.http.isEmpty, ActivatedSockets.own.descriptors["http"] == nil else {
            return
        }
        let page = configuration.page
        let hasTiles = page.tiles != nil || page.tileArchive != nil
        guard tokenFile != nil || hasTiles || !page.hosts.isEmpty else { return }
        let option =
            tokenFile != nil ? "--http-token-file" : hasTiles ? "--tiles" : "--http-host"
        throw UsageError("\(option) needs --http, because the page is not served without it")
    }

    private func receivers() throws -> [any DeviceSource] {
        // Like gpsd, the server then begins with the receivers that it is given.
        if sources.words.isEmpty, !sources.vote.isActive, configuration.controlSocket != nil {
            return []
        }
        // A simulated receiver is named after its arguments. They can then be used to remove it, and
        // a reload recognises those that have not changed.
        let receivers = try sources.deviceSources(namesAll: true)
        try sources.checkDistinct(receivers)
        try sources.check(receivers)
        if configuration.nmea2000 != nil, receivers.count > 1 {
            throw UsageError(
                "--n2k sends one position: give one receiver, or combine several with --vote")
        }
        return receivers
    }

    private func served() throws -> ServerConfiguration {
        var configuration = self.configuration
        // With sockets from systemd, only addresses given on the command line are opened as well.
        if !gpsd.isEmpty || !ActivatedSockets.own.isEmpty { configuration.gpsd = gpsd }
        configuration.gpsdRelease = release ?? .installed() ?? .usual
        configuration.hasWarmStart = sources.warmStart.isActive
        configuration.controlSource = { [baudRate = sources.baudRate] in
            try SourceArgument.decompressedSource($0, baudRate: baudRate).named($0)
        }
        try ListenArguments.checkDistinct(configuration)
        try ClockArguments.check(configuration.clocks)
        if sources.vote.isActive { try ClockArguments.refuse(configuration.clocks) }
        if Privileges.areDropped(to: user) {
            configuration.user = user
            configuration.journals = .server(of: user)
        }
        return configuration
    }
}
