// SPDX-License-Identifier: MIT
import CSerial
import Glibc

/// Watches /dev for ttys of USB devices: where the process may not listen to udev or the kernel.
struct DeviceFolderAvailability: DeviceAvailability {
    private let descriptor: Descriptor?
    private let poller: Poller

    init(poller: Poller = .shared) {
        self.poller = poller
        descriptor = Descriptor.inotify(poller: poller)
        // IN_ATTRIB: an administrator, or a container's host, gives access after the node is there.
        let mask = IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE | IN_ONLYDIR
        _ = descriptor?.use { inotify_add_watch($0, "/dev", UInt32(mask)) }
    }

    func next(until deadline: MonotonicInstant?) async {
        guard let descriptor else {
            let retry = poller.now + .seconds(2)
            _ = await poller.sleep(until: min(deadline ?? retry, retry))
            return
        }
        while case .bytes(let events) = await descriptor.read(atMost: 4096, until: deadline) {
            let text = String(decoding: events, as: UTF8.self)
            if text.contains("ttyUSB") || text.contains("ttyACM") { return }
        }
    }
}
