// SPDX-License-Identifier: MIT
import Dispatch
import GNSS
import GPSFleet
import GPSIO
import GPSReceivers
import Glibc

/// The options that publishing commands share: names, targets and message settings.
struct TargetArguments: Sendable {
    var fleet = "fleet"
    private var bridge: String?
    var access = EngineAccess()
    var settings = PublishSettings()
    private var spool = SpoolArguments()
    /// The command's options for the names of the fleet and its members, for messages.
    var namingOptions = "--fleet-name and --bridge"
    private var urls: [EngineURL] = []
    private var stream = NATSStream()
    private var createsStream = false
    /// The options for the stream that were given, which only have an effect if it is created.
    private var streamOptions: [String] = []
    private var format: String?
    private var deviceID: String?

    /// All options, including the options of `spool` and `access`.
    static let options: [CommandOption<TargetArguments>] =
        naming + sending + streams + SpoolArguments.options.stored(in: \.spool)
        + AccessArguments.options.stored(in: \.access)

    private static let naming: [CommandOption<TargetArguments>] = [
        .init(
            "to", "t", value: "URL",
            help: "Send to nats://HOST, mqtt://HOST or http://HOST (tls://, mqtts:// and "
                + "https:// encrypt); may be given several times"
        ) { $0.urls.append(try url($1)) },
        .init("fleet-name", value: "NAME", help: "The fleet's name (default: fleet)") {
            $0.fleet = try token($1)
        },
        .init(
            "bridge", value: "NAME",
            help: "This machine's name in the fleet (default: its host name)"
        ) {
            $0.bridge = try token($1)
        },
        .init(
            "id", value: "NAME",
            help:
                "The device's identifier for HTTP; for one receiver only (default: FLEET.BRIDGE.RECEIVER)"
        ) { $0.deviceID = try identifier($1) },
        .init(
            "header-file", value: "FILE",
            help: "A file with header lines for HTTP, such as Authorization: Bearer TOKEN"
        ) { target, path in target.access.headers = try usage { try SecretFile(path) } },
    ]

    private static let sending: [CommandOption<TargetArguments>] = [
        .init(
            "backlog", value: "ORDER",
            choices: PublishSettings.BacklogOrder.allCases.map(\.rawValue),
            help: "Send the newest or the oldest waiting fixes first, after live fixes "
                + "(default: newest; for HTTP: oldest, before live fixes)"
        ) { $0.settings.backlog = try Choice.of($1, "order") },
        .init(
            "format", "f", value: "FORMAT", choices: formats,
            help:
                "The message format for MQTT: gpsbridge (default), or that of another program; "
                + "for HTTP: osmand (default), osmand-json or gpsbridge"
        ) {
            guard formats.contains($1) else {
                throw UsageError.unknown("format", $1, known: formats)
            }
            $0.format = $1
        },
        .init(
            "batch-time", value: "TIME",
            help: "Collect fixes for this time, and then send them (default: 0)"
        ) { $0.settings.batchTime = .seconds(try DurationArgument.seconds($1, "batch-time")) },
        .init(
            "keep-sent", value: "TIME",
            help:
                "Keep acknowledged messages for this time, and send them again if NATS "
                + "has lost them (default: 150s)"
        ) {
            $0.settings.keepTime = .seconds(
                try DurationArgument.seconds($1, "keep-sent", in: 0...86_400))
        },
        .init(
            "batch", value: "N",
            help:
                "Send the collected fixes when there are N, even before --batch-time is over (default: 60)"
        ) {
            $0.settings.batchCount = try Number.whole($1, "batch", in: 1...1_000_000)
        },
    ]

    private static let streams: [CommandOption<TargetArguments>] = [
        .init("create-stream", help: "Create the NATS stream GPS if it does not exist") {
            $0.createsStream = true
        },
        .init("replicas", value: "N", help: "Number of servers that store the stream (default: 1)")
        {
            $0.streamOptions.append("--replicas")
            $0.stream.replicas = try Number.whole($1, "replicas", in: 1...5)
        },
        .init("max-age", value: "TIME", help: "Time for which the stream keeps fixes (default: 7d)")
        {
            $0.streamOptions.append("--max-age")
            $0.stream.maximumAge = try DurationArgument.seconds($1, "max-age")
        },
        .init("max-size", value: "SIZE", help: "The stream's size limit (default: none)") {
            $0.streamOptions.append("--max-size")
            $0.stream.maximumSize = try SizeArgument.bytes($1, "max-size")
        },
    ]

    /// The names of all message formats.
    private static let formats: [String] =
        formats(for: .mqtt)
        + formats(for: .http).filter { !formats(for: .mqtt).contains($0) }

    private static func formats(for engine: EngineURL.Engine) -> [String] {
        switch engine {
        case .nats: []
        case .mqtt: MQTTFormats.all().map(\.name)
        case .http: HTTPFormats.all().map(\.name)
        }
    }

    private static func identifier(_ text: String) throws -> String {
        guard 1...128 ~= text.utf8.count, text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw UsageError("not a value for --id: '\(text)' (expected 1 to 128 ASCII characters)")
        }
        return text
    }

    /// Parses an address, without a slash after the host, so that equal addresses are recognised.
    private static func url(_ text: String) throws -> EngineURL {
        let url = try usage { try EngineURL(text) }
        guard url.path.isEmpty, text.hasSuffix("/"), !text.hasSuffix("//") else { return url }
        return try usage { try EngineURL(String(text.dropLast())) }
    }

    /// Returns the text if it can be a part of a subject. Otherwise, throws a `UsageError`.
    static func token(_ text: String) throws -> String {
        guard MemberName.isToken(text) else {
            throw UsageError("not a name: '\(text)' (expected 1 to 64 letters, digits, - and _)")
        }
        return text
    }

    /// This machine's name in the fleet; by default, derived from its host name.
    var bridgeName: String { bridge ?? SocketAddress.ownName.flatMap(MemberName.token) ?? "bridge" }

    /// Checks the options. Throws a `UsageError` without a target, if a target is given twice or
    /// has a path that would be ignored, or if an option does not apply to the targets or to this
    /// number of members.
    func check(_ members: [MemberName]) throws {
        guard !urls.isEmpty else {
            throw UsageError("--to is missing: give a URL, such as --to nats://HOST")
        }
        // Two equal targets would each send every fix.
        if let url = urls.first(where: { url in urls.filter { $0 == url }.count > 1 }) {
            throw UsageError("--to \(url.label) is given twice")
        }
        if let url = urls.first(where: { $0.engine != .http && !$0.path.isEmpty }) {
            throw UsageError(
                "--to \(url.label): an address of NATS or MQTT has no path here: use "
                    + "\(namingOptions) for the names")
        }
        if let format, !urls.contains(where: { Self.formats(for: $0.engine).contains(format) }) {
            throw UsageError(
                urls.contains { $0.engine != .nats }
                    ? "--format \(format) cannot be used with \(urls[0].label)"
                    : "--format is for mqtt:// and http://")
        }
        if let option = streamOptions.first, !createsStream {
            throw UsageError("\(option) needs --create-stream: an existing stream is not changed")
        }
        guard !createsStream || urls.contains(where: { $0.engine == .nats }) else {
            throw UsageError("--create-stream is for nats:// and tls://")
        }
        let needsHTTP = deviceID != nil || access.headers != nil
        guard !needsHTTP || urls.contains(where: { $0.engine == .http }) else {
            throw UsageError("--id and --header-file are for http:// and https://")
        }
        guard access.headers == nil || urls.filter({ $0.engine == .http }).count == 1 else {
            throw UsageError("--header-file can be used with only one HTTP address")
        }
        guard deviceID == nil || members.count == 1 else {
            throw UsageError("--id is for one receiver, but there are \(members.count)")
        }
        for url in urls { try usage { try access.forTarget(url, among: urls).check(for: url) } }
    }

    /// Checks what publishing will need on this machine, without connecting or opening the spool.
    ///
    /// Throws a `FleetError` if the spool cannot be written, and a `DeviceError` if a target's host
    /// is unknown.
    func checkMachine() throws {
        try spool.checkMachine()
        for url in urls {
            for server in url.servers {
                try ServiceArguments.checkHost(of: server, named: url.label)
            }
        }
    }

    /// Checks the options, opens the spool (the file where fixes wait to be sent), and creates a
    /// publisher for the inbox. `members` are the receivers that will be published.
    func publisher(_ inbox: PublisherInbox, of members: [MemberName]) throws -> Publisher {
        try check(members)
        var settings = settings
        settings.software = Self.software
        let targets = urls.map { target($0, members) }
        return try Publisher(
            inbox, spool: spool.open(), targets: targets, settings: settings,
            log: MessageLog { StandardError.report($0, level: $1) })
    }

    private func target(_ url: EngineURL, _ members: [MemberName]) -> Publisher.Target {
        let access = access.forTarget(url, among: urls)
        switch url.engine {
        case .nats:
            return Publisher.Target(
                url,
                engine: NATSEngine(
                    url, access, name: "gpsbridge \(fleet)/\(bridgeName)",
                    stream: createsStream ? stream : nil),
                format: BatchFormat(for: .nats))
        case .mqtt:
            let formats = MQTTFormats.all(of: members)
            let format = formats.first { $0.name == self.format } ?? formats[0]
            return Publisher.Target(
                url, engine: MQTTEngine(url, access, format: format, members: members),
                format: format.format)
        case .http:
            let formats = HTTPFormats.all(id: deviceID)
            let format = (formats.first { $0.name == self.format } ?? formats[0]).format
            return Publisher.Target(
                url,
                engine: HTTPEngine(url, access, software: Self.software, format: format),
                format: format)
        }
    }

    private static let software = "gpsbridge \(Release.version)"
}

/// The options for authentication and encryption. Secrets are given as files, so that they do not
/// appear on the command line.
enum AccessArguments {
    /// The options for secrets, certificates and encryption.
    static let options: [CommandOption<EngineAccess>] = [
        .init(
            "credentials", value: "FILE",
            help: "The file with a user's credentials for NATS (.creds)"
        ) {
            $0.credentials = try secret($1)
        },
        .init(
            "nkey", value: "FILE",
            help: "The file of a NATS nkey: its seed and, below it, its public key"
        ) {
            $0.nkey = try secret($1)
        },
        .init(
            "password-file", value: "FILE",
            help: "The file with the password of the URL's USER or, without USER, a NATS token"
        ) { $0.password = try secret($1) },
        .init(
            "ca", value: "FILE",
            help: "Encrypt, and trust the certificate authorities in FILE instead of the system's "
                + "(NATS: in addition to them)"
        ) { $0.authorities = $1 },
        .init(
            "cert", value: "FILE",
            help: "This machine's certificate; also encrypts the connection"
        ) {
            $0.certificate = $1
        },
        .init("key", value: "FILE", help: "The private key of the certificate of --cert") {
            $0.key = try secret($1)
        },
    ]

    private static func secret(_ path: String) throws -> SecretFile {
        try usage { try SecretFile(path) }
    }
}

extension EngineAccess {
    /// Returns a copy in which files that are not set are taken from environment variables.
    /// gpsbridge runs this program to read a source such as `nats://…`, and then passes the files
    /// in these variables. Throws a `UsageError` if a file with a secret is missing or can be read
    /// by others.
    func withEnvironment(for url: EngineURL) throws -> EngineAccess {
        try usage { try completed(for: url) { getenv($0).map { String(cString: $0) } } }
    }
}

/// Returns the result of `work`. Converts a `FleetError` that `work` throws to a `UsageError`.
func usage<R>(_ work: () throws -> R) throws -> R {
    do {
        return try work()
    } catch let error as FleetError {
        throw UsageError(error.description)
    }
}

/// Runs blocking work on a thread of a new dispatch queue with this name, and returns its result.
/// Calls `stop` if the task is cancelled.
func onThread<R: Sendable>(
    _ name: String, stop: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () throws -> R
) async throws -> R {
    try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: name).async {
                continuation.resume(with: Result { try work() })
            }
        }
    } onCancel: {
        stop()
    }
}

/// The options for the path and the limits of the spool, the file where fixes wait to be sent.
private struct SpoolArguments: Sendable {
    /// The path of the spool's file; `nil` for the default.
    var path: String?
    private var limits = SpoolLimits()

    /// The options for the path and the limits of the spool, the file where fixes wait to be sent.
    static let options: [CommandOption<SpoolArguments>] = [
        .init(
            "spool", value: "FILE",
            help: "The file where fixes wait to be sent (default: spool.sqlite in the state folder)"
        ) { $0.path = $1 },
        .init(
            "spool-size", value: "SIZE",
            help: "Maximum size of the spool on the disk (default: 256M)"
        ) {
            $0.limits.size = try SizeArgument.bytes($1, "spool-size")
        },
        .init("spool-age", value: "TIME", help: "Maximum age of a fix in the spool (default: 30d)")
        {
            $0.limits.age = try DurationArgument.seconds($1, "spool-age")
        },
    ]

    /// Opens the spool, the file where fixes wait to be sent. Creates it if it does not exist.
    func open() throws -> Spool {
        let spool = try Spool(path: try path ?? Self.defaultPath()) {
            StandardError.print($0, level: .warning)
        }
        spool.limits = limits
        return spool
    }

    /// Throws a `FleetError` if the spool's folder does not exist, or the spool cannot be written.
    func checkMachine() throws {
        try Spool.check(path: try path ?? Self.defaultPath())
    }

    /// Returns the path of `spool.sqlite` in systemd's or the user's state folder. Creates the
    /// folder if necessary.
    private static func defaultPath() throws -> String {
        guard let folder = StateFolder.path() else {
            throw UsageError("HOME is not set: name the spool with --spool FILE")
        }
        StateFolder.create(folder)
        return folder + "/spool.sqlite"
    }
}

/// Parses a size in bytes, with an optional unit `K`, `M` or `G` (powers of 1024).
private enum SizeArgument {
    /// Returns the size in bytes. Throws a `UsageError` if the text is not a size of at least `1M`.
    static func bytes(_ text: String, _ name: String) throws -> Int64 {
        let units: [Character: Double] = [
            "K": 1024, "M": 1_048_576, "G": 1_073_741_824,
        ]
        let unit = text.last.flatMap { units[Character($0.uppercased())] }
        let number = Double(unit == nil ? text[...] : text.dropLast())
        guard let number, (1_048_576...1e15).contains(number * (unit ?? 1)) else {
            throw UsageError(
                "\(name) '\(text)' is not a size (expected at least 1M, such as 500M or 2G)")
        }
        return Int64(number * (unit ?? 1))
    }
}

/// Parses the name of a NATS stream.
enum StreamArgument {
    /// Returns the name. Throws a `UsageError` if NATS does not accept it, because the server would
    /// not answer, or would close the connection.
    static func name(_ text: String) throws -> String {
        guard NATSStream.isName(text) else {
            throw UsageError(
                "not a name of a stream: '\(text)' (expected 1 to 255 characters, such as letters, "
                    + "digits, - and _, but no blanks and none of . * > / \\)")
        }
        return text
    }
}
