// SPDX-License-Identifier: MIT
import GNSS
import GPSCommands
import GPSConfiguration
import GPSReceivers

/// The option `--warm-start`, which shortens the time to first fix.
struct WarmStartArguments {
    /// The explanation of the option for `--help`.
    static let help = """
        --warm-start stores the navigation data of a u-blox receiver (M8 or later) every hour and at the end, \
        and sends it back when the receiver is opened without a fix.
        """

    static let options: [CommandOption<WarmStartArguments>] = [
        .init(
            "warm-start",
            help: "Shorten the time to first fix with navigation data stored in an earlier run"
        ) { $0.isActive = true }
    ]

    /// Whether the option was given.
    var isActive = false

    /// Throws a `UsageError` if the option was given but no source is a serial line.
    func check(_ sources: [any DeviceSource]) throws {
        guard isActive, Self.lines(sources).isEmpty else { return }
        throw UsageError(
            "--warm-start is for a receiver on a serial line, not for \(sources[0].name)")
    }

    /// Runs warm starts for the receivers on serial lines while `body` reads the sources.
    func whileActive(
        _ sources: [any DeviceSource], _ body: () async throws -> Void
    ) async throws {
        guard isActive else { return try await body() }
        try check(sources)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for source in sources {
                for line in Self.lines([source]) {
                    let session = ReceiverPool.shared.session(
                        for: line, isPart: source.parts.count > 1)
                    group.addTask { await WarmStart(session) { StandardError.print($0) }.run() }
                }
            }
            defer { group.cancelAll() }
            try await body()
        }
    }

    private static func lines(_ sources: [any DeviceSource]) -> [any DeviceSource] {
        sources.flatMap(\.parts).filter { $0.capabilities.contains(.serialLine) }
    }
}
