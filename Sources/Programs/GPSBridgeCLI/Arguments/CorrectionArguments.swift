// SPDX-License-Identifier: MIT
import GNSS
import GPSCorrections
import GPSReceivers
import SimulatedDevices

/// The options for corrections, which give receivers with RTK centimetres.
struct CorrectionArguments: Sendable {
    /// The explanation of the options for `--help`.
    static let help = """
        --corrections sends corrections (RTCM 3) to receivers on serial lines, from an NTRIP caster as \
        ntrip://[USER@]HOST[:PORT]/MOUNT, or from another SOURCE such as the tty of a base or tcp://HOST:PORT. \
        USER's password is read from the file of --ntrip-password-file, from \(password.variable), or from \
        systemd's credential \(password.credential). A caster that sends nothing without it gets the \
        receiver's position.
        """

    static let options: [CommandOption<CorrectionArguments>] =
        [
            .init(
                "corrections", \.source, .text("SOURCE"),
                "Send the corrections of a caster or another source to the receivers"
            ).once()
        ] + casterOptions

    /// The options of a caster's user and certificate.
    static let casterOptions: [CommandOption<CorrectionArguments>] = [
        .init(
            "ntrip-password-file", \.passwordFile, .text("FILE"),
            "The file with the password of the caster's user"
        ).once(),
        .init(
            "ntrip-ca", \.authorities, .text("FILE"),
            "Certificate authorities for ntrips://, instead of the system's"
        ).once(),
        .refused("ntrip-password", because: password.refusal),
    ]

    private static let password = SecretArgument.ntripPassword

    var source: String?
    private var passwordFile: String?
    private var authorities: String?

    /// Whether the option was given.
    var isActive: Bool { source != nil }

    /// Returns the source of the corrections; `nil` if the option was not given.
    ///
    /// Throws a `UsageError`, or a `CommandFailure` if the password cannot be read.
    func feed() throws -> CorrectionFeed? {
        try correctionSource().map { CorrectionFeed($0, authorities: authorities) }
    }

    private func correctionSource() throws -> CorrectionInput? {
        guard let source else { return nil }
        guard NTRIPAddress.isMeant(by: source) else {
            return .receiver(try SourceArgument.decompressedSource(source, baudRate: nil))
        }
        let address = try NTRIPAddress(source)
        return .caster(
            address,
            password: address.user == nil ? nil : try Self.password.find(file: passwordFile))
    }

    /// Throws a `UsageError` if the option was given but no source is a serial line.
    func check(_ sources: [any DeviceSource]) throws {
        guard isActive else { return }
        _ = try feed()
        guard sources.serialLines.isEmpty else { return }
        throw UsageError(
            "--corrections is for a receiver on a serial line, not for \(sources[0].name)")
    }

    /// Sends corrections to the receivers on serial lines while `body` reads the sources.
    func whileActive(
        _ sources: [any DeviceSource], _ body: () async throws -> Void
    ) async throws {
        guard let feed = try feed() else { return try await body() }
        try check(sources)
        let sessions = sources.flatMap { source in
            [source].serialLines.map {
                ReceiverPool.shared.session(for: $0, isPart: source.parts.count > 1)
            }
        }
        let service = CorrectionService(
            feed, log: MessageLog { StandardError.report($0, level: $1) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                guard let refusal = try await service.run(for: sessions) else { return }
                StandardError.print("\(feed.source.name): \(refusal.message)", level: .error)
            }
            defer { group.cancelAll() }
            try await body()
        }
    }
}

extension [any DeviceSource] {
    /// The sources that are serial lines, and those that others combine.
    var serialLines: [any DeviceSource] {
        flatMap(\.parts).filter { $0.capabilities.contains(.serialLine) }
    }
}
