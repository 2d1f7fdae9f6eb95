// SPDX-License-Identifier: MIT
import GPSIO

/// A change of a tty of a USB device.
public enum DeviceChange: Hashable, Sendable {
    /// The tty is present: since before the loop, or newly.
    case appeared(DiscoveredDevice)
    /// The tty has disappeared.
    case disappeared(DiscoveredDevice)
}

/// A sequence of devices that appear and disappear; see `DeviceDiscovery.changes()`.
public struct DeviceChanges: AsyncSequence, Sendable {
    /// A loop never throws.
    public typealias Failure = Never

    /// Starts with the devices that are present.
    public func makeAsyncIterator() -> Iterator { Iterator() }

    /// The iterator of one consumer.
    public struct Iterator: AsyncIteratorProtocol {
        // Created before the first enumeration, so that no change is missed.
        private let news: any DeviceAvailability
        private var present: Set<DiscoveredDevice> = []
        private var pending: [DeviceChange] = []
        private var hasLooked = false

        init() {
            // Without netlink, watch the names in /dev, which change at the same time.
            news = UdevAvailability(.change) ?? DeviceFolderAvailability()
        }

        /// Waits for the next change; returns `nil` once the task is cancelled.
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

        /// Enumerates all devices: a "remove" event does not describe its device.
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
