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
            "to", letter: "t", adding: \.urls, .init("URL", url),
            "Send to nats://HOST, mqtt://HOST or http://HOST (tls://, mqtts:// and "
                + "https:// encrypt); may be given several times"),
        .init("fleet-name", \.fleet, .token, "The fleet's name (default: fleet)"),
        .init(
            "bridge", \.bridge, .token, "This machine's name in the fleet (default: its host name)"),
        .init(
            "id", \.deviceID,
            .init(
                "NAME", not: "a value for --id", expected: "1 to 128 ASCII characters",
                unless: { text in
                    1...128 ~= text.utf8.count && text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
                }),
            "The device's identifier for HTTP; for one receiver only (default: FLEET.BRIDGE.RECEIVER)"
        ),
        .init(
            "header-file", \.access.headers, .secret,
            "A file with header lines for HTTP, such as Authorization: Bearer TOKEN"),
    ]

    private static let sending: [CommandOption<TargetArguments>] = [
        .init(
            "backlog", \.settings.backlog, .choice("ORDER"),
            "Send the newest or the oldest waiting fixes first, after live fixes "
                + "(default: newest; for HTTP: oldest, before live fixes)"),
        .init(
            "format", letter: "f", \.format, .choice("FORMAT", among: formats) { $0 },
            "The message format for MQTT: gpsbridge (default), or that of another program; "
                + "for HTTP: osmand (default), osmand-json or gpsbridge"),
        .init(
            "batch-time", .seconds("TIME"),
            "Collect fixes for this time, and then send them (default: 0)"
        ) { $0.settings.batchTime = .seconds($1) },
        .init(
            "keep-sent", .seconds("TIME", 0...86_400),
            "Keep acknowledged messages for this time, and send them again if NATS "
                + "has lost them (default: 150s)"
        ) { $0.settings.keepTime = .seconds($1) },
        .init(
            "batch", \.settings.batchCount, .whole("N", 1...1_000_000),
            "Send the collected fixes when there are N, even before --batch-time is over (default: 60)"
        ),
    ]

    private static let streams: [CommandOption<TargetArguments>] = [
        .init(
            "create-stream", \.createsStream, "Create the NATS stream GPS if it does not exist"),
        .init(
            "replicas", .whole("N", 1...5), "Number of servers that store the stream (default: 1)"
        ) {
            $0.streamOptions.append("--replicas")
            $0.stream.replicas = $1
        },
        .init(
            "max-age", .seconds("TIME"), "Time for which the stream keeps fixes (default: 7d)"
        ) {
            $0.streamOptions.append("--max-age")
            $0.stream.maximumAge = $1
        },
        .init("max-size", .size, "The stream's size limit (default: none)") {
            $0.streamOptions.append("--max-size")
            $0.stream.maximumSize = $1
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

    /// Parses an address, without a slash after the host, so that equal addresses are recognised.
    private static func url(_ text: String) throws -> EngineURL {
        let url = try usage { try EngineURL(text) }
        guard url.path.isEmpty, text.hasSuffix("/"), !text.hasSuffix("//") else { return url }
        return try usage { try EngineURL(String(text.dropLast())) }
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
    /// The checks throw a `FleetError` if the spool cannot be written, and a `DeviceError` if a
    /// target's host is unknown.
    func checkMachine(_ attempt: (() throws -> Void) -> Void) {
        attempt(spool.checkMachine)
        for url in urls {
            for server in url.servers {
                attempt { try ServiceArguments.checkHost(of: server, named: url.label) }
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

    /// The targets in NATS.
    var natsURLs: [EngineURL] { urls.filter { $0.engine == .nats } }

    /// Answers requests for ephemerides at all targets in NATS with the text that `text` returns.
    func sharing(_ text: @escaping @Sendable () -> String) -> [EphemerisSharing] {
        natsURLs.map { url in
            EphemerisSharing(
                url, access.forTarget(url, among: urls), fleet: fleet,
                name: "gpsbridge \(fleet)/\(bridgeName) ephemerides",
                report: { StandardError.report($0, level: .warning) }, text)
        }
    }

    /// Returns what sends corrections to all targets in NATS.
    func correctionSharing() -> [CorrectionSharing] {
        natsURLs.map { url in
            CorrectionSharing(
                url, access.forTarget(url, among: urls), fleet: fleet, bridge: bridgeName,
                report: { StandardError.report($0, level: .warning) })
        }
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
            "credentials", \.credentials, .secret,
            "The file with a user's credentials for NATS (.creds)"),
        .init(
            "nkey", \.nkey, .secret,
            "The file of a NATS nkey: its seed and, below it, its public key"),
        .init(
            "password-file", \.password, .secret,
            "The file with the password of the URL's USER or, without USER, a NATS token"),
        .init(
            "ca", \.authorities, .text("FILE"),
            "Encrypt, and trust the certificate authorities in FILE instead of the system's "
                + "(NATS: in addition to them)"),
        .init(
            "cert", \.certificate, .text("FILE"),
            "This machine's certificate; also encrypts the connection"),
        .init("key", \.key, .secret, "The private key of the certificate of --cert"),
    ]
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
            "spool", \.path, .text("FILE"),
            "The file where fixes wait to be sent (default: spool.sqlite in the state folder)"),
        .init(
            "spool-size", \.limits.size, .size,
            "Maximum size of the spool on the disk (default: 256M)"),
        .init(
            "spool-age", \.limits.age, .seconds("TIME"),
            "Maximum age of a fix in the spool (default: 30d)"),
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

extension ArgumentForm<Int64> {
    /// A size in bytes of at least `1M`, with an optional unit `K`, `M` or `G` (powers of 1024).
    fileprivate static var size: ArgumentForm {
        ArgumentForm("SIZE", "a size (expected at least 1M, such as 500M or 2G)") { text in
            let units: [Character: Double] = ["K": 1024, "M": 1_048_576, "G": 1_073_741_824]
            let unit = text.last.flatMap { units[Character($0.uppercased())] }
            let number = Double(unit == nil ? text[...] : text.dropLast())
            return number.map { $0 * (unit ?? 1) }.flatMap {
                1_048_576...1e15 ~= $0 ? Int64($0) : nil
            }
        }
    }
}

extension ArgumentForm<String> {
    /// The name of a NATS stream. NATS would not answer to other names, or close the connection.
    static var stream: ArgumentForm {
        ArgumentForm(
            "NAME", not: "a name of a stream",
            expected:
                "1 to 255 characters, such as letters, digits, - and _, but no blanks and none "
                + "of . * > / \\", unless: NATSStream.isName)
    }

    /// A part of a subject.
    static var token: ArgumentForm {
        ArgumentForm(
            "NAME", not: "a name", expected: "1 to 64 letters, digits, - and _",
            unless: MemberName.isToken)
    }
}

extension ArgumentForm<SecretFile> {
    /// A file that only its owner may read.
    fileprivate static var secret: ArgumentForm {
        ArgumentForm("FILE") { path in try usage { try SecretFile(path) } }
    }
}
