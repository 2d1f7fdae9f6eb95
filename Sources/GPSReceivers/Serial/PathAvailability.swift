// SPDX-License-Identifier: MIT
import CGPSSerial
package import GNSS
package import GPSIO
import Glibc
import Synchronization

/// Watches what a path depends on: names in folders, from a link to what it points to.
package final class PathAvailability: DeviceAvailability {
    private let path: String
    private let poller: Poller
    private let watches: Mutex<PathWatches>
    private let descriptor: Descriptor?

    convenience init(_ path: String, poller: Poller = .shared) {
        self.init(path, poller: poller, inotify: Descriptor.inotify(poller: poller))
    }

    /// Watches by an inotify instance; without one, or where the user has no watches left, it tries at intervals.
    package init(_ path: String, poller: Poller, inotify: Descriptor?) {
        self.poller = poller
        self.path = Node(path).absolutePath
        descriptor = inotify
        watches = Mutex(PathWatches())
        _ = update()
    }

    package func next(until deadline: MonotonicInstant?) async {
        // A folder that is watched only from now on may have got the device before that.
        if update() { return }
        guard let descriptor, watches.withLock({ $0.isComplete }) else {
            return await PeriodicRetry(poller: poller, interval: .seconds(2)).next(until: deadline)
        }
        while case .bytes(let events) = await descriptor.read(atMost: 4096, until: deadline) {
            if watches.withLock({ $0.isConcerned(by: events) }) { return }
        }
    }

    /// Watches what the path depends on now; true if that differs from before.
    private func update() -> Bool {
        descriptor?.use { fd in watches.withLock { $0.follow(path, inotify: fd) } } ?? false
    }
}
