// SPDX-License-Identifier: MIT
import GNSS
import GPSIO

/// Waits for events of the process's shared udev monitor.
final class UdevAvailability: DeviceAvailability {
    private let monitor: UdevMonitor
    private let wakeUp: WakeUp
    private let token: UInt64

    /// Subscribes to `event` and greater events. Returns `nil` if the process has no access to
    /// udev's events.
    init?(_ event: UdevEvent = .ready) {
        guard let monitor = UdevMonitor.shared(), let wakeUp = try? WakeUp() else { return nil }
        self.monitor = monitor
        self.wakeUp = wakeUp
        token = monitor.subscribers.add(wakeUp, for: event)
    }

    deinit { monitor.subscribers.remove(token) }

    func next(until deadline: MonotonicInstant?) async {
        guard await !wakeUp.wait(until: deadline) else { return }
        await PeriodicRetry.withoutEvents(.shared).next(until: deadline)
    }
}
