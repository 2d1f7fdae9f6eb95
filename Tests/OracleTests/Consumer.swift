// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

/// A program that reads a receiver, and what it says besides standard output and standard error.
struct Consumer: Sendable, CustomTestStringConvertible {
    let name: String
    let program: String
    private let words: String
    /// A file that it writes.
    let file: String?
    /// What a client of it sends first; the socket has the consumer's name.
    let request: String?
    /// Whether standard output is a terminal.
    let hasTerminal: Bool
    /// Whether it sends to a broker of MQTT.
    let hasBroker: Bool

    /// `words` are the arguments, with SOURCE in the place of the source and PORT in that of the broker's port.
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

    /// Those that any build of the package has.
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

    /// `publish`, which is built where GPSBRIDGE_FLEET is 1.
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
