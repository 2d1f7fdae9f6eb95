// SPDX-License-Identifier: MIT
import CSerial
import Glibc

/// A receiver on a serial line: a tty, or a link to one.
public struct SerialSource: DeviceSource {
    /// The path as given.
    public let path: String
    /// The line's speed; a receiver with USB of its own does not mind it.
    public var baudRate: BaudRate
    /// How a character looks on the line.
    public var format: CharacterFormat = .eightN1
    /// Whether others are kept from opening the tty meanwhile.
    public var isExclusive = true

    /// Names a tty; it is opened by `open()`.
    public init(_ path: String, baudRate: BaudRate = .default) {
        self.path = path
        self.baudRate = baudRate
    }

    /// The path as given.
    public var name: String { path }
    /// Live.
    public var origin: DataOrigin { .live }
    /// The tty itself, whatever link leads to it now.
    public var identity: SourceIdentity { SourceIdentity(Node(path).realPath) }

    /// Opens the tty, locks it, and sets raw mode at the rate; nothing is ever written to it.
    ///
    /// Throws `.notFound`, `.permissionDenied` (with the group that may), `.busy` (with the holder),
    /// `.isDirectory`, `.notADevice` for what is no tty, `.configurationFailed`, `.ioFailed`.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        // Drivers ask the device when opened and set up: a slow one must not hold up the others.
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
            () async throws(DeviceError) in try connect()
        }
    }

    package func connect(poller: Poller = .shared) throws(DeviceError) -> SerialConnection {
        switch try Node(path).kind() {
        case .characterDevice: break
        case .folder: throw DeviceError(.isDirectory, device: path)
        default: throw DeviceError(.notADevice, device: path)
        }
        var found = cserial_settings()
        let fd = cserial_open(
            path, CUnsignedInt(baudRate.rawValue), format.value, isExclusive, &found)
        guard fd >= 0 else { throw Node(path).error(errno) }
        if Node(path).driver == "ftdi_sio" {
            cserial_low_latency(fd)  // collects for 16 ms otherwise
        }
        return SerialConnection(
            Descriptor(fd, poller: poller), name: path, format: format, found: found)
    }

    /// Watches the folders of the path, and of the tty if the path is a link.
    public func appearances() -> (any DeviceAppearances)? {
        PathAppearances(path)
    }
}

extension CharacterFormat {
    var value: cserial_format {
        switch self {
        case .eightN1: CSERIAL_8N1
        case .sevenN2: CSERIAL_7N2
        }
    }
}

extension DeviceSource where Self == SerialSource {
    /// A receiver on a serial line, such as `/dev/ttyUSB0` or a link in `/dev/serial/by-id`.
    public static func serial(_ path: String, baudRate: BaudRate = .default) -> SerialSource {
        SerialSource(path, baudRate: baudRate)
    }
}
