// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

/// A program that reads a receiver, and its outputs other than standard output and standard error.
struct Consumer: Sendable, CustomTestStringConvertible {
    let name: String
    let program: String
    private let words: String
    /// The file that it writes.
    let file: String?
    /// The first request of its client; the socket has the consumer's name.
    let request: String?
    /// Whether standard output is a terminal.
    let hasTerminal: Bool
    /// Whether it sends to an MQTT broker.
    let hasBroker: Bool

    /// Creates a consumer. `words` are the arguments, with SOURCE for the source and PORT for the
    /// broker's port.
    private init(
        _ name: String, _ words: String, program: String = "gpsbridge", file: String? = nil,
        request: String? = nil, hasTerminal: Bool = false, hasBroker: Bool = false
    ) {
        self.name = name
        self.program = CommandRun.beside(program)
        self.words = words
        self.file = file
        self.request = request
        self.hasTerminal = hasTerminal
        self.hasBroker = hasBroker
    }

    /// The consumers of every build of the package.
    static let all: [Consumer] = [
        Consumer("manager", "SOURCE", program: "OracleManager"),
        Consumer("text", "monitor SOURCE -f text"),
        Consumer("json", "monitor SOURCE -f json"),
        Consumer("csv", "monitor SOURCE -f csv"),
        Consumer("nmea", "monitor SOURCE -f nmea"),
        Consumer("screen", "monitor SOURCE -f screen", hasTerminal: true),
        Consumer("record", "record SOURCE -o raw.nmea", file: "raw.nmea"),
        Consumer("track", "record SOURCE -o track.csv", file: "track.csv"),
        Consumer(
            "serve", "serve SOURCE -l ./serve --user root",
            request: "?WATCH={\"enable\":true,\"json\":true}\n"),
        Consumer(
            "page", "serve SOURCE -l ./gpsd --http ./page --user root",
            request: "GET /events HTTP/1.0\r\nHost: localhost\r\n\r\n"),
    ]

    /// `publish`, which is built with `GPSBRIDGE_FLEET=1`.
    static let publish = Consumer(
        "publish",
        "publish SOURCE --to mqtt://127.0.0.1:PORT --format gpsd --bridge hub --spool ./spool.sqlite",
        program: "gpsbridge-fleet", hasBroker: true)

    /// The arguments in a scenario.
    func words(in scenario: Scenario) -> [String] {
        words.split(separator: " ").map { $0 == "SOURCE" ? scenario.source : String($0) }
            + scenario.words
    }

    var testDescription: String { name }
}
