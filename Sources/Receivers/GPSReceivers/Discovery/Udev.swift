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

extension DiscoveredDevice {
    /// Reads the properties of a tty and its USB parents. Returns `nil` if it has no device node or
    /// no USB parent.
    ///
    /// Do not use it for a "remove" event: the sysfs paths of the parents may already belong to
    /// another device.
    init?(_ tty: OpaquePointer) {
        guard let path = udev_device_get_devnode(tty),
            let usb = UdevDevice.usbParent(of: tty), let id = UdevDevice.usbID(of: usb)
        else { return nil }
        let interface = udev_device_get_parent_with_subsystem_devtype(tty, "usb", "usb_interface")
        let line = udev_device_get_parent_with_subsystem_devtype(tty, "usb-serial", nil)
        self.path = String(cString: path)
        (vendor, product) = id
        manufacturerName = UdevDevice.attribute("manufacturer", of: usb)
        productName = UdevDevice.attribute("product", of: usb)
        serialNumber = UdevDevice.attribute("serial", of: usb)
        driver = interface.flatMap { UdevDevice.driver(of: $0) }
        interfaceNumber = interface.flatMap { UdevDevice.attribute("bInterfaceNumber", of: $0) }
            .flatMap { Int($0, radix: 16) }
        serialPortNumber = line.flatMap { UdevDevice.attribute("port_number", of: $0) }
            .flatMap { Int($0) }.flatMap { $0 == 0 ? nil : $0 }
        port =
            UdevDevice.property("ID_PATH", of: tty)
            ?? udev_device_get_sysname(usb).map { String(cString: $0) }
        links =
            UdevDevice.property("DEVLINKS", of: tty)?.split(separator: " ").map(String.init) ?? []
        busDeviceNumber = UdevDevice.attribute("devnum", of: usb).flatMap { Int($0) }
        isDeclared = UdevDevice.property("ID_GPSBRIDGE", of: tty) == "1"
    }
}

/// A libudev context. It must be used by only one task at a time.
struct Udev: ~Copyable {
    let context: OpaquePointer

    /// Creates a context; `nil` if out of memory. The corresponding C function is `udev_new`.
    init?() {
        guard let context = udev_new() else { return nil }
        self.context = context
    }

    deinit { udev_unref(context) }

    /// Calls `body` for each device of a subsystem, or only for those below `parent`. Returns the
    /// results that are not `nil`.
    ///
    /// The corresponding C function is `udev_enumerate_scan_devices`.
    func devices<T>(
        subsystem: String, below parent: OpaquePointer? = nil, _ body: (OpaquePointer) -> T?
    ) -> [T] {
        guard let enumeration = udev_enumerate_new(context) else { return [] }
        defer { udev_enumerate_unref(enumeration) }
        udev_enumerate_add_match_subsystem(enumeration, subsystem)
        if let parent { udev_enumerate_add_match_parent(enumeration, parent) }
        udev_enumerate_scan_devices(enumeration)
        var found: [T] = []
        var next = udev_enumerate_get_list_entry(enumeration)
        while let entry = next {
            if let device = udev_device_new_from_syspath(context, udev_list_entry_get_name(entry)) {
                if let item = body(device) { found.append(item) }
                udev_device_unref(device)
            }
            next = udev_list_entry_get_next(entry)
        }
        return found
    }
}

extension DeviceDiscovery {
    /// Returns all udev properties of the tty at a path, in udev's order. They are empty if it is
    /// not a tty, or udev does not know it.
    package static func udevProperties(of path: String) -> [(name: String, value: String)] {
        guard let udev = Udev() else { return [] }
        return udev.devices(subsystem: "tty") { tty -> [(name: String, value: String)]? in
            guard let node = udev_device_get_devnode(tty), String(cString: node) == path else {
                return nil
            }
            var properties: [(name: String, value: String)] = []
            var next = udev_device_get_properties_list_entry(tty)
            while let entry = next {
                if let name = udev_list_entry_get_name(entry),
                    let value = udev_list_entry_get_value(entry)
                {
                    properties.append((String(cString: name), String(cString: value)))
                }
                next = udev_list_entry_get_next(entry)
            }
            return properties
        }.first ?? []
    }
}

/// Reads attributes and properties of a libudev device.
enum UdevDevice {
    /// Returns a sysfs attribute; `nil` if the device does not have it. The corresponding C
    /// function is `udev_device_get_sysattr_value`.
    static func attribute(_ name: String, of device: OpaquePointer) -> String? {
        udev_device_get_sysattr_value(device, name).map { String(cString: $0) }
    }

    /// Returns a udev property; `nil` if the device does not have it. The corresponding C function
    /// is `udev_device_get_property_value`.
    static func property(_ name: String, of device: OpaquePointer) -> String? {
        udev_device_get_property_value(device, name).map { String(cString: $0) }
    }

    /// Returns the kernel driver bound to the device; `nil` if there is none.
    static func driver(of device: OpaquePointer) -> String? {
        udev_device_get_driver(device).map { String(cString: $0) }
    }

    /// Returns the vendor and product id of a USB device; `nil` if it has none.
    static func usbID(of device: OpaquePointer) -> (vendor: UInt16, product: UInt16)? {
        guard let vendor = attribute("idVendor", of: device).flatMap({ UInt16($0, radix: 16) }),
            let product = attribute("idProduct", of: device).flatMap({ UInt16($0, radix: 16) })
        else { return nil }
        return (vendor, product)
    }

    /// Returns the USB device to which `device` belongs; `nil` if it is not a USB device.
    static func usbParent(of device: OpaquePointer) -> OpaquePointer? {
        udev_device_get_parent_with_subsystem_devtype(device, "usb", "usb_device")
    }
}

/// Waits for events of the process's shared udev monitor.
final class UdevAvailability: DeviceAvailability {
    private let monitor: UdevMonitor
    private let wakeUp: WakeUp
    private let subscription: ScopedSubscription

    /// Creates a wait for events of the kind `least` or greater. Returns `nil` if the process has
    /// no access to udev's events.
    init?(_ least: UdevEvent = .ready) {
        guard let monitor = UdevMonitor.shared(), let wakeUp = try? WakeUp() else { return nil }
        self.monitor = monitor
        self.wakeUp = wakeUp
        subscription = monitor.events.observe { if $0 >= least { wakeUp.signal() } }.scoped
    }

    func next(until deadline: MonotonicInstant?) async {
        guard await !wakeUp.wait(until: deadline) else { return }
        await PeriodicRetry.withoutEvents(.shared).next(until: deadline)
    }
}
