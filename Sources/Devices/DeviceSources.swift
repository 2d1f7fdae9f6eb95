// SPDX-License-Identifier: MIT

/// From what a user types to a source.
public enum DeviceSources {
    /// The source for `-` or a path, by what stands there: a tty, a recording or a named pipe.
    /// The rate of a tty is found by listening where none is given.
    ///
    /// Throws `.notFound`, `.permissionDenied`, `.isDirectory`, and `.notADevice` for anything else.
    public static func at(
        _ path: String, baudRate: BaudRate? = nil
    ) throws(DeviceError) -> any DeviceSource {
        guard path != "-" else { return StandardInputSource() }
        switch try Node(path).kind() {
        case .characterDevice: return SerialSource(path, baudRate: baudRate)
        case .regularFile: return FileSource(path)
        case .pipe: return PipeSource(path)
        case .folder: throw DeviceError(.isDirectory, device: path)
        case .other: throw DeviceError(.notADevice, device: path)
        }
    }
}
