// SPDX-License-Identifier: MIT
import Delegation
import GPSFleet
import GPSFormats
import GPSReceivers

/// Publishes fixes to messaging servers.
struct PublishCommand: Command {
    static let name = "publish"
    static let summary = "Send fixes to NATS or MQTT, and lose none while offline."
    static let words = "[[NAME=]SOURCE...]"

    static var details: String {
        """
        \(SourceArgument.help)

        NAME is the receiver's name in the fleet (default: derived from SOURCE).

        Every fix is written to the spool first, and removed when the engine has stored it: a fix is \
        sent again rather than lost, and duplicates are recognised by their number. If the spool is \
        full, the oldest fixes are thinned in a way that preserves the track's shape.

        Examples:
          gpsbridge publish --to nats://hub.example --create-stream
          gpsbridge publish roof=/dev/ttyUSB0 --to tls://hub.example --credentials bus7.creds
          gpsbridge publish --to nats://hub --every 10s --distance 5 --batch-time 5min
        """
    }

    static let options: [CommandOption<PublishCommand>] =
        TargetArguments.options(\.target) + SpoolArguments.options(\.target.spool)
        + AccessArguments.options(\.target.access) + choosing

    private static let choosing: [CommandOption<PublishCommand>] =
        [
            .init("every", value: "SECONDS", help: "Minimum time between published fixes") {
                $0.selection.interval = try DurationArgument.seconds($1, "every")
            },
            .init(
                "distance", value: "METRES",
                help: "Minimum distance between published fixes"
            ) {
                $0.selection.distance = try Number.of($1, "distance", in: 0.001...1e7)
            },
            .init(
                "on-change",
                help:
                    "Publish a fix only if its position has changed by more than its accuracy"
            ) { command, _ in command.onChange = true },
            .init("speed", value: "X", help: "Replay a recording X times as fast") {
                $0.speed = try Number.of($1, "speed", in: 0.001...1e6)
            },
            .duration(\.duration),
            .live(\.isLive),
            .baudRate(\.baudRate),
        ]

    private var words: [String] = []
    private var target = TargetArguments()
    private var selection = FixSelection()
    private var onChange = false
    private var speed: Double?
    private var duration: Double?
    private var baudRate: BaudRate?
    private var isLive = false

    init() {}

    mutating func addArgument(_ word: String) throws {
        words.append(word)
    }

    func run() async throws {
        let receivers = try receivers()
        let inbox = try PublisherInbox()
        let publisher = try target.publisher(inbox, of: receivers.map(\.member))
        if let duration { Signals.end(after: duration) }
        let rate = FixRate(selection, onChange: onChange)
        let subscriptions = receivers.map { $0.publish(to: inbox, at: rate) }
        defer { for subscription in subscriptions { subscription.dispose() } }
        ServiceManager.shared?.ready()
        try await publisher.run(receiverCount: receivers.count)
    }

    private func receivers() throws -> [PublishedReceiver] {
        var receivers: [PublishedReceiver] = []
        for word in words.isEmpty ? [""] : words {
            let (name, text) = Self.split(word)
            let source: any DeviceSource =
                try text.isEmpty
                ? FirstReceiverSource(baudRate: baudRate)
                : SourceArgument.source(
                    text, baudRate: baudRate, speed: speed, isLive: isLive)
            let token = name ?? MemberName.token(Self.shortName(text)) ?? "gps"
            guard
                let member = MemberName(
                    fleet: target.fleet, bridge: target.bridgeName, receiver: token),
                !receivers.contains(where: { $0.member == member })
            else { throw UsageError("two receivers have the name '\(token)': write NAME=SOURCE") }
            receivers.append(PublishedReceiver(source, as: member))
        }
        return receivers
    }

    /// Splits `roof=/dev/ttyUSB0` into name and source; the name is optional.
    private static func split(_ word: String) -> (name: String?, source: String) {
        guard let sign = word.firstIndex(of: "="), MemberName.isToken(String(word[..<sign])) else {
            return (nil, word)
        }
        return (String(word[..<sign]), String(word[word.index(after: sign)...]))
    }

    /// Returns the part of a source that distinguishes receivers: the last part of a path, a USB serial number or a host.
    private static func shortName(_ source: String) -> String {
        if source.hasPrefix("simulated") { return "simulated" }
        for scheme in ["serial:", "tcp://", "udp://", "gpsd://"] where source.hasPrefix(scheme) {
            return String(source.dropFirst(scheme.count))
        }
        return source.split(separator: "/").last.map(String.init) ?? source
    }
}
