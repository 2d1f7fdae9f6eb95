// SPDX-License-Identifier: MIT
package import GNSS
package import GPSIO
import Synchronization

/// Watches all folders that are used to resolve a path, including those of symbolic links.
package final class PathAvailability: DeviceAvailability {
    private let path: String
    private let poller: Poller
    private let watches: Mutex<PathWatches>
    private let descriptor: Descriptor?

    convenience init(_ path: String, poller: Poller = .shared) {
        self.init(path, poller: poller, inotify: Descriptor.inotify(poller: poller))
    }

    /// Creates a watch that uses an inotify instance. If `inotify` is `nil` or cannot be read, or
    /// if the user's limit of watches has been reached, each wait ends after two seconds instead.
    package init(_ path: String, poller: Poller, inotify: Descriptor?) {
        self.poller = poller
        self.path = Node(path).absolutePath
        descriptor = inotify
        watches = Mutex(PathWatches())
        _ = update()
    }

    package func next(until deadline: MonotonicInstant?) async {
        // The device may have appeared before its folder was being watched.
        if update() { return }
        if let descriptor, watches.withLock({ $0.isComplete }) {
            while case .bytes(let events) = await descriptor.read(atMost: 4096, until: deadline) {
                if watches.withLock({ $0.isConcerned(by: events) }) { return }
            }
        }
        await PeriodicRetry.withoutEvents(poller).next(until: deadline)
    }

    /// Updates the watches. Returns whether the path's folders or links have changed.
    private func update() -> Bool {
        descriptor?.use { fd in watches.withLock { $0.follow(path, inotify: fd) } } ?? false
    }
}
