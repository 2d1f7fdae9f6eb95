// SPDX-License-Identifier: MIT
import GPSIO

/// Creates sources from the names that users type.
public enum DeviceSources {
    /// Returns the source for `-` or a path to a tty, a recording or a named pipe. The baud rate of
    /// a tty is detected if none is given.
    ///
    /// A persistent name (`isPersistentName`) does not have to exist yet. A recording is replayed
    /// `speed` times as fast as it was recorded. If `isLive` is `true`, a pipe's data is known to
    /// come from a live receiver.
    ///
    /// Throws `.notFound`, `.permissionDenied`, `.isDirectory`, `.ownTerminal`, or `.notADevice`
    /// for any other kind of node.
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

    /// Returns whether udev reserves a path for one device, as in `/dev/serial/by-id`. If so, a
    /// session can wait until that device is plugged in.
    public static func isPersistentName(_ path: String) -> Bool {
        ["/dev/serial/by-", "/dev/gnss/"].contains { path.hasPrefix($0) }
    }
}
