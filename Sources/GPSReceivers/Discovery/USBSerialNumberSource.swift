// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO

/// The receiver with a USB serial number, whatever tty it is given.
///
/// Of a device with several ttys it is the first that is known for a receiver, or else the first.
public struct USBSerialNumberSource: DeviceSource {
    /// The USB serial number, as `gpsbridge list` shows it.
    public let serialNumber: String
    /// The line's speed, for receivers behind a converter; nil to find it by listening.
    public var baudRate: BaudRate?
    package var poller = Poller.shared

    /// Chooses a receiver, which need not be there yet.
    public init(serialNumber: String, baudRate: BaudRate? = nil) {
        self.serialNumber = serialNumber
        self.baudRate = baudRate
    }

    /// As on the command line: `serial:0001`.
    public var name: String { "serial:\(serialNumber)" }
    /// Live.
    public var origin: DataOrigin { .live }
    /// A serial line; waited for.
    public var capabilities: SourceCapabilities { [.serialLine, .hotPlug] }
    /// The tty that the receiver has now; asks udev.
    public var ttyPath: String? { device?.path }
    /// The same for all with this serial number.
    public var identity: SourceIdentity { SourceIdentity(name) }

    /// Opens its tty.
    ///
    /// Throws `.notFound` where nothing with that serial number is plugged in, else what
    /// `SerialSource` throws.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        try await source().open()
    }

    /// The same, finding the rate where it has one.
    public func openToListen() async throws(DeviceError) -> any DeviceConnection {
        try await source().openToListen()
    }

    /// Listens to udev.
    public func availability() -> (any DeviceAvailability)? {
        FirstReceiverSource.newcomers(poller)
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
        return own.first(where: \.speaksNMEA) ?? own.min { $0.order < $1.order }
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
