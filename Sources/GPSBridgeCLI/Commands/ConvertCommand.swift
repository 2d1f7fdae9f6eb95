// SPDX-License-Identifier: MIT
import Devices
import NMEA
import Outputs

/// Turns a recording into another format, as fast as it can.
struct ConvertCommand: Command {
    static let name = "convert"
    static let summary = "Turn a recording into another format."
    static let words = "FILE|-"
    static let details = "Formats: json, which is gpsd's: TPV for every epoch, SKY for every view."

    static let options: [CommandOption<ConvertCommand>] = [
        .init("to", value: "FORMAT", help: "The format to write: json") { command, format in
            guard format == "json" else {
                throw UsageError.unknown("format", format, known: ["json"])
            }
            command.format = format
        },
        .init("output", "o", value: "FILE", help: "Write to FILE, not to standard output") {
            $0.output = $1
        },
        .init("stats", help: "Tell at the end what became of every sentence") { command, _ in
            command.tellsStatistics = true
        },
    ]

    private static let chunk = 1 << 18

    private var input: String?
    private var output: String?
    private var format: String?
    private var tellsStatistics = false

    init() {}

    mutating func take(_ word: String) throws {
        guard input == nil else { throw UsageError("'\(word)' is one word too many") }
        input = word
    }

    func run() async throws {
        guard let input else {
            throw UsageError("a file to convert is missing, or - for standard input")
        }
        guard format != nil else { throw UsageError("--to FORMAT is missing (known: json)") }
        let recording = try Recording(input)
        let target =
            if let output { try await StandardOutput(path: output) } else { StandardOutput() }
        try target.prepare(for: recording)
        var conversion = Conversion(device: input)
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        while let count = try recording.read(into: &buffer) {
            conversion.push(buffer.span.extracting(0..<count))
            try target.write(conversion.bytes)
            conversion.removeAll()
        }
        conversion.finish()
        try target.write(conversion.bytes)
        if conversion.statistics.valid == 0 { StandardError.sayNothingValid(in: input) }
        if tellsStatistics { tell(conversion.statistics) }
    }

    private func tell(_ statistics: Statistics) {
        let told = statistics.counters.filter { $0.count > 0 }
        StandardError.say(told.map { "\($0.name) \($0.count)" }.joined(separator: ", "))
    }
}
