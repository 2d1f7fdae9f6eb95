// SPDX-License-Identifier: MIT

/// Waits for what the process's udev monitor tells.
final class UdevAvailability: DeviceAvailability {
    private let monitor: UdevMonitor
    private let bell: Bell
    private let token: UInt64

    /// Begins to listen; nil where the process may not.
    init?(_ news: UdevNews = .appearance) {
        guard let monitor = UdevMonitor.shared(), let bell = try? Bell() else { return nil }
        self.monitor = monitor
        self.bell = bell
        token = monitor.listeners.add(bell, for: news)
    }

    deinit { monitor.listeners.remove(token) }

    func next(until deadline: ContinuousClock.Instant?) async {
        _ = await bell.wait(until: deadline)
    }
}
