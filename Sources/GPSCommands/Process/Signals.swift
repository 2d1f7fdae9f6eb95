// SPDX-License-Identifier: MIT
import CGPSSignals
import GPSIO
import GPSReceivers
import Glibc

/// Handles signals: SIGINT, SIGTERM and the end of `--duration` (SIGALRM) end the current work
/// cleanly. SIGPIPE is reported as a write error instead.
package enum Signals {
    /// A descriptor that is readable once one of the signals has been received. It is never read,
    /// so it stays readable.
    package static let descriptor = csignals_descriptor()

    /// Blocks the signals and opens the descriptor. Call it before anything else is opened.
    package static func prepare() {
        _ = csignals_occupy_standard_descriptors()
        _ = descriptor
    }

    /// The signal that ended the command, SIGALRM at the end of `--duration`; `nil` if there is
    /// none.
    package static var received: CInt? { csignals_received() == 0 ? nil : csignals_received() }

    /// Ends the current work after that many seconds, as a signal would, even while it waits for a
    /// stalled reader.
    package static func end(after seconds: Double) {
        _ = csignals_end_after(seconds)
    }

    /// Blocks until a descriptor is ready for `events`, as in `poll`.
    ///
    /// Throws `CancellationError` if a signal is received first.
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
    /// Throws `CancellationError` if a signal is received first.
    package static func sleep(milliseconds: CInt) throws(CancellationError) {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&polled, 1, milliseconds) > 0 { throw CancellationError() }
    }

    /// Runs work and calls `reload` for each SIGHUP until the work is done, instead of ending the
    /// process. A SIGHUP from closing the terminal still ends it.
    package static func reloading(
        _ reload: @escaping @Sendable () -> Void, while work: @escaping @Sendable () async -> Void
    ) async {
        let hangups = csignals_hangup_descriptor()
        guard hangups >= 0 else { return await work() }
        let watch = Task {
            let watched = Descriptor(hangups, owned: false)
            while await watched.readable() == .ready {
                if csignals_clear_hangup() != 0 { kill(getpid(), SIGTERM) } else { reload() }
            }
        }
        await work()
        watch.cancel()
        await watch.value
    }

    /// Runs work until it is done, or until a signal is received and cancels it.
    package static func untilOne(_ work: @escaping @Sendable () async throws -> Void) async throws {
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
                group.cancelAll()
                // An error thrown while ending determines the exit status.
                do {
                    try await group.waitForAll()
                } catch let status as ExitStatus {
                    throw status
                } catch {}
                throw CancellationError()
            }
        }
    }
}
