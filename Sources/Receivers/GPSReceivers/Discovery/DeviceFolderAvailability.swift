// SPDX-License-Identifier: MIT
import CGPSSerial
import GNSS
import GPSIO
import Glibc

/// Watches `/dev` for ttys of USB devices, in a process that has no access to events of udev or the
/// kernel.
struct DeviceFolderAvailability: DeviceAvailability {
    /// The inotify instance; `nil` if the user's limit of instances or watches has been reached.
    private let descriptor: Descriptor?
    private let poller: Poller

    init(poller: Poller = .shared) {
        self.poller = poller
        let inotify = Descriptor.inotify(poller: poller)
        // IN_ATTRIB is needed because an administrator or a container's host may grant access after
        // the node has appeared.
        let mask = IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE | IN_ONLYDIR
        let watch = inotify?.use { inotify_add_watch($0, "/dev", UInt32(mask)) } ?? -1
        descriptor = watch >= 0 ? inotify : nil
    }

    func next(until deadline: MonotonicInstant?) async {
        if let descriptor {
            while case .bytes(let events) = await descriptor.read(atMost: 4096, until: deadline) {
                let text = String(decoding: events, as: UTF8.self)
                if text.contains("ttyUSB") || text.contains("ttyACM") { return }
            }
        }
        await PeriodicRetry.withoutEvents(poller).next(until: deadline)
    }
}
