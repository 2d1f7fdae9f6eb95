// SPDX-License-Identifier: MIT
import CSerial
import Glibc

/// An open tty. Closing puts its settings back, unless the device is gone.
package final class SerialConnection: DeviceConnection {
    private let descriptor: Descriptor
    private let connection: DescriptorConnection
    private let format: CharacterFormat

    /// Takes over an open tty; `former` are the settings it had before.
    init(_ descriptor: Descriptor, name: String, format: CharacterFormat, former: cserial_settings)
    {
        self.descriptor = descriptor
        self.format = format
        connection = DescriptorConnection(descriptor, name: name, end: .disconnected) { fd in
            withUnsafePointer(to: former) { cserial_restore(fd, $0) }
        }
    }

    package var name: String { connection.name }
    package var poller: Poller { descriptor.poller }

    /// The rate the driver says it uses, which a chip may have rounded; `nil` if it does not say.
    package var baudRate: BaudRate? {
        descriptor.use { BaudRate(rawValue: Int(cserial_rate($0))) } ?? nil
    }

    /// Sets another rate and drops what was received at the old one.
    ///
    /// Throws `.configurationFailed`, or `.cancelled` once closed.
    package func configure(_ baudRate: BaudRate) throws(DeviceError) {
        try set(baudRate, cserial_configure)
    }

    /// Sets another rate without dropping anything.
    ///
    /// Throws `.configurationFailed`, or `.cancelled` once closed.
    package func change(to baudRate: BaudRate) throws(DeviceError) {
        try set(baudRate, cserial_change)
    }

    private func set(
        _ baudRate: BaudRate, _ apply: (CInt, CUnsignedInt, cserial_format) -> CInt
    ) throws(DeviceError) {
        let error = descriptor.use { fd in
            apply(fd, CUnsignedInt(baudRate.rawValue), format.value) == 0 ? 0 : errno
        }
        guard let error else { throw DeviceError(.cancelled, device: name) }
        switch error {
        case 0: return
        // A device that has just been unplugged takes no settings either.
        case EIO, ENODEV, ENXIO: throw connection.closeAsGone(error)
        default: throw DeviceError(.configurationFailed, device: name, errno: error)
        }
    }

    package func read(
        until deadline: ContinuousClock.Instant?
    ) async throws(DeviceError) -> DeviceInput {
        try await connection.read(until: deadline)
    }

    package func close() {
        connection.close()
    }
}
