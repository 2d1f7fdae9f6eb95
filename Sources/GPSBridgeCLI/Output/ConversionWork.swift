// SPDX-License-Identifier: MIT
import Devices
import NMEA
import Outputs

/// Recordings being converted, one after the other.
struct ConversionWork: ~Copyable {
    private static let chunk = 1 << 18

    private let target: StandardOutput
    private let tellsStatistics: Bool
    private var conversion: Conversion
    private var progress: ProgressLine
    private var buffer = [UInt8](repeating: 0, count: ConversionWork.chunk)

    init(
        to format: any OutputFormat.Type, selecting selection: FixSelection,
        target: StandardOutput, size: Int, tellsStatistics: Bool
    ) {
        self.target = target
        self.tellsStatistics = tellsStatistics
        conversion = Conversion(to: format, selecting: selection)
        progress = ProgressLine(total: size, isSilent: target.isTerminal)
    }

    /// Converts a recording to its end.
    mutating func convert(_ recording: Recording) throws {
        let target = target
        conversion.begin(OutputSource(name: recording.name, origin: .replay))
        while let count = try recording.read(into: &buffer) {
            Self.push(buffer, count, to: &conversion)
            try conversion.drain { try target.write($0) }
            progress.advance(by: count)
        }
        conversion.end()
        try conversion.drain { try target.write($0) }
        let statistics = conversion.statistics
        guard statistics.valid == 0 || tellsStatistics else { return }
        progress.clear()
        if statistics.valid == 0 { StandardError.sayNothingValid(in: recording.name) }
        if tellsStatistics { tell(statistics) }
    }

    private static func push(_ bytes: [UInt8], _ count: Int, to conversion: inout Conversion) {
        conversion.push(bytes.span.extracting(0..<count))
    }

    /// Writes what makes the output whole.
    mutating func finish() throws {
        try target.write(conversion.closing)
        progress.clear()
    }

    private func tell(_ statistics: Statistics) {
        let told = statistics.counters.filter { $0.count > 0 }
        StandardError.say(told.map { "\($0.name) \($0.count)" }.joined(separator: ", "))
    }
}
