// SPDX-License-Identifier: MIT
package import Delegation
import GNSS
import GPSIO
import GPSReceivers
import Glibc

/// Runs a user's shell command when an alarm begins or ends. Its standard input is empty, and its
/// output is discarded.
///
/// The shell gets the state as `$1`, the device as `$2`, the reasons as `$3` and the kind of alarm
/// as `$4`. Commands for several changes run one after the other. At most eight changes wait; older
/// ones are dropped.
package enum AlarmCommand {
    /// Runs `command` whenever an alarm of a receiver begins or ends, until the returned value is
    /// released.
    package static func run(_ command: String) -> ScopedSubscription {
        let changes = ReceiverPool.shared.alarmChanges.values(buffering: .newest(8))
        let task = Task {
            for await change in changes {
                await run(command, change)
            }
        }
        return Subscription { task.cancel() }.scoped
    }

    private static func run(_ command: String, _ change: AlarmChange) async {
        let reasons = change.reasons.joined(separator: "; ")
        let words = [
            "sh", "-c", command, "gpsbridge", change.state, change.device, reasons,
            change.kind.rawValue,
        ]
        do throws(IOError) {
            let process = try ChildProcess("/bin/sh", words, poller: .shared)
            // Reading until the end of the output also waits until the command ends.
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
