// SPDX-License-Identifier: MIT
import CSerial
import Glibc

/// An open tty. Closing puts its settings back, unless the device has gone.
package final class SerialConnection: DeviceConnection {
    package let name: String
    private let descriptor: Descriptor
    private let format: CharacterFormat
    private let found: cserial_settings

    init(_ descriptor: Descriptor, name: String, format: CharacterFormat, found: cserial_settings) {
        self.descriptor = descriptor
        self.name = name
        self.format = format
        self.found = found
    }

    deinit { close() }

    /// The rate the driver says it uses, which a chip may have rounded; nil if it does not tell.
    package var baudRate: BaudRate? {
        descriptor.use { BaudRate(rawValue: Int(cserial_rate($0))) } ?? nil
    }

    /// Sets another rate and drops what came at the old one.
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
        guard error == 0 else {
            // A device that has just been pulled out takes no settings either.
            let isGone = error == EIO || error == ENODEV || error == ENXIO
            if isGone { descriptor.close() }
            throw DeviceError(
                isGone ? .disconnected : .configurationFailed, device: name, errno: error)
        }
    }

    package func read(
        until deadline: ContinuousClock.Instant?
    ) async throws(DeviceError) -> DeviceInput {
        switch await descriptor.read(atMost: 4096, until: deadline) {
        case .bytes(let bytes): return .bytes(bytes)
        case .silence: return .silence
        case .end, .hangup:
            descriptor.close()  // nothing else may be done to a dead tty
            throw DeviceError(.disconnected, device: name)
        case .cancelled:
            close()
            throw DeviceError(.cancelled, device: name)
        case .failed(let error):
            close()
            throw DeviceError(.ioFailed, device: name, errno: error)
        }
    }

    package func close() {
        descriptor.close { fd in
            withUnsafePointer(to: found) { cserial_restore(fd, $0) }
        }
    }
}
