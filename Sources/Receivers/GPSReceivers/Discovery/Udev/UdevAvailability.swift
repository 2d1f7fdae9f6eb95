// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO

/// Waits for events of the process's shared udev monitor.
final class UdevAvailability: DeviceAvailability {
    private let monitor: UdevMonitor
    private let wakeUp: WakeUp
    private let subscription: ScopedSubscription

    /// Creates a wait for events of the kind `least` or greater. Returns `nil` if the process has
    /// no access to udev's events.
    init?(_ least: UdevEvent = .ready) {
        guard let monitor = UdevMonitor.shared(), let wakeUp = try? WakeUp() else { return nil }
        self.monitor = monitor
        self.wakeUp = wakeUp
        subscription = monitor.events.observe { if $0 >= least { wakeUp.signal() } }.scoped
    }

    func next(until deadline: MonotonicInstant?) async {
        guard await !wakeUp.wait(until: deadline) else { return }
        await PeriodicRetry.withoutEvents(.shared).next(until: deadline)
    }
}
