// SPDX-License-Identifier: MIT
import CSerial
import Glibc
import Synchronization

/// Watches what a path depends on: names in folders, from a link to what it points to.
final class PathAvailability: DeviceAvailability {
    private let path: String
    private let poller: Poller
    private let watches: Mutex<PathWatches>
    private let descriptor: Descriptor?

    init(_ path: String, poller: Poller = .shared) {
        self.poller = poller
        self.path = Node(path).absolutePath
        descriptor = Descriptor.inotify(poller: poller)
        watches = Mutex(PathWatches())
        _ = update()
    }

    func next(until deadline: MonotonicInstant?) async {
        guard let descriptor else {
            // No inotify instance left: try at intervals.
            let retry = poller.now + .seconds(2)
            _ = await poller.sleep(until: min(deadline ?? retry, retry))
            return
        }
        // A folder that is watched only from now on may have got the device before that.
        if update() { return }
        while case .bytes(let events) = await descriptor.read(atMost: 4096, until: deadline) {
            if watches.withLock({ $0.isConcerned(by: events) }) { return }
        }
    }

    /// Watches what the path depends on now; true if that differs from before.
    private func update() -> Bool {
        descriptor?.use { fd in watches.withLock { $0.follow(path, inotify: fd) } } ?? false
    }
}
