// SPDX-License-Identifier: MIT
import GPSIO

/// What happened to a tty with USB behind it.
public enum DeviceChange: Hashable, Sendable {
    /// It is there: since before, or from now on.
    case appeared(DiscoveredDevice)
    /// It is there no more.
    case disappeared(DiscoveredDevice)
}

/// Devices that come and go; see `DeviceDiscovery.changes()`.
public struct DeviceChanges: AsyncSequence, Sendable {
    /// A loop never throws.
    public typealias Failure = Never

    /// Begins with what is there.
    public func makeAsyncIterator() -> Iterator { Iterator() }

    /// One consumer.
    public struct Iterator: AsyncIteratorProtocol {
        // Created before the first enumeration, so that no change is missed.
        private let news: any DeviceAvailability
        private var present: Set<DiscoveredDevice> = []
        private var pending: [DeviceChange] = []
        private var hasLooked = false

        init() {
            // Without netlink, the names in /dev change at the same moments.
            news = UdevAvailability(.change) ?? DeviceFolderAvailability()
        }

        /// Waits for the next change; nil once the task is cancelled.
        public mutating func next() async -> DeviceChange? {
            while !Task.isCancelled {
                if !pending.isEmpty { return pending.removeFirst() }
                if hasLooked { await news.next(until: nil) }
                guard !Task.isCancelled else { break }
                hasLooked = true
                await look()
            }
            return nil
        }

        /// Enumerates again: a "remove" event says too little about the device.
        private mutating func look() async {
            let devices = await withTaskExecutorPreference(BackgroundExecutor.shared) {
                DeviceDiscovery.devices()
            }
            let now = Set(devices)
            pending += present.subtracting(now).sorted { $0.path < $1.path }
                .map { .disappeared($0) }
            pending += devices.filter { !present.contains($0) }.map { .appeared($0) }
            present = now
        }
    }
}
