// SPDX-License-Identifier: MIT
import CGPSSerial
import GNSS
import GPSIO
import Glibc

/// Watches `/dev` for ttys of USB devices, if the process has no access to udev's or the kernel's
/// events.
struct DeviceFolderAvailability: DeviceAvailability {
    /// The inotify instance; `nil` if the user has no instance or no watch left.
    private let descriptor: Descriptor?
    private let poller: Poller

    init(poller: Poller = .shared) {
        self.poller = poller
        let inotify = Descriptor.inotify(poller: poller)
        // IN_ATTRIB: an administrator or a container's host may grant access after the node
        // appears.
        let mask = IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE | IN_ONLYDIR
        let watch = inotify?.use { inotify_add_watch($0, "/dev", UInt32(mask)) } ?? -1
        descriptor = watch >= 0 ? inotify : nil
    }

    func next(until deadline: MonotonicInstant?) async {
        guard let descriptor else {
            return await PeriodicRetry(poller: poller, interval: .seconds(2)).next(until: deadline)
        }
        while case .bytes(let events) = await descriptor.read(atMost: 4096, until: deadline) {
            let text = String(decoding: events, as: UTF8.self)
            if text.contains("ttyUSB") || text.contains("ttyACM") { return }
        }
    }
}
