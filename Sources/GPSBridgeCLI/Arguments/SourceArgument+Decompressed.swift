// SPDX-License-Identifier: MIT
import GPSReceivers
@_exported public import SimulatedDevices
// Re-exported, so that commands can use the parsed values without this import.

extension SourceArgument {
    /// Parses a source like `source(_:baudRate:speed:defaultSpeed:)`. A compressed recording is
    /// decompressed, and a track in another format is converted to sentences.
    static func decompressedSource(
        _ text: String, baudRate: BaudRate?, speed: Double?, defaultSpeed: Double = 1,
        isLive: Bool = false
    ) throws -> any DeviceSource {
        try CompressedSource.decompressing(
            source(
                text, baudRate: baudRate, speed: speed, defaultSpeed: defaultSpeed, isLive: isLive))
    }

    /// Parses sources. If `texts` is empty, returns a source for the first receiver that is plugged
    /// in.
    ///
    /// If there are several sources, simulated receivers are named after their arguments. Repeated
    /// names get a number.
    static func decompressedSources(
        _ texts: [String], baudRate: BaudRate?, speed: Double? = nil, defaultSpeed: Double = 1,
        isLive: Bool = false
    ) throws -> [any DeviceSource] {
        try checkLive(isLive, texts)
        guard !texts.isEmpty else { return [FirstReceiverSource(baudRate: baudRate)] }
        return try texts.enumerated().map { index, text in
            let source = try decompressedSource(
                text, baudRate: baudRate, speed: speed, defaultSpeed: defaultSpeed, isLive: isLive)
            guard texts.count > 1, let simulated = source as? SimulatedSource else { return source }
            let number = texts[...index].count { $0 == text }
            return SimulatedSource(
                simulated.configuration, name: number == 1 ? text : "\(text) (\(number))")
        }
    }
}
