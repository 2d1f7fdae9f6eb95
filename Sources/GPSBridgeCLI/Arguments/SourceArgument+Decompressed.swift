// SPDX-License-Identifier: MIT
import GPSReceivers
@_exported public import SimulatedDevices
// Settings as they are typed: they are read everywhere in the command.

extension SourceArgument {
    /// The source that was meant, as `source(_:baudRate:speed:defaultSpeed:)`; a recording that is
    /// compressed is decompressed.
    static func decompressedSource(
        _ text: String, baudRate: BaudRate?, speed: Double?, defaultSpeed: Double = 1,
        isLive: Bool = false
    ) throws -> any DeviceSource {
        try CompressedSource.decompressing(
            source(
                text, baudRate: baudRate, speed: speed, defaultSpeed: defaultSpeed, isLive: isLive))
    }

    /// The sources that were meant; of several, simulated ones have the names that were typed, numbered where these
    /// are the same. The first receiver that is plugged in, where there are none.
    static func decompressedSources(
        _ texts: [String], baudRate: BaudRate?, speed: Double? = nil, isLive: Bool = false
    ) throws -> [any DeviceSource] {
        try checkLive(isLive, texts)
        guard !texts.isEmpty else { return [FirstReceiverSource(baudRate: baudRate)] }
        return try texts.enumerated().map { index, text in
            let source = try decompressedSource(
                text, baudRate: baudRate, speed: speed, isLive: isLive)
            guard texts.count > 1, let simulated = source as? SimulatedSource else { return source }
            let number = texts[...index].count { $0 == text }
            return SimulatedSource(
                simulated.configuration, name: number == 1 ? text : "\(text) (\(number))")
        }
    }
}
