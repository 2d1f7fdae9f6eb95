// SPDX-License-Identifier: MIT
import GPSIO

/// The appearance or disappearance of a tty of a USB device.
public enum DeviceChange: Hashable, Sendable {
    /// The tty has appeared, or was present when the iteration started.
    case appeared(DiscoveredDevice)
    /// The tty has disappeared.
    case disappeared(DiscoveredDevice)
}

/// An asynchronous sequence of changes: ttys of USB devices that appear and disappear. See
/// `DeviceDiscovery.changes()`.
public struct DeviceChanges: AsyncSequence, Sendable {
    /// The type of errors: iterating over the sequence never throws.
    public typealias Failure = Never

    /// Creates an iterator that starts with the devices that are present.
    public func makeAsyncIterator() -> Iterator { Iterator() }

    /// Iterates over the changes. Each iterator first returns the devices that are present.
    public struct Iterator: AsyncIteratorProtocol {
        // It is created before the first enumeration, so that no change is missed.
        private let availability: any DeviceAvailability
        private var present: Set<DiscoveredDevice> = []
        private var pending: [DeviceChange] = []
        private var hasLooked = false

        init() {
            // Without udev's events, watch the names in /dev, which change at the same times.
            availability = UdevAvailability(.change) ?? DeviceFolderAvailability()
        }

        /// Waits for the next change. Returns `nil` after the task has been cancelled.
        public mutating func next() async -> DeviceChange? {
            while !Task.isCancelled {
                if !pending.isEmpty { return pending.removeFirst() }
                if hasLooked { await availability.next(until: nil) }
                guard !Task.isCancelled else { break }
                hasLooked = true
                await look()
            }
            return nil
        }

        /// Enumerates all devices and adds the changes to `pending`. A "remove" event is not
        /// sufficient, because it does not describe its device.
        private mutating func look() async {
            let devices = await BackgroundExecutor.run { DeviceDiscovery.devices() }
            let now = Set(devices)
            pending += present.subtracting(now).sorted { $0.path < $1.path }
                .map { .disappeared($0) }
            pending += devices.filter { !present.contains($0) }.map { .appeared($0) }
            present = now
        }
    }
}
