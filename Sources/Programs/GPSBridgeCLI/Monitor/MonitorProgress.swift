// SPDX-License-Identifier: MIT
import Delegation
import GPSReceivers
import Glibc
import Synchronization

/// Determines when a monitor ends: after a number of fixes or sentences, or when its last source
/// ends.
final class MonitorProgress: Sendable {
    /// The promise of the monitor's exit status; `nil` for success. It is settled after the last
    /// update has been printed or shown.
    let end = Promise<ExitStatus?>()

    private let remaining: Mutex<Remaining>

    /// The fixes and sources that remain before the monitor ends.
    private struct Remaining {
        /// The number of fixes or sentences still to print; `nil` for no limit.
        var count: Int?
        /// The number of sources that have not ended.
        var sources: Int
        /// The exit status of sources that ended without success; `nil` if there are none.
        /// `.failed` takes precedence.
        var status: ExitStatus?
    }

    /// Creates a progress that ends after `count` fixes or sentences (`nil`: no limit), or when all
    /// sources have ended.
    init(count: Int?, sources: Int) {
        remaining = Mutex(Remaining(count: count, sources: sources))
    }

    /// Counts a printed fix or sentence.
    func countOne() {
        let isLast = remaining.withLock { remaining in
            guard let count = remaining.count, count > 0 else { return false }
            remaining.count = count - 1
            return count == 1
        }
        if isLast { end.fulfill(nil) }
    }

    /// Ends the monitor with an error, because a receiver cannot be monitored. The message is one
    /// line, and may refer to `gpsbridge doctor`.
    func fail(_ error: DeviceError) {
        guard [.permissionDenied, .busy, .configurationFailed].contains(error.code) else {
            end.reject(error)
            return
        }
        // Without a name, doctor may examine another receiver.
        let device = error.device.contains(" ") ? "'\(error.device)'" : error.device
        end.reject(CommandFailure("\(error) For details: gpsbridge doctor \(device)"))
    }

    /// Counts a source that has ended. `status` is `nil` if it succeeded. Other sources continue.
    func ended(_ device: String, _ status: ExitStatus?) {
        let last = remaining.withLock { remaining -> Remaining? in
            remaining.status = [remaining.status, status].compactMap { $0 }
                .min { $0.code < $1.code }
            remaining.sources -= 1
            return remaining.sources == 0 ? remaining : nil
        }
        guard let last else { return }
        end.fulfill(last.status ?? Self.missing(last, "\(device) has ended"))
    }

    /// Prints the number of missing fixes or sentences if `--duration` has ended the monitor. Call
    /// it when the task has been cancelled.
    ///
    /// - Throws: `ExitStatus` if the duration has elapsed and fixes are missing or a source has
    ///   failed.
    func cancelled() throws {
        guard Signals.received == SIGALRM else { return }
        let last = remaining.withLock { $0 }
        let missing = Self.missing(last, "--duration is over", ": give a longer --duration")
        if let status = missing ?? last.status { throw status }
    }

    /// Prints the number of missing fixes or sentences, and returns the exit status; `nil` if none
    /// are missing.
    private static func missing(
        _ remaining: Remaining, _ event: String, _ advice: String = ""
    ) -> ExitStatus? {
        guard let count = remaining.count, count > 0 else { return nil }
        MonitorPrinter.print(
            "\(event), but \(count) more were requested with --count\(advice)")
        return .nothingFound
    }
}
