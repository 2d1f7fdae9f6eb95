// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO

/// The receiver with a given USB serial number, regardless of the name of its tty.
///
/// If the device has several ttys, the first one that is expected to send NMEA is used, otherwise
/// the first one.
public struct USBSerialNumberSource: DeviceSource {
    /// The USB serial number, as `gpsbridge list` shows it.
    public let serialNumber: String
    /// The baud rate, for receivers that are connected by a converter; `nil` to detect it.
    public var baudRate: BaudRate?
    package var poller = Poller.shared

    /// Creates a source. The receiver may be plugged in later.
    public init(serialNumber: String, baudRate: BaudRate? = nil) {
        self.serialNumber = serialNumber
        self.baudRate = baudRate
    }

    /// The name on the command line: `serial:0001`.
    public var name: String { "serial:\(serialNumber)" }
    /// The origin: live, from a connected receiver.
    public var origin: DataOrigin { .live }
    /// The capabilities: a serial line, and a receiver that may be plugged in later.
    public var capabilities: SourceCapabilities { [.serialLine, .hotPlug] }
    /// The path of the receiver's current tty according to udev; `nil` if it is not plugged in.
    public var ttyPath: String? { device?.path }

    /// Opens the receiver's tty.
    ///
    /// Throws `.notFound` if no device with the serial number is plugged in, or the errors of
    /// `SerialSource`.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        try await source().open()
    }

    /// Opens the receiver's tty, and searches for its baud rate if `baudRate` is `nil`.
    public func openToListen() async throws(DeviceError) -> any DeviceConnection {
        try await source().openToListen()
    }

    /// Returns an object that waits until a tty of a USB device appears or changes. It uses udev's
    /// events or, without access to them, changes in `/dev`.
    public func availability() -> (any DeviceAvailability)? {
        FirstReceiverSource.udevAvailability(poller)
    }

    private func source() async throws(DeviceError) -> SerialSource {
        let device = await BackgroundExecutor.run { self.device }
        guard let device else { throw DeviceError(.notFound, device: name) }
        var source = SerialSource(device.path, baudRate: baudRate)
        source.poller = poller
        return source
    }

    private var device: DiscoveredDevice? {
        let own = DeviceDiscovery.devices().filter { $0.serialNumber == serialNumber }
        return own.first(where: \.sendsNMEA) ?? own.min { $0.order < $1.order }
    }
}

extension DiscoveredDevice {
    fileprivate var order: (Int, Int) { (interfaceNumber ?? 0, serialPortNumber ?? 0) }
}

extension DeviceSource where Self == USBSerialNumberSource {
    /// The receiver with a given USB serial number.
    public static func device(
        serial serialNumber: String, baudRate: BaudRate? = nil
    ) -> USBSerialNumberSource {
        USBSerialNumberSource(serialNumber: serialNumber, baudRate: baudRate)
    }
}
