// SPDX-License-Identifier: MIT
package import Delegation
import GNSS
import GPSIO
import Glibc
package import GPSReceivers

/// Runs a command of the user when an integrity alarm begins or ends. Its standard input is empty;
/// its output is discarded.
///
/// The shell gets the state as `$1`, the device as `$2` and the reasons as `$3`. The commands of
/// several changes run one after the other; at most eight wait.
package enum AlarmCommand {
    /// Runs `command` at changes of the receivers of a pool, until the value returned is released.
    package static func run(
        _ command: String, at pool: ReceiverPool = .shared
    ) -> ScopedSubscription {
        let changes = pool.alarmChanges.values(buffering: .newest(8))
        let task = Task {
            for await change in changes {
                await run(command, change)
            }
        }
        return Subscription { task.cancel() }.scoped
    }

    private static func run(_ command: String, _ change: AlarmChange) async {
        let reasons = change.integrity.reasons.map(\.text).joined(separator: "; ")
        let words = [
            "sh", "-c", command, "gpsbridge", change.integrity.state.rawValue, change.device,
            reasons,
        ]
        do throws(IOError) {
            let process = try ChildProcess("/bin/sh", words, poller: .shared)
            // Waits for the end of its output.
            while await process.output.readable() == .ready {
                let count = process.output.use { descriptor in
                    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) {
                        Glibc.read(descriptor, $0.baseAddress, $0.count)
                    }
                }
                guard let count, count > 0 else { break }
            }
        } catch {
            StandardError.print("\(DeviceError(error))")
        }
    }
}
