// SPDX-License-Identifier: MIT
import GPSIO

/// Creates sources from the names that users type.
public enum DeviceSources {
    /// Returns the source for `-` or a path to a tty, a recording or a named pipe. The rate of a
    /// tty is detected if none is given.
    ///
    /// A name that udev keeps for a receiver (`isPersistentName`) need not exist yet. A recording is read
    /// `speed` times faster than it was recorded. With `isLive`, a pipe is known to be written by a
    /// receiver.
    ///
    /// Throws `.notFound`, `.permissionDenied`, `.isDirectory`, `.ownTerminal`, or `.notADevice`
    /// for other kinds of nodes.
    public static func at(
        _ path: String, baudRate: BaudRate? = nil, speed: Double = 1, isLive: Bool = false
    ) throws(DeviceError) -> any DeviceSource {
        guard path != "-" else {
            var source = StandardInputSource(speed: speed)
            source.isLive = isLive
            return source
        }
        let node = Node(path)
        if isPersistentName(path), node.file == nil {
            return SerialSource(path, baudRate: baudRate)
        }
        switch try DeviceError.converted(node.kind) {
        case .characterDevice where node.isOwnTerminal:
            throw DeviceError(.ownTerminal, device: path)
        case .characterDevice: return SerialSource(path, baudRate: baudRate)
        case .regularFile: return FileSource(path, speed: speed)
        case .pipe:
            var source = PipeSource(path)
            source.isLive = isLive
            return source
        case .folder: throw DeviceError(.isDirectory, device: path)
        case .socket, .other: throw DeviceError(.notADevice, device: path)
        }
    }

    /// Returns whether udev keeps a path for one device, so that it is worth waiting for.
    public static func isPersistentName(_ path: String) -> Bool {
        ["/dev/serial/by-", "/dev/gnss/"].contains { path.hasPrefix($0) }
    }
}
