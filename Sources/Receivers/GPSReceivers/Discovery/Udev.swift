// SPDX-License-Identifier: MIT
import CGPSUdev
import Delegation
import GNSS
import GPSIO
import Glibc
import Synchronization

/// The kinds of udev events, for code that waits for a receiver. A wait for one kind also ends at
/// an event of a greater kind.
enum UdevEvent: Comparable {
    /// A tty appeared or disappeared.
    case change
    /// A tty of a USB device can be opened now, after udev's "add" event or a "change" event.
    case ready
}

/// Receives udev's events for ttys. The whole process shares one monitor.
///
/// Events are read immediately, on the polling thread, so that the socket does not overflow while
/// subscribers are busy.
final class UdevMonitor: Sendable {
    /// The libudev objects. The mutex ensures that only one thread at a time uses them.
    private struct Handles: ~Copyable {
        let udev: Udev
        let monitor: OpaquePointer

        deinit { udev_monitor_unref(monitor) }
    }

    private struct Current { weak var monitor: UdevMonitor? }

    private static let current = Mutex(Current())

    /// The time until the next read while the poller cannot watch the socket.
    private static let retryInterval = Duration.milliseconds(100)

    /// Sends each event.
    let events = Event<UdevEvent>()
    private let descriptor: Descriptor

    /// Returns the process's monitor, which is released with its last reference; `nil` if the
    /// process has no access to udev's events, for example without `AF_NETLINK`.
    static func shared() -> UdevMonitor? {
        current.withLock { current in
            if let monitor = current.monitor { return monitor }
            let monitor = UdevMonitor()
            current.monitor = monitor
            return monitor
        }
    }

    /// Creates a separate monitor, for example for a test; `nil` if the process has no access to
    /// udev's events.
    init?(poller: Poller = .shared) {
        // This file exists while udevd runs. The events of udevd are sent after its rules have been
        // applied, and those of the kernel before.
        let group = access("/run/udev/control", F_OK) == 0 ? "udev" : "kernel"
        guard let udev = Udev(),
            let monitor = udev_monitor_new_from_netlink(udev.context, group)
        else { return nil }
        udev_monitor_filter_add_match_subsystem_devtype(monitor, "tty", nil)
        guard udev_monitor_enable_receiving(monitor) >= 0 else {
            udev_monitor_unref(monitor)
            return nil
        }
        // `udev_monitor_unref` closes the descriptor.
        let descriptor = Descriptor(udev_monitor_get_fd(monitor), owned: false, poller: poller)
        self.descriptor = descriptor
        let handles = Mutex(Handles(udev: udev, monitor: monitor))
        Task(executorPreference: poller) { [events] in
            while true {
                switch await descriptor.readable() {
                case .ready:
                    if let event = Self.takeAll(handles) { events.send(event) }
                case .hungUp:
                    // The socket has overflowed: any event may have been lost.
                    _ = Self.takeAll(handles)
                    events.send(.ready)
                case .failed:
                    // For example, the polling thread cannot be started. The next wait tries again.
                    let next = poller.now + Self.retryInterval
                    guard await poller.sleep(until: next) == .timedOut else { return }
                    if let event = Self.takeAll(handles) { events.send(event) }
                case .timedOut, .cancelled, .closed: return
                }
            }
        }
    }

    deinit { descriptor.close() }

    /// Classifies an event. Does not read the device's sysfs attributes, because that may block
    /// until the device responds.
    private static func event(of device: OpaquePointer) -> UdevEvent {
        func text(_ value: UnsafePointer<CChar>?) -> String {
            value.map { String(cString: $0) } ?? ""
        }
        let isPresent =
            text(udev_device_get_action(device)) != "remove"
            && udev_device_get_devnode(device) != nil
        // An example of the path is /devices/pci0000:00/0000:00:14.0/usb1/1-3/1-3:1.0/tty/ttyACM0.
        return isPresent && text(udev_device_get_devpath(device)).contains("/usb")
            ? .ready : .change
    }

    /// Reads all pending events and returns the greatest one in the order of `UdevEvent`; `nil` if
    /// there are none.
    private static func takeAll(_ handles: borrowing Mutex<Handles>) -> UdevEvent? {
        handles.withLock { handles in
            var greatest: UdevEvent?
            while let device = udev_monitor_receive_device(handles.monitor) {
                greatest = max(greatest ?? .change, event(of: device))
                udev_device_unref(device)
            }
            return greatest
        }
    }
}
