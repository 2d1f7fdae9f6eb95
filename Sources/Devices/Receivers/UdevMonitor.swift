// SPDX-License-Identifier: MIT
import CUdev
import Glibc
import Synchronization

/// Listens to what udev says about ttys.
final class UdevMonitor: DeviceAppearances {
    /// libudev's objects, of which one thread at a time makes use.
    private struct Handles: ~Copyable {
        let udev: Udev
        let monitor: OpaquePointer

        deinit { udev_monitor_unref(monitor) }
    }

    private let handles: Mutex<Handles>
    private let descriptor: Descriptor

    /// Starts listening; nil where the process may not, as without AF_NETLINK.
    init?() {
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
        descriptor = Descriptor(udev_monitor_get_fd(monitor), owned: false)
        handles = Mutex(Handles(udev: udev, monitor: monitor))
    }

    deinit { descriptor.close() }

    /// Waits for a tty that may be opened now: "add", or a "change" of what is there.
    func next(until deadline: ContinuousClock.Instant?) async {
        await next(until: deadline) { action, device in
            action != "remove" && DiscoveredDevice(device) != nil
        }
    }

    /// Waits for any tty to come or go.
    func nextChange() async {
        await next(until: nil) { _, _ in true }
    }

    private func next(
        until deadline: ContinuousClock.Instant?,
        where isNews: @Sendable (String?, OpaquePointer) -> Bool
    ) async {
        while true {
            switch await descriptor.readable(until: deadline) {
            case .ready: if takeAll(isNews) { return }
            case .hungUp:
                // More events than the socket holds: nobody knows what was lost.
                _ = takeAll(isNews)
                return
            case .timedOut, .cancelled, .closed, .failed: return
            }
        }
    }

    /// Takes all events that are there; true if one of them is news.
    private func takeAll(_ isNews: (String?, OpaquePointer) -> Bool) -> Bool {
        handles.withLock { handles in
            var hasNews = false
            while let device = udev_monitor_receive_device(handles.monitor) {
                let action = udev_device_get_action(device).map { String(cString: $0) }
                if isNews(action, device) { hasNews = true }
                udev_device_unref(device)
            }
            return hasNews
        }
    }
}
