// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import GNSS
import GPSTestSupport
import Testing

/// The events of a receiver and their times: `scenario.txt` in a folder of `Tests/Fixtures/Oracle`.
///
///     # A comment.
///     words -n 2          further arguments of the commands
///     consumers text csv  those that have these arguments; without such a line all
///     0 plug              at the start
///     1-3 epoch           after 1, 2 and 3 seconds
///     4-5/0.25 noise 300  from 4 to 5 seconds, every 0.25 s
///
/// If the folder contains a recording `drive.nmea`, it is read instead of the receiver.
struct Scenario: Sendable, CustomTestStringConvertible {
    /// An event at a time in milliseconds since the start.
    struct Step: Sendable {
        let instant: Int
        let input: Input
        /// The text of the event in the scenario.
        let text: String
    }

    let name: String
    private(set) var recording: String?
    private(set) var words: [String] = []
    private var consumers: Set<String> = []
    private(set) var steps: [Step] = []

    /// As it is typed.
    var source: String { recording == nil ? "./gps" : "./drive.nmea" }
    var testDescription: String { name }

    /// Whether a consumer takes part in it.
    func includes(_ consumer: Consumer) -> Bool {
        consumers.isEmpty || consumers.contains(consumer.name)
    }

    /// The folder of all scenarios.
    static let folder = PackageFile.folder + "/Tests/Fixtures/Oracle"

    /// All scenarios.
    static let all = Folder.names(in: folder).sorted().filter { !$0.hasPrefix(".") }.map(Self.init)

    private init(_ name: String) {
        self.name = name
        let recording = readFile("\(Self.folder)/\(name)/drive.nmea")
        if !recording.isEmpty { self.recording = String(decoding: recording, as: UTF8.self) }
        for line in lines(of: readFile("\(Self.folder)/\(name)/scenario.txt")) {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case nil, "#": break
            case "words": self.words = Array(words.dropFirst())
            case "consumers": consumers = Set(words.dropFirst())
            case let time?: steps += Self.steps(time, Array(words.dropFirst()))
            }
        }
    }

    private static func steps(_ time: String, _ words: [String]) -> [Step] {
        let parts = time.split(separator: "/")
        let range = parts[0].split(separator: "-").compactMap { Double($0) }
        let interval = parts.count > 1 ? Double(parts[1]) ?? 1 : 1
        guard let first = range.first, let last = range.last, let input = Input(words) else {
            Issue.record("'\(time) \(words.joined(separator: " "))' is not a step")
            return []
        }
        return stride(from: 0, through: ((last - first) / interval).rounded(), by: 1).map {
            Step(
                instant: Int(((first + $0 * interval) * 1000).rounded()), input: input,
                text: words.joined(separator: " "))
        }
    }
}
