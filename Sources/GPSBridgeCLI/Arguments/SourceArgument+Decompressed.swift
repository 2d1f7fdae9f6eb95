// SPDX-License-Identifier: MIT
import Devices
// Settings as they are typed: they are read everywhere in the command.
@_exported public import SourceArguments

extension SourceArgument {
    /// The source that was meant, as `source(_:baudRate:speed:defaultSpeed:)`; a recording that is
    /// compressed is decompressed.
    static func decompressedSource(
        _ text: String, baudRate: BaudRate?, speed: Double?, defaultSpeed: Double = 1
    ) throws -> any DeviceSource {
        try CompressedSource.decompressing(
            source(text, baudRate: baudRate, speed: speed, defaultSpeed: defaultSpeed))
    }
}
