// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSConfiguration
import GPSCorrections
import GPSReceivers
import SimulatedDevices
import Synchronization

/// The options for corrections, which give receivers with RTK centimetres.
struct CorrectionArguments: Sendable {
    /// The explanation of the options for `--help`.
    static let help = """
        --corrections sends corrections (RTCM 3) to receivers on serial lines, from an NTRIP caster as \
        ntrip://[USER@]HOST[:PORT]/MOUNT, or from another SOURCE such as the tty of a base, tcp://HOST:PORT, or a member of \
        a fleet that shares them (nats://HOST/FLEET/BRIDGE/RECEIVER). If it \
        is given several times, the first source that sends corrections is used. USER's password is read from the \
        file of --ntrip-password-file, from \(password.variable), or from systemd's credential \(password.credential). \
        A caster that sends nothing without it gets the receiver's position.
        """

    static let options: [CommandOption<CorrectionArguments>] = [
        .init(
            "corrections", adding: \.sources, .text("SOURCE"),
            "Send the corrections of a caster or another source to the receivers"),
        .init(
            "ntrip-password-file", adding: \.passwordFiles, .text("FILE"),
            "The file with the password of the caster's user; of the next caster's if given again"
        ),
        .init(
            "ntrip-ca", \.authorities, .text("FILE"),
            "Certificate authorities for ntrips://, instead of the system's"
        ).once(),
        .refused("ntrip-password", because: password.refusal),
    ]

    private static let password = SecretArgument.ntripPassword

    /// The sources in the order of preference.
    var sources: [String] = []
    /// The files with passwords, in the order of the casters with a user. The last one is also for the
    /// rest.
    private var passwordFiles: [String] = []
    private var authorities: String?

    /// Whether the option was given.
    var isActive: Bool { !sources.isEmpty }

    /// Returns the sources of the corrections in the order of preference; none if the option was
    /// not given. Those that have not changed are the ones in `former`, also if their password can no
    /// longer be read: the user may have changed.
    ///
    /// Throws a `UsageError`, or a `CommandFailure` if a password cannot be read.
    func feeds(keeping former: [CorrectionFeed] = []) throws -> [CorrectionFeed] {
        var files = passwordFiles[...]
        return try inputs().map { input in
            var input = input
            func kept() -> CorrectionFeed? {
                former.first { $0.receives(input, authorities: authorities) }
            }
            if case .caster(let address, _) = input, address.user != nil {
                let file = files.count > 1 ? files.removeFirst() : files.first
                do {
                    let password = try Self.password.find(file: file)
                    input = .caster(address, password: password)
                } catch {
                    guard let feed = kept() else { throw error }
                    return feed
                }
            }
            return kept() ?? CorrectionFeed(input, authorities: authorities)
        }
    }

    /// Returns the sources without passwords. A file with a password may be a pipe, which can be read
    /// only once.
    func inputs() throws -> [CorrectionInput] {
        try sources.map { source in
            NTRIPAddress.isMeant(by: source)
                ? .caster(try NTRIPAddress(source), password: nil)
                : .receiver(try Self.receiver(source))
        }
    }

    /// Returns a source other than a caster. Of a member of a fleet, its corrections are read.
    private static func receiver(_ text: String) throws -> any DeviceSource {
        let source = try SourceArgument.decompressedSource(text, baudRate: nil)
        guard var member = source as? FleetSource else { return source }
        guard text.split(separator: "/").count == 5, !text.hasPrefix("mqtt") else {
            throw UsageError(
                "\(text): corrections of a fleet are those of one member, in NATS: give its name, as in "
                    + "nats://HOST/FLEET/BRIDGE/RECEIVER")
        }
        member.readsCorrections = true
        return member
    }

    /// Throws a `UsageError` if the option was given but no source is a serial line.
    func check(_ sources: [any DeviceSource]) throws {
        guard isActive else { return }
        _ = try inputs()
        guard sources.serialLines.isEmpty else { return }
        throw UsageError(
            "--corrections is for a receiver on a serial line, not for \(sources[0].name)")
    }

    /// Sends corrections of `feeds`, if any, to the receivers on serial lines while `body` reads the
    /// sources.
    static func send(
        _ feeds: [CorrectionFeed], to sources: [any DeviceSource],
        while body: () async throws -> Void
    ) async throws {
        guard let first = feeds.first else { return try await body() }
        let service = CorrectionService(
            feeds, log: MessageLog { StandardError.report($0, level: $1) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                guard let refusal = try await service.run(for: sources.lineSessions) else { return }
                StandardError.print("\(first.source.name): \(refusal.message)", level: .error)
            }
            defer { group.cancelAll() }
            try await body()
        }
    }
}

/// The corrections for the receivers of a server. A reload can change both, and clients can add
/// receivers.
final class ServedCorrections: Sendable {
    private let service: CorrectionService
    private let ephemerides: OtherEphemerides?
    /// The streams that have ephemerides.
    private let streams: Mutex<[ScopedSubscription]>

    /// Creates an object that also collects the ephemerides in the corrections.
    init(_ feeds: [CorrectionFeed], _ ephemerides: OtherEphemerides?) {
        self.ephemerides = ephemerides
        streams = Mutex(ephemerides?.receive(from: feeds) ?? [])
        service = CorrectionService(
            feeds, canChange: true, log: MessageLog { StandardError.report($0, level: $1) })
    }

    /// Sends the corrections to the receivers on serial lines while `body` reads the sources.
    func send(
        to sources: [any DeviceSource], while body: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [service] in _ = try await service.run(for: sources.lineSessions) }
            defer { group.cancelAll() }
            try await body()
        }
    }

    /// Returns what changes the sources of corrections, and the receivers that get them. Sources that
    /// have not changed stay connected.
    ///
    /// Throws a `CommandFailure` if a new password cannot be read.
    func change(
        to arguments: CorrectionArguments
    ) throws -> (_ receivers: [any DeviceSource]) -> Void {
        let feeds = try arguments.feeds(keeping: service.feeds)
        return { self.change(to: feeds, for: $0) }
    }

    /// Changes the sources of corrections, and the receivers that get them.
    func change(to feeds: [CorrectionFeed], for receivers: [any DeviceSource]) {
        let new = ephemerides?.receive(from: feeds) ?? []
        streams.withLock { $0 = new }
        service.change(to: feeds, for: receivers.lineSessions)
    }

    /// Changes the receivers that get the corrections.
    func change(for receivers: [any DeviceSource]) {
        service.change(receivers: receivers.lineSessions)
    }
}

extension [any DeviceSource] {
    /// The sessions of the serial lines.
    fileprivate var lineSessions: [ReceiverSession] {
        flatMap { source in
            [source].serialLines.map {
                ReceiverPool.shared.session(for: $0, isPart: source.parts.count > 1)
            }
        }
    }
}
