// SPDX-License-Identifier: MIT
import GPSReceivers
@_exported public import SimulatedDevices
// Re-exported: commands use the parsed values without this import.

extension SourceArgument {
    /// Parses a source as `source(_:baudRate:speed:defaultSpeed:)` does; a compressed recording is
    /// decompressed.
    static func decompressedSource(
        _ text: String, baudRate: BaudRate?, speed: Double?, defaultSpeed: Double = 1,
        isLive: Bool = false
    ) throws -> any DeviceSource {
        try CompressedSource.decompressing(
            source(
                text, baudRate: baudRate, speed: speed, defaultSpeed: defaultSpeed, isLive: isLive))
    }

    /// Parses sources; returns the first receiver that is plugged in if `texts` is empty.
    ///
    /// If there are several, simulated ones are named by their arguments, numbered where these repeat.
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
