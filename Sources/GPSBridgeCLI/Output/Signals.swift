// SPDX-License-Identifier: MIT
import CSignals
import Devices
import Glibc

/// SIGINT and SIGTERM end whatever is being done, cleanly; SIGPIPE is an error of a write.
enum Signals {
    /// Readable once one of the signals has come. Nobody reads it, so it stays so.
    static let descriptor = csignals_descriptor()

    /// Takes the signals over.
    static func prepare() {
        _ = descriptor
    }

    /// Does something until it is done, or until a signal comes and cancels it.
    static func untilOne(_ work: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work() }
            group.addTask {
                let watched = Descriptor(descriptor, owned: false)
                guard await watched.readable() == .ready else { return }
                throw CancellationError()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
