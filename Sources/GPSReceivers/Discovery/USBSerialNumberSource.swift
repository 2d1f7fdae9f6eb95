// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO

/// The receiver with a USB serial number, independent of its tty's name.
///
/// If the device has several ttys, it is the first that is recognised as a receiver, else the
/// first.
public struct USBSerialNumberSource: DeviceSource {
    /// The USB serial number, as `gpsbridge list` shows it.
    public let serialNumber: String
    /// The line's rate, for receivers behind a converter; `nil` to detect it.
    public var baudRate: BaudRate?
    package var poller = Poller.shared

    /// Creates a source; the receiver need not be plugged in yet.
    public init(serialNumber: String, baudRate: BaudRate? = nil) {
        self.serialNumber = serialNumber
        self.baudRate = baudRate
    }

    /// The name on the command line: `serial:0001`.
    public var name: String { "serial:\(serialNumber)" }
    /// Live: a connected receiver.
    public var origin: DataOrigin { .live }
    /// A serial line that is waited for.
    public var capabilities: SourceCapabilities { [.serialLine, .hotPlug] }
    /// The receiver's current tty, from udev.
    public var ttyPath: String? { device?.path }
    /// Equal for all sources with this serial number.
    public var identity: SourceIdentity { SourceIdentity(name) }

    /// Opens the receiver's tty.
    ///
    /// Throws `.notFound` if no device with the serial number is plugged in, and the errors of
    /// `SerialSource`.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        try await source().open()
    }

    /// Opens the receiver's tty with a search for its rate.
    public func openToListen() async throws(DeviceError) -> any DeviceConnection {
        try await source().openToListen()
    }

    /// Waits for udev events.
    public func availability() -> (any DeviceAvailability)? {
        FirstReceiverSource.udevAvailability(poller)
    }

    private func source() async throws(DeviceError) -> SerialSource {
        let device = await withTaskExecutorPreference(BackgroundExecutor.shared) { self.device }
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
    /// The receiver with a USB serial number.
    public static func device(
        serial serialNumber: String, baudRate: BaudRate? = nil
    ) -> USBSerialNumberSource {
        USBSerialNumberSource(serialNumber: serialNumber, baudRate: baudRate)
    }
}
