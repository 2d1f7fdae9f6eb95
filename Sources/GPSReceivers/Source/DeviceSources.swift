// SPDX-License-Identifier: MIT
import GPSIO

/// From what a user types to a source.
public enum DeviceSources {
    /// The source for `-` or a path, by what stands there: a tty, a recording or a named pipe.
    /// The rate of a tty is found by listening where none is given.
    ///
    /// A name that stays a receiver's (`isLasting`) need not lead to one yet. A recording is read `speed`
    /// times faster than it was recorded. With `isLive` a receiver is known to write into a pipe.
    ///
    /// Throws `.notFound`, `.permissionDenied`, `.isDirectory`, `.ownTerminal`, and `.notADevice` for anything
    /// else.
    public static func at(
        _ path: String, baudRate: BaudRate? = nil, speed: Double = 1, isLive: Bool = false
    ) throws(DeviceError) -> any DeviceSource {
        guard path != "-" else {
            var source = StandardInputSource(speed: speed)
            source.isLive = isLive
            return source
        }
        let node = Node(path)
        if isLasting(path), node.file == nil { return SerialSource(path, baudRate: baudRate) }
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

    /// Whether a path is one that udev keeps for a device, so that it is worth waiting for.
    public static func isLasting(_ path: String) -> Bool {
        ["/dev/serial/by-", "/dev/gnss/"].contains { path.hasPrefix($0) }
    }
}
