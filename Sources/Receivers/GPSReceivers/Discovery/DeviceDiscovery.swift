// SPDX-License-Identifier: MIT
import CGPSSerial
import CGPSUdev
import GNSS
import GPSIO
import Glibc

/// Lists the ttys of USB devices that are plugged in, according to libudev.
public enum DeviceDiscovery {
    /// Returns the devices that are certainly receivers: they have the USB id of a receiver, or the
    /// administrator declared them (`isDeclared`).
    public static func receivers() -> [DiscoveredDevice] {
        devices().filter(\.isReceiver)
    }

    /// Returns the devices that may be receivers: generic converters, and devices with GPS or GNSS
    /// in their name.
    package static func candidates() -> [DiscoveredDevice] {
        devices().filter { $0.kind == .candidate }
    }

    /// Returns all ttys of USB devices, in the order of the USB ports to which they are connected.
    public static func devices() -> [DiscoveredDevice] {
        guard let udev = Udev() else { return [] }
        return udev.devices(subsystem: "tty") { DiscoveredDevice($0) }
    }

    /// Returns the USB device whose tty is at a path, which may be a link; `nil` for any other tty.
    public static func device(at path: String) -> DiscoveredDevice? {
        let node = Node(path).realPath
        // Pseudo terminals are excluded: udev does not list them, and there may be thousands.
        guard path.hasPrefix("/dev/tty") || !node.hasPrefix("/dev/pts/") else { return nil }
        return devices().first { $0.path == node || Node($0.path).realPath == node }
    }

    /// Returns a sequence of the devices that are present, followed by each change.
    ///
    /// Every `for await` loop over the sequence starts with the devices that are present, and ends
    /// when its task is cancelled. The sequence waits for events and does not poll. A slow loop
    /// misses only devices that appear and disappear between two iterations.
    public static func changes() -> DeviceChanges { DeviceChanges() }
}

/// A tty of a USB device, as described by udev.
public struct DiscoveredDevice: Hashable, Sendable {
    /// The path of the tty's node, such as `/dev/ttyACM0`.
    public let path: String
    /// The USB vendor id.
    public let vendor: UInt16
    /// The USB product id.
    public let product: UInt16
    /// The manufacturer's name that the device reports; `nil` if it reports none.
    public let manufacturerName: String?
    /// The product's name that the device reports; `nil` if it reports none.
    public let productName: String?
    /// The USB serial number; `nil` if the device has none, like many receivers.
    public let serialNumber: String?
    /// The kernel driver of the USB interface, such as `cdc_acm`; `nil` if it is not known.
    package let driver: String?
    /// The number of the USB interface, which distinguishes several ttys of one device; `nil` if it
    /// is not known.
    package let interfaceNumber: Int?
    /// The number of the serial port, which distinguishes several ttys of one USB interface; `nil`
    /// for the first or only one.
    let serialPortNumber: Int?
    /// The USB port to which the device is connected: udev's `ID_PATH`, or the port's name, such as
    /// `1-4.2`; `nil` if neither is known.
    package let port: String?
    /// Whether the administrator declared the device a receiver (udev property `ID_GPSBRIDGE`).
    package let isDeclared: Bool

    /// The symbolic links to the node, such as `/dev/serial/by-id/…`; empty without udev.
    public let links: [String]
    /// The device number on the USB bus, which changes when the device is plugged in again; `nil`
    /// if it is not known.
    package let busDeviceNumber: Int?

    /// How certain it is that the device is a receiver.
    public enum Kind: String, Sendable {
        /// Certainly a receiver: its USB id belongs only to receivers, or the administrator
        /// declared it (`isDeclared`).
        case receiver
        /// A possible receiver: a generic converter, or a device with GPS or GNSS in its name.
        case candidate
        /// Any other device. It is opened only if the user names it.
        case other
    }

    /// How certain it is that this device is a receiver, according to its USB id and its names.
    public var kind: Kind {
        if isDeclared || known != nil { return .receiver }
        return converter != nil || hasReceiverName ? .candidate : .other
    }

    /// The known receiver with this USB id; `nil` if there is none.
    package var known: KnownReceiver? {
        KnownReceiver.with(vendor: vendor, product: product)
    }

    /// The generic converter with this USB id; `nil` if there is none.
    package var converter: GenericConverter? {
        GenericConverter.with(vendor: vendor, product: product)
    }

    /// Whether the device is certainly a receiver.
    public var isReceiver: Bool { kind == .receiver }

    /// Whether the device is expected to send NMEA sentences without being configured.
    package var sendsNMEA: Bool { isDeclared || known?.sendsNMEA == true }

    /// The USB vendor id as four hexadecimal digits.
    package var vendorID: String { USBID.text(vendor) }

    /// The USB product id as four hexadecimal digits.
    package var productID: String { USBID.text(product) }

    /// The model: the product's name that the device reports, otherwise the name known for its USB
    /// id, otherwise the id.
    public var model: String {
        productName ?? known?.name ?? converter?.name ?? "\(vendorID):\(productID)"
    }

    /// A path that does not change when the device is reconnected; `nil` if there is none. It is
    /// based on the serial number or the USB port.
    public var stablePath: String? {
        // Two identical devices without serial numbers would share one link in by-id.
        let folders = usableSerialNumber != nil ? ["by-id", "by-path"] : ["by-path", "by-id"]
        return folders.lazy.compactMap { folder in
            links.first { $0.hasPrefix("/dev/serial/\(folder)/") }
        }.first
    }

    /// Whether the device's tty has no baud rate, because the device is a known receiver with
    /// built-in USB. Unknown devices with the same driver may be converters.
    var hasNoBaudRate: Bool { known != nil && driver == "cdc_acm" }

    /// A key that identifies the device's tty after it is reconnected. It is based on the serial
    /// number or, without one, on the USB port; `nil` if neither is known.
    package var key: String? {
        (usableSerialNumber ?? port).map { makeKey($0) }
    }

    /// Like `key`, but never based on the USB port: equal for all devices of this model without a
    /// serial number.
    var portlessKey: String { makeKey(usableSerialNumber ?? "") }

    private var usableSerialNumber: String? { serialNumber.flatMap { $0.isEmpty ? nil : $0 } }

    private func makeKey(_ identifier: String) -> String {
        let numbers = [interfaceNumber, serialPortNumber].compactMap(\.self).map { ":\($0)" }
            .joined()
        return "\(vendorID):\(productID):\(identifier)\(numbers)"
    }

    /// Returns whether this is another tty of the same USB device.
    package func isSibling(of other: DiscoveredDevice) -> Bool {
        // ID_PATH ends with the interface, which is removed: pci-0000:00:14.0-usb-0:3:1.0.
        func socket(_ device: DiscoveredDevice) -> Substring? {
            device.port.map {
                $0.contains("-usb")
                    ? $0.prefix(upTo: $0.lastIndex(of: ":") ?? $0.endIndex) : $0[...]
            }
        }
        guard let own = socket(self), path != other.path else { return false }
        return own == socket(other) && vendor == other.vendor && product == other.product
    }

    private var hasReceiverName: Bool {
        let words = ((manufacturerName ?? "") + " " + (productName ?? "")).uppercased()
        return words.contains("GPS") || words.contains("GNSS")
    }
}

/// The appearance or disappearance of a tty of a USB device.
public enum DeviceChange: Hashable, Sendable {
    /// The tty has appeared, or was present when the iteration started.
    case appeared(DiscoveredDevice)
    /// The tty has disappeared.
    case disappeared(DiscoveredDevice)
}

/// An asynchronous sequence of changes: ttys of USB devices that appear and disappear. See
/// `DeviceDiscovery.changes()`.
public struct DeviceChanges: AsyncSequence, Sendable {
    /// The type of errors: iterating over the sequence never throws.
    public typealias Failure = Never

    /// Creates an iterator that starts with the devices that are present.
    public func makeAsyncIterator() -> Iterator { Iterator() }

    /// Iterates over the changes. Each iterator first returns the devices that are present.
    public struct Iterator: AsyncIteratorProtocol {
        // It is created before the first enumeration, so that no change is missed.
        private let availability: any DeviceAvailability
        private var present: Set<DiscoveredDevice> = []
        private var pending: [DeviceChange] = []
        private var hasLooked = false

        init() {
            // Without udev's events, watch the names in /dev, which change at the same times.
            availability = UdevAvailability(.change) ?? DeviceFolderAvailability()
        }

        /// Waits for the next change. Returns `nil` after the task has been cancelled.
        public mutating func next() async -> DeviceChange? {
            while !Task.isCancelled {
                if !pending.isEmpty { return pending.removeFirst() }
                if hasLooked { await availability.next(until: nil) }
                guard !Task.isCancelled else { break }
                hasLooked = true
                await look()
            }
            return nil
        }

        /// Enumerates all devices and adds the changes to `pending`. A "remove" event is not
        /// sufficient, because it does not describe its device.
        private mutating func look() async {
            let devices = await BackgroundExecutor.run { DeviceDiscovery.devices() }
            let now = Set(devices)
            pending += present.subtracting(now).sorted { $0.path < $1.path }
                .map { .disappeared($0) }
            pending += devices.filter { !present.contains($0) }.map { .appeared($0) }
            present = now
        }
    }
}

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

/// Reads several possible receivers at the same time, to find a device that sends messages. Nothing
/// is sent to them. A device that another program has open is not read.
struct CandidateSearch: Sendable {
    private let baudRate: BaudRate?
    private let poller: Poller

    package init(baudRate: BaudRate? = nil, poller: Poller = .shared) {
        self.poller = poller
        self.baudRate = baudRate
    }

    private enum Outcome: Sendable {
        case understood(SerialConnection)
        case nothing(DiscoveredDevice)
        case failed(DeviceError)
        /// A recognised receiver that sends NMEA has been plugged in, so the search has ended.
        case receiverAppeared
    }

    enum SearchResult: Sendable {
        /// The first device that sends messages, as an open connection.
        case receiver(SerialConnection)
        /// No device sends messages. `silent` contains the devices that were read, and `failure`
        /// the error of the first device that could not be opened.
        case none(silent: [DiscoveredDevice], failure: DeviceError?)
        /// A recognised receiver that sends NMEA has been plugged in, so the search has ended.
        case receiverAppeared
    }

    /// Reads all candidates until one sends messages, or until all baud rates have been tried.
    func search(_ candidates: [DiscoveredDevice]) async -> SearchResult {
        guard !candidates.isEmpty else { return .none(silent: [], failure: nil) }
        return await withTaskGroup(of: Outcome.self) { group in
            for candidate in candidates { group.addTask { await listen(to: candidate) } }
            group.addTask { await waitForReceiver() }
            defer { group.cancelAll() }
            var failure: DeviceError?
            var silent: [DiscoveredDevice] = []
            for _ in candidates {
                switch await group.next() {
                case .understood(let connection)?: return .receiver(connection)
                case .failed(let error)?: failure = failure ?? error
                case .nothing(let device)?: silent.append(device)
                case .receiverAppeared?, nil: return .receiverAppeared
                }
            }
            return .none(silent: silent, failure: failure)
        }
    }

    private func listen(to device: DiscoveredDevice) async -> Outcome {
        // A program that uses the device, such as that of a printer, may not have locked the tty. The
        // search would change its baud rate.
        if let reader = TTYStatus.otherReader(of: device.path) {
            return .failed(DeviceError(.busy, device: device.path, detail: reader))
        }
        var source = SerialSource(device.path, baudRate: baudRate)
        source.poller = poller
        let connection: SerialConnection
        do throws(DeviceError) {
            connection = try source.listen(to: device)
        } catch {
            // A device that has just been plugged in may be opened later.
            return .failed(error)
        }
        do throws(DeviceError) {
            var reader = RateFindingReader(connection, poller: poller)
            guard try await reader.findRate() else {
                connection.close()
                return .nothing(device)
            }
            return .understood(connection)
        } catch {
            // Otherwise, the device was unplugged, or it failed while it was read.
            return error.code == .cancelled ? .failed(error) : .nothing(device)
        }
    }

    private func waitForReceiver() async -> Outcome {
        let udevAvailability = FirstReceiverSource.udevAvailability(poller)
        while !Task.isCancelled {
            if DeviceDiscovery.receivers().contains(where: \.sendsNMEA) { return .receiverAppeared }
            await udevAvailability.next(until: nil)
        }
        return .receiverAppeared
    }
}

/// A USB device that is a known receiver or a generic converter, but has no tty because no driver
/// has created one.
package struct UnboundDevice: Sendable {
    /// The vendor and product id as printed by `lsusb`: `1546:01a7`.
    package let id: String
    /// The model: the product's name that the device reports, otherwise the name known for its USB
    /// id.
    package let model: String
    /// The kernel module that would create a tty; `nil` if it is not known.
    package let module: String?
    /// Whether the kernel has loaded `module`.
    package let isModuleLoaded: Bool
    /// Whether the kernel is permitted to use the device. Programs such as USBGuard can deny that.
    package let isAuthorized: Bool
    /// The kernel drivers that are bound to the device's interfaces.
    package let drivers: [String]

    /// Returns all devices without a tty that are plugged in.
    package static func all() -> [UnboundDevice] {
        guard let udev = Udev() else { return [] }
        return udev.devices(subsystem: "usb") { UnboundDevice($0, udev) }
    }

    /// Creates a description of a device.
    package init(
        id: String, model: String, module: String? = nil, isModuleLoaded: Bool = false,
        isAuthorized: Bool = true, drivers: [String] = []
    ) {
        self.id = id
        self.model = model
        self.module = module
        self.isModuleLoaded = isModuleLoaded
        self.isAuthorized = isAuthorized
        self.drivers = drivers
    }

    private init?(_ usb: OpaquePointer, _ udev: borrowing Udev) {
        guard Self.type(of: usb) == "usb_device", let (vendor, product) = UdevDevice.usbID(of: usb),
            let name = KnownReceiver.with(vendor: vendor, product: product)?.name
                ?? GenericConverter.with(vendor: vendor, product: product)?.name,
            udev.devices(subsystem: "tty", below: usb, { udev_device_get_devnode($0) }).isEmpty
        else { return nil }
        let module = Self.module(vendor, product)
        self.init(
            id: USBID.text(vendor, product),
            model: UdevDevice.attribute("product", of: usb) ?? name,
            module: module,
            isModuleLoaded: module.map { Node("/sys/module/\($0)").isFolder } ?? false,
            isAuthorized: UdevDevice.attribute("authorized", of: usb) != "0",
            drivers: udev.devices(subsystem: "usb", below: usb) { interface in
                Self.type(of: interface) == "usb_interface" ? UdevDevice.driver(of: interface) : nil
            })
    }

    private static func type(of device: OpaquePointer) -> String? {
        udev_device_get_devtype(device).map { String(cString: $0) }
    }

    private static func module(_ vendor: UInt16, _ product: UInt16) -> String? {
        switch (vendor, product) {
        case (0x1546, 0x0500...0x05ff), (0x0403, _): "ftdi_sio"
        case (0x1546, _), (0x0e8d, _), (0x1d50, _), (0x1a86, 0x55d3): "cdc_acm"
        case (0x067b, _), (0x0557, _): "pl2303"
        case (0x10c4, _): "cp210x"
        case (0x1a86, _): "ch341"
        case (0x04e2, _): "xr_serial"
        case (0x1163, _): "cypress_m8"
        case (0x09d7, _): "usb_serial_simple"
        case (0x0a99, _), (0x0df7, _): "navman"
        case (0x091e, _): "garmin_gps"
        case (0x2639, _): "xsens_mt"
        default: nil
        }
    }
}

/// Formats USB ids with four hexadecimal digits each.
private enum USBID {
    static func text(_ id: UInt16) -> String {
        String(hexadecimal: UInt64(id), width: 4)
    }

    static func text(_ vendor: UInt16, _ product: UInt16) -> String {
        "\(text(vendor)):\(text(product))"
    }
}

/// Conditions that can disturb the reading of a tty: ModemManager, power saving, and other programs
/// that use the tty.
package struct TTYStatus: Sendable {
    /// Whether ModemManager is configured to ignore the tty.
    package let isIgnoredByModemManager: Bool
    /// The path of the sysfs file that controls the USB device's power saving; `nil` if power
    /// saving is off or the tty is not a USB device.
    package let powerControl: String?

    /// Reads the state of a tty. Returns `nil` if udev does not know the tty.
    package init?(path: String) {
        guard let udev = Udev(), let name = Self.name(of: path),
            let device = udev_device_new_from_subsystem_sysname(udev.context, "tty", name)
        else { return nil }
        defer { udev_device_unref(device) }
        func isSet(_ property: String) -> Bool {
            UdevDevice.property(property, of: device) == "1"
        }
        isIgnoredByModemManager = isSet("ID_MM_DEVICE_IGNORE") || isSet("ID_MM_PORT_IGNORE")
        let usb = UdevDevice.usbParent(of: device)
        let isSaving = usb.flatMap { UdevDevice.attribute("power/control", of: $0) } == "auto"
        powerControl =
            isSaving
            ? usb.flatMap(udev_device_get_syspath).map { String(cString: $0) + "/power/control" }
            : nil
    }

    /// Returns the latency timer of an FTDI converter, which is the maximum time, in milliseconds,
    /// for which the converter buffers bytes. Returns `nil` for other ttys.
    package static func latencyTimer(of path: String) -> Int? {
        guard let name = name(of: path),
            let text = RegularFile.contents("/sys/class/tty/\(name)/device/latency_timer")
        else { return nil }
        return Int(String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self))
    }

    /// Returns the process that has a tty open; `nil` if there is none, `/proc` does not show it,
    /// or the node is not a tty.
    package static func holder(of path: String) -> DeviceError.Detail? {
        // Other nodes, such as /dev/null, are open in many processes.
        isTTY(path) ? NodeAccess(path).holder() : nil
    }

    /// Returns the process, other than this one, that has a tty open; `nil` if there is none,
    /// `/proc` does not show it, or the node is not a tty.
    ///
    /// Opening the tty may succeed nevertheless: many programs do not lock it, and locks do not
    /// apply to root. Each reader then receives only some of the bytes.
    package static func otherReader(of path: String) -> DeviceError.Detail? {
        isTTY(path) ? NodeAccess(path).holder(besides: Int(getpid())) : nil
    }

    /// Returns whether a path leads to a tty, or to the device of a receiver with a kernel driver.
    private static func isTTY(_ path: String) -> Bool {
        Node(path).isPseudoTerminal || Node(path).isGNSSDevice() || name(of: path) != nil
    }

    /// Returns whether another program has locked a tty. Call it only if another program has the
    /// tty open: this function also opens the tty, and opening can reset a device that is not open
    /// yet.
    ///
    /// The corresponding C function is `flock`.
    package static func isLocked(_ path: String) -> Bool {
        let descriptor = open(FileName.native(path), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == EBUSY }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Returns the kernel's name for the tty at `path`, such as `ttyUSB0`; `nil` if it is not in
    /// `/sys/class/tty`.
    private static func name(of path: String) -> String? {
        // Try the path's own name first, because the node of a simulated device is a link to a
        // pseudo terminal.
        [path, Node(path).realPath].lazy
            .compactMap { $0.split(separator: "/").last.map(String.init) }
            .first { Node("/sys/class/tty/\($0)").linkTarget != nil }
    }
}
