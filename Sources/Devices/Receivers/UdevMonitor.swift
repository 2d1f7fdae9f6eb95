// SPDX-License-Identifier: MIT
import CUdev
import Glibc
import Synchronization

/// Listens to what udev says about ttys: one monitor for the whole process.
///
/// It takes the events as they come, on the poller's thread, so that the socket never overflows while
/// those whom they concern read receivers or look around.
final class UdevMonitor: Sendable {
    /// libudev's objects, of which one thread at a time makes use.
    private struct Handles: ~Copyable {
        let udev: Udev
        let monitor: OpaquePointer

        deinit { udev_monitor_unref(monitor) }
    }

    private struct Current { weak var monitor: UdevMonitor? }

    private static let current = Mutex(Current())

    /// Whom it tells.
    let listeners = UdevListeners()
    private let descriptor: Descriptor

    /// The process's monitor, which lives as long as somebody has it; nil where the process may not
    /// listen, as without AF_NETLINK.
    static func shared() -> UdevMonitor? {
        current.withLock { current in
            if let monitor = current.monitor { return monitor }
            let monitor = UdevMonitor()
            current.monitor = monitor
            return monitor
        }
    }

    private init?() {
        // There is a udevd exactly if this exists; its events come after the rules have run.
        let group = access("/run/udev/control", F_OK) == 0 ? "udev" : "kernel"
        guard let udev = Udev(),
            let monitor = udev_monitor_new_from_netlink(udev.context, group)
        else { return nil }
        udev_monitor_filter_add_match_subsystem_devtype(monitor, "tty", nil)
        guard udev_monitor_enable_receiving(monitor) >= 0 else {
            udev_monitor_unref(monitor)
            return nil
        }
        // The monitor closes its descriptor itself.
        let descriptor = Descriptor(udev_monitor_get_fd(monitor), owned: false)
        self.descriptor = descriptor
        let handles = Mutex(Handles(udev: udev, monitor: monitor))
        Task(executorPreference: Poller.shared) { [listeners] in
            while true {
                switch await descriptor.readable() {
                case .ready: listeners.tell(Self.takeAll(handles))
                case .hungUp:
                    // More events than the socket holds: nobody knows what was lost.
                    _ = Self.takeAll(handles)
                    listeners.tell(.appearance)
                case .timedOut, .cancelled, .closed, .failed: return
                }
            }
        }
    }

    deinit { descriptor.close() }

    /// By the event alone: to read what sysfs says of a device may take as long as the device does.
    private static func news(of device: OpaquePointer) -> UdevNews {
        func text(_ value: UnsafePointer<CChar>?) -> String {
            value.map { String(cString: $0) } ?? ""
        }
        let isThere =
            text(udev_device_get_action(device)) != "remove"
            && udev_device_get_devnode(device) != nil
        // As in /devices/pci0000:00/0000:00:14.0/usb1/1-3/1-3:1.0/tty/ttyACM0.
        return isThere && text(udev_device_get_devpath(device)).contains("/usb")
            ? .appearance : .change
    }

    /// Takes all events that are there, and tells the greatest news among them.
    private static func takeAll(_ handles: borrowing Mutex<Handles>) -> UdevNews? {
        handles.withLock { handles in
            var greatest: UdevNews?
            while let device = udev_monitor_receive_device(handles.monitor) {
                greatest = max(greatest ?? .change, news(of: device))
                udev_device_unref(device)
            }
            return greatest
        }
    }
}
