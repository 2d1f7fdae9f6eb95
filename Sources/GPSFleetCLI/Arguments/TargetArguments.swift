// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet

/// The common options of publishing commands: names, targets and rates.
struct TargetArguments: Sendable {
    var fleet = "fleet"
    var bridge: String?
    var access = EngineAccess()
    var settings = PublishSettings()
    var spool = SpoolArguments()
    private var urls: [EngineURL] = []
    private var stream = NATSStream()
    private var createsStream = false
    private var format: (any MessageFormat)?

    /// Returns the options, for a command that stores the arguments in a property. `spool` and
    /// `access` have options of their own.
    static func options<C>(
        _ arguments: any WritableKeyPath<C, TargetArguments> & Sendable
    ) -> [CommandOption<C>] {
        naming(arguments) + sending(arguments) + streams(arguments)
    }

    private static func naming<C>(
        _ arguments: any WritableKeyPath<C, TargetArguments> & Sendable
    ) -> [CommandOption<C>] {
        [
            .init(
                "to", "t", value: "URL",
                help: "Send to nats://HOST or mqtt://HOST, encrypted to tls:// or mqtts://; may be "
                    + "given several times"
            ) { $0[keyPath: arguments].urls.append(try url($1)) },
            .init("fleet-name", value: "NAME", help: "The fleet's name (fleet)") {
                $0[keyPath: arguments].fleet = try token($1)
            },
            .init("bridge", value: "NAME", help: "This machine's name in the fleet (its host name)")
            { $0[keyPath: arguments].bridge = try token($1) },
        ]
    }

    private static func sending<C>(
        _ arguments: any WritableKeyPath<C, TargetArguments> & Sendable
    ) -> [CommandOption<C>] {
        [
            .init(
                "backlog", value: "ORDER",
                choices: PublishSettings.BacklogOrder.allCases.map(\.rawValue),
                help: "The waiting fixes to send first: newest or oldest (newest)"
            ) {
                guard let order = PublishSettings.BacklogOrder(rawValue: $1) else {
                    throw UsageError.unknown(
                        "order", $1, known: PublishSettings.BacklogOrder.allCases.map(\.rawValue))
                }
                $0[keyPath: arguments].settings.backlog = order
            },
            .init(
                "format", "f", value: "FORMAT", choices: MQTTFormats.all.map(\.name),
                help:
                    "The message format for MQTT: gpsbridge, or that of another program (gpsbridge)"
            ) { command, name in
                guard let format = MQTTFormats.all.first(where: { $0.name == name }) else {
                    throw UsageError.unknown(
                        "format", name, known: MQTTFormats.all.map(\.name))
                }
                command[keyPath: arguments].format = format.format
            },
            .init(
                "batch-time", value: "TIME",
                help: "Collect fixes for this time to send them together (0)"
            ) {
                $0[keyPath: arguments].settings.batchTime = .seconds(
                    try DurationArgument.seconds($1, "batch-time"))
            },
            .init(
                "keep-sent", value: "TIME",
                help:
                    "Keep acknowledged messages for this time, and send them again if NATS "
                    + "has lost them (150s)"
            ) {
                $0[keyPath: arguments].settings.keepTime = .seconds(
                    try DurationArgument.seconds($1, "keep-sent", in: 0...86_400))
            },
            .init("batch", value: "N", help: "Send N fixes even before --batch-time is over (60)") {
                $0[keyPath: arguments].settings.batchCount = try Number.whole(
                    $1, "batch", in: 1...1_000_000)
            },
        ]
    }

    private static func streams<C>(
        _ arguments: any WritableKeyPath<C, TargetArguments> & Sendable
    ) -> [CommandOption<C>] {
        [
            .init(
                "create-stream", value: nil,
                help: "Create the NATS stream GPS if it does not exist"
            ) { command, _ in command[keyPath: arguments].createsStream = true },
            .init("replicas", value: "N", help: "Number of servers that store the stream (1)") {
                let count = try Number.whole($1, "replicas", in: 1...5)
                $0[keyPath: arguments].stream.replicas = count
            },
            .init("max-age", value: "TIME", help: "Time for which the stream keeps fixes (7d)") {
                $0[keyPath: arguments].stream.maximumAge = try DurationArgument.seconds(
                    $1, "max-age")
            },
            .init("max-size", value: "SIZE", help: "The stream's size limit (none)") {
                $0[keyPath: arguments].stream.maximumSize = try SizeArgument.bytes($1, "max-size")
            },
        ]
    }

    private static func url(_ text: String) throws -> EngineURL {
        try usage { try EngineURL(text) }
    }

    private static func token(_ text: String) throws -> String {
        guard MemberName.isToken(text) else {
            throw UsageError("not a name: '\(text)' (expected 1 to 64 letters, digits, - and _)")
        }
        return text
    }

    /// This machine's name in the fleet.
    var bridgeName: String { bridge ?? MemberName.token(HostName.own) ?? "bridge" }

    /// Opens the spool and creates a publisher for the inbox, which ends after all `members` have ended.
    func publisher(_ inbox: PublisherInbox, of members: [MemberName]) throws -> Publisher {
        guard !urls.isEmpty else { throw UsageError("--to URL is missing, such as nats://HOST") }
        var settings = settings
        settings.software = "gpsbridge \(Release.version)"
        guard format == nil || urls.contains(where: { $0.engine == .mqtt }) else {
            throw UsageError("--format is for mqtt://")
        }
        let targets = urls.map { target($0, members) }
        return try Publisher(
            inbox, spool: spool.open(), targets: targets, settings: settings
        ) { StandardError.print($0) }
    }

    private func target(_ url: EngineURL, _ members: [MemberName]) -> Publisher.Target {
        switch url.engine {
        case .nats:
            return Publisher.Target(
                name: url.description,
                engine: NATSEngine(
                    url, access, name: "gpsbridge \(fleet)/\(bridgeName)",
                    stream: createsStream ? stream : nil),
                format: BatchFormat(for: .nats))
        case .mqtt:
            let format = format ?? BatchFormat(for: .mqtt)
            return Publisher.Target(
                name: url.description,
                engine: MQTTEngine(
                    url, access, clientID: "gpsbridge-\(fleet)-\(bridgeName)", format: format,
                    members: members),
                format: format)
        }
    }
}
