// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GNSSNavigation
import GPSConfiguration
import GPSFleet
import GPSFormats
import GPSReceivers
import SimulatedDevices

/// Publishes fixes to messaging servers and HTTP servers.
struct PublishCommand: Command {
    static let name = "publish"
    static let summary = "Send fixes to NATS, MQTT or HTTP without losing any while offline."
    static let argumentSyntax = "[[NAME=]SOURCE...]"

    static var details: String {
        """
        \(SourceArgument.help)

        NAME is the receiver's name in the fleet (default: derived from SOURCE). \
        \(VoteArguments.help) The winner's fixes are published as those of one receiver named vote, with the state of \
        the vote, its radius, and how many receivers agree and disagree.

        --anchor also publishes the state of an anchor watch; its alarms are published at once.

        \(WarmStartArguments.help) --share-ephemerides answers others of the fleet with what is stored (NATS).

        --share-corrections sends the RTCM 3 messages that the receivers output, such as those of a base, which others \
        use by --corrections nats://HOST/FLEET/BRIDGE/NAME. They are not stored.

        Every fix is written to the spool first, and removed when the server has stored it: a fix is \
        sent again rather than lost, and duplicates are recognised by their number. If the spool is \
        full, the oldest fixes are thinned in a way that preserves the track's shape.

        Examples:
          gpsbridge publish --to nats://hub.example --create-stream
          gpsbridge publish roof=/dev/ttyUSB0 --to tls://hub.example --credentials bus7.creds
          gpsbridge publish --to https://traccar.example:5055 --id 4711
          gpsbridge publish --to nats://hub --every 10s --distance 5 --batch-time 5min
        """
    }

    static let options: [CommandOption<PublishCommand>] =
        TargetArguments.options.stored(in: \.target) + choosing
        + ServiceArguments.options.stored(in: \.operation)

    static var service: (any WritableKeyPath<PublishCommand, ServiceArguments> & Sendable)? {
        \PublishCommand.operation
    }

    private static let choosing: [CommandOption<PublishCommand>] =
        own + WarmStartArguments.options.stored(in: \.warmStart)
        + VoteArguments.options.stored(in: \.vote) + AlarmArguments.options.stored(in: \.alarms)

    private static let own: [CommandOption<PublishCommand>] = [
        .init(
            "every", \.selection.interval, .seconds(), "Minimum time between published fixes"),
        .init(
            "distance", \.selection.distance, .metres(0.001...1e7),
            "Minimum distance between published fixes"),
        .init(
            "on-change", \.onChange,
            "Publish a fix only if it is at least 10 m, and its accuracy, from the last one, "
                + "or its mode or quality has changed"),
        .speed(\.speed),
        .duration(\.duration),
        .live(\.isLive),
        .baudRate(\.baudRate),
        .anchor(\.circle),
        .init(
            "share-ephemerides", \.sharesEphemerides,
            "Send stored ephemerides to members of the fleet that ask for them (NATS)"),
        .init(
            "share-corrections", \.sharesCorrections,
            "Send the RTCM 3 messages of the receivers to others of the fleet (NATS)"),
    ]

    private var words: [String] = []
    private var target = TargetArguments()
    private var selection = FixSelection()
    private var onChange = false
    private var speed: Double?
    private var duration: Double?
    private var baudRate: BaudRate?
    private var isLive = false
    private var circle: AnchorCircle?
    private var sharesEphemerides = false
    private var sharesCorrections = false
    private var warmStart = WarmStartArguments()
    private var vote = VoteArguments()
    private var alarms = AlarmArguments()
    private var operation = ServiceArguments()

    mutating func addArgument(_ word: String) throws {
        words.append(word)
    }

    func check() throws {
        let receivers = try receivers()
        try target.check(receivers.map(\.member))
        try warmStart.check(receivers.map(\.source))
        if sharesCorrections, vote.isActive {
            throw UsageError("--share-corrections is for receivers, not for --vote")
        }
        guard sharesEphemerides || sharesCorrections, target.natsURLs.isEmpty else { return }
        let option = sharesEphemerides ? "--share-ephemerides" : "--share-corrections"
        throw UsageError("\(option) is for nats:// and tls://")
    }

    func checkMachine(_ attempt: (() throws -> Void) -> Void) {
        target.checkMachine(attempt)
        for word in words {
            attempt { try ServiceArguments.checkMachine(for: source(Self.split(word).source)) }
        }
    }

    func run() async throws {
        try await reloading { try await publish() }
    }

    private func publish() async throws {
        try check()
        let receivers = try receivers()
        let inbox = try PublisherInbox()
        let publisher = try target.publisher(inbox, of: receivers.map(\.member))
        if let duration { Signals.end(after: duration) }
        if let circle {
            var settings = Navigator.Settings()
            settings.circle = circle
            ReceiverPool.shared.navigation = settings
        }
        let rate = FixRate(selection, onChange: onChange)
        let sharing = sharesEphemerides ? target.sharing(Self.storedEphemerides) : []
        defer { withExtendedLifetime(sharing) {} }
        let corrections = sharesCorrections ? target.correctionSharing() : []
        try await alarms.whileActive {
            try await warmStart.whileActive(receivers.map(\.source), warmStart.ephemerides()) {
                let subscriptions = receivers.map {
                    $0.publish(to: inbox, at: rate, sharing: corrections)
                }
                defer { for subscription in subscriptions { subscription.dispose() } }
                ServiceManager.shared?.ready()
                try await publisher.run(receiverCount: receivers.count)
            }
        }
        // A signal or `--duration` is a success, even if a receiver's data has ended before.
        guard !Task.isCancelled else { return }
        switch publisher.outcome {
        case .success: break
        case .nothingFound: throw ExitStatus.nothingFound
        case .failed: throw ExitStatus.failed
        }
    }

    /// The ephemerides that programs of this machine with a warm start have stored, as a
    /// RINEX navigation file; those of simulated ones if real ones have sent none. Empty if there are
    /// none, or if the clock is not synchronised.
    private static func storedEphemerides() -> String {
        guard let time = SynchronizedTime.now?.time, let now = AssistanceData.seconds(time) else {
            return ""
        }
        return [false, true].lazy.map {
            JournalFolder.default.assistance(isSimulated: $0, at: time)
        }
        .first { !$0.ephemerides(at: now).isEmpty }?.rinex(at: now) ?? ""
    }

    private func receivers() throws -> [PublishedReceiver] {
        let sources = try vote.sources(words) { words in
            // With --vote, `vote.sources` has already removed the names from `words`.
            let texts = vote.isActive ? words : words.map { Self.split($0).source }
            guard !texts.isEmpty else { return [FirstReceiverSource(baudRate: baudRate)] }
            return try texts.map(source)
        }
        var receivers: [PublishedReceiver] = []
        for (index, source) in sources.enumerated() {
            let (name, text) = Self.split(words.indices.contains(index) ? words[index] : "")
            let token =
                vote.isActive
                ? source.name : name ?? MemberName.token(Self.shortName(text)) ?? "gps"
            guard
                let member = MemberName(
                    fleet: target.fleet, bridge: target.bridgeName, receiver: token),
                !receivers.contains(where: { $0.member == member })
            else {
                throw UsageError(
                    "two receivers have the name '\(token)': give one of them another name, as in "
                        + "NAME=SOURCE")
            }
            receivers.append(PublishedReceiver(source, as: member))
        }
        return receivers
    }

    private func source(_ text: String) throws -> any DeviceSource {
        guard !text.isEmpty else { return FirstReceiverSource(baudRate: baudRate) }
        return try SourceArgument.source(
            text, baudRate: baudRate, speed: speed, isLive: isLive)
    }

    /// Splits `roof=/dev/ttyUSB0` into name and source. The name is `nil` if it is omitted.
    private static func split(_ word: String) -> (name: String?, source: String) {
        guard let sign = word.firstIndex(of: "="), MemberName.isToken(String(word[..<sign])) else {
            return (nil, word)
        }
        return (String(word[..<sign]), String(word[word.index(after: sign)...]))
    }

    /// Returns the part of a source that distinguishes receivers: the last part of a path, a USB
    /// serial number or a host.
    private static func shortName(_ source: String) -> String {
        if source.hasPrefix("simulated") { return "simulated" }
        for scheme in ["serial:", "tcp://", "udp://", "gpsd://"] where source.hasPrefix(scheme) {
            return String(source.dropFirst(scheme.count))
        }
        return source.split(separator: "/").last.map(String.init) ?? source
    }
}
