// SPDX-License-Identifier: MIT
import GPSReceivers
import Glibc
import SimulatedDevices
import Synchronization

/// Simulated USB devices for libudev, by umockdev.
///
/// The library is loaded at run time, so that building does not need umockdev. A process can have
/// one testbed (it is in an environment variable), in which a tty name can be used only once.
package final class Umockdev {
    /// Whether the process was started with `umockdev-wrapper`.
    package static var isAvailable: Bool {
        getenv("LD_PRELOAD").map { String(cString: $0).contains("umockdev") } ?? false
    }

    private typealias New = @convention(c) () -> OpaquePointer?
    private typealias Add =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>, OpaquePointer?) -> CInt
    private typealias Event =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void
    private typealias Remove = @convention(c) (OpaquePointer?, UnsafePointer<CChar>) -> Void
    private typealias Master = @convention(c) (OpaquePointer?, UnsafePointer<CChar>) -> CInt

    private let library: UnsafeMutableRawPointer?
    private let testbed: OpaquePointer?

    /// Creates a machine without devices.
    package init() {
        library = dlopen("libumockdev.so.0", RTLD_NOW)
        testbed = dlsym(library, "umockdev_testbed_new").flatMap {
            unsafeBitCast($0, to: New.self)()  // Safety: the declared type of the C function
        }
    }

    /// A USB device with one tty.
    package struct Device: Sendable {
        package var vendor: String
        package var product: String
        package var tty: String
        package var number: Int
        package var properties: [String] = []
        package var serialNumber: String?

        /// Creates a description; a tty name and a number can be used only once in a process.
        package init(
            vendor: String, product: String, tty: String, number: Int, properties: [String] = [],
            serialNumber: String? = nil
        ) {
            self.vendor = vendor
            self.product = product
            self.tty = tty
            self.number = number
            self.properties = properties
            self.serialNumber = serialNumber
        }

        fileprivate var usb: String { "/devices/pci0000:00/0000:00:14.0/usb1/1-\(number)" }
        fileprivate var paths: [String] {
            ["\(usb)/1-\(number):1.0/tty/\(tty)", "\(usb)/1-\(number):1.0", usb].map { "/sys" + $0 }
        }

        fileprivate var description: String {
            let extra = properties.map { "E: \($0)\n" }.joined()
            let serial = serialNumber.map { "A: serial=\($0)\\n\n" } ?? ""
            return """
                P: \(usb)
                E: DEVTYPE=usb_device
                E: SUBSYSTEM=usb
                A: idVendor=\(vendor)\\n
                A: idProduct=\(product)\\n
                A: manufacturer=Maker\\n
                A: product=GNSS receiver\\n
                \(serial)
                P: \(usb)/1-\(number):1.0
                E: DEVTYPE=usb_interface
                E: SUBSYSTEM=usb
                A: bInterfaceNumber=02\\n
                L: driver=../../../../../../bus/usb/drivers/cdc_acm

                P: \(usb)/1-\(number):1.0/tty/\(tty)
                N: \(tty)
                E: DEVNAME=/dev/\(tty)
                E: ID_PATH=pci-0000:00:14.0-usb-0:3:1.0
                E: SUBSYSTEM=tty
                \(extra)A: dev=166:\(number)\\n

                """
        }
    }

    /// Plugs a device in: creates the node and sends udev's "add".
    package func plug(_ device: Device) -> Bool {
        guard let add = dlsym(library, "umockdev_testbed_add_from_string") else { return false }
        // Safety: the declared type of the C function
        return unsafeBitCast(add, to: Add.self)(testbed, device.description, nil) != 0
    }

    /// The receiver's end of the device's tty.
    package func receiver(_ device: Device) -> CInt {
        guard let master = dlsym(library, "umockdev_testbed_get_dev_fd") else { return -1 }
        // Safety: the declared type of the C function
        return unsafeBitCast(master, to: Master.self)(testbed, "/dev/\(device.tty)")
    }

    /// The number of descriptors of the device's tty in this process, including umockdev's own.
    package func openCount(of device: Device) -> Int {
        let terminal = target(of: device)
        return (3..<256).count { descriptor in
            var link = [CChar](repeating: 0, count: 64)
            let count = readlink("/proc/self/fd/\(descriptor)", &link, link.count)
            return count > 0 && link.prefix(count).map { UInt8(bitPattern: $0) } == terminal
        }
    }

    /// Unplugs a device: hangs up the tty, then sends udev's "remove".
    package func unplug(_ device: Device) {
        close(receiver(device))
        forgetTerminal(of: device)
        forgetClass(of: device)
        guard let event = dlsym(library, "umockdev_testbed_uevent"),
            let remove = dlsym(library, "umockdev_testbed_remove_device")
        else { return }
        for path in device.paths {
            // Safety: the declared types of the C functions
            unsafeBitCast(event, to: Event.self)(testbed, path, "remove")
            unsafeBitCast(remove, to: Remove.self)(testbed, path)
        }
    }

    /// The number of the pty is free now, and the kernel may reuse it. umockdev never removes its
    /// record of a number, and aborts at the second pty with that number.
    private func forgetTerminal(of device: Device) {
        guard let root = getenv("UMOCKDEV_DIR").map({ String(cString: $0) }) else { return }
        let terminal = target(of: device).split(separator: UInt8(ascii: "/"))
        let note = terminal.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "_")
        unlink("\(root)/dev/.ptymap/_\(note)")
    }

    /// The path of the pseudo terminal that simulates the device's tty.
    private func target(of device: Device) -> [UInt8] {
        guard let root = getenv("UMOCKDEV_DIR").map({ String(cString: $0) }) else { return [] }
        var target = [CChar](repeating: 0, count: 64)
        let count = readlink("\(root)/dev/\(device.tty)", &target, target.count)
        return target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
    }

    /// Like the kernel before "remove", so that a later lookup does not find half a device.
    private func forgetClass(of device: Device) {
        guard let root = getenv("UMOCKDEV_DIR") else { return }
        unlink(String(cString: root) + "/sys/class/tty/\(device.tty)")
    }
}

/// An output to the tty of a simulated USB device, which udev reports.
///
/// When it is plugged in again, it is the same receiver in the same socket, on the given tty.
package final class SimulatedUSBReceiver: SimulationOutput {
    private struct State {
        let machine: Umockdev
        var device: Umockdev.Device
        var isPlugged: Bool
    }

    private let state: Mutex<State>

    /// Plugs the receiver into a machine as a u-blox 7.
    package init(_ machine: sending Umockdev, tty: String, number: Int) {
        let device = Umockdev.Device(vendor: "1546", product: "01a7", tty: tty, number: number)
        let isPlugged = machine.plug(device)
        state = Mutex(State(machine: machine, device: device, isPlugged: isPlugged))
    }

    /// Sends as many bytes as the tty has room for.
    package func send(_ bytes: [UInt8]) {
        state.withLock { state in
            guard state.isPlugged else { return }
            let fd = state.machine.receiver(state.device)
            _ = fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK)
            _ = write(fd, bytes, bytes.count)
        }
    }

    /// Hangs up the tty, then sends udev's "remove".
    package func unplug() {
        state.withLock { state in
            guard state.isPlugged else { return }
            state.isPlugged = false
            state.machine.unplug(state.device)
        }
    }

    /// Sends udev's "add" for a tty with that name.
    package func plug(as name: String?) throws {
        state.withLock { state in
            guard !state.isPlugged, let name else { return }
            state.device.tty = name
            state.device.number += 1
            state.isPlugged = state.machine.plug(state.device)
        }
    }

    /// Unplugs the receiver.
    package func close() { unplug() }
}
