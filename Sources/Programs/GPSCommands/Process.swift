// SPDX-License-Identifier: MIT
import CGPSSignals
import GPSIO
import Glibc

/// Handles signals. SIGINT, SIGTERM, the end of `--duration` (SIGALRM) and, unless they are
/// ignored, SIGHUP and SIGQUIT cancel the current work. SIGPIPE is ignored, so that writing to a
/// closed pipe is an error.
package enum Signals {
    /// A file descriptor that becomes readable when a signal that cancels the work is received. It
    /// is never read, so it stays readable.
    package static let descriptor = csignals_descriptor()

    /// Installs the signal handlers and opens `descriptor`. Also opens `/dev/null` for each closed
    /// standard descriptor. Call it before any other file descriptor is opened.
    package static func prepare() {
        _ = csignals_occupy_standard_descriptors()
        _ = descriptor
    }

    /// The number of the first received signal that cancels the work (SIGALRM at the end of
    /// `--duration`); `nil` if none was received.
    package static var received: CInt? { csignals_received() == 0 ? nil : csignals_received() }

    /// Cancels the current work after a number of seconds, as a signal does, even while it waits
    /// for a stalled reader.
    package static func end(after seconds: Double) {
        _ = csignals_end_after(seconds)
    }

    /// Blocks until a descriptor is ready for `events`, as in `poll`.
    ///
    /// - Throws: `CancellationError` if a signal is received first.
    package static func wait(for descriptor: CInt, _ events: CInt) throws(CancellationError) {
        var polled = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: Self.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&polled, 2, -1) < 0 {}
        if polled[1].revents != 0 { throw CancellationError() }
    }

    /// Blocks for a number of milliseconds.
    ///
    /// - Throws: `CancellationError` if a signal is received first.
    package static func sleep(milliseconds: CInt) throws(CancellationError) {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&polled, 1, milliseconds) > 0 { throw CancellationError() }
    }

    /// Holds each SIGHUP from now on until `reloading(_:while:)` handles it. SIGHUP no longer ends
    /// the process.
    package static func keepHangups() { _ = csignals_hangup_descriptor() }

    /// Runs `work`, and calls `reload` at each SIGHUP instead of ending the process. A SIGHUP that
    /// is caused by closing the terminal still ends the process.
    package static func reloading(
        _ reload: @escaping @Sendable () async -> Void,
        while work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let hangups = csignals_hangup_descriptor()
        guard hangups >= 0 else { return try await work() }
        let watch = Task(executorPreference: BackgroundExecutor.shared) {
            let watched = Descriptor(hangups, owned: false)
            while await watched.readable() == .ready {
                if csignals_clear_hangup() != 0 { kill(getpid(), SIGTERM) } else { await reload() }
            }
        }
        let result: Result<Void, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        watch.cancel()
        await watch.value
        try result.get()
    }

    /// Runs `work`. A signal cancels it; then `CancellationError` is thrown, or the `ExitStatus`
    /// that the cancelled work throws.
    static func runUntilSignal(_ work: @escaping @Sendable () async throws -> Void)
        async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work() }
            group.addTask {
                let watched = Descriptor(descriptor, owned: false)
                guard await watched.readable() == .ready else { return }
                throw CancellationError()
            }
            defer { group.cancelAll() }
            do {
                try await group.next()
            } catch is CancellationError {
                try await group.endCancelled()
            }
        }
    }
}
