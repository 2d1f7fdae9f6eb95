// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import SimulatedDevices
import Testing
import UBX

/// The receiver of a scenario, on a pseudo terminal behind a link.
final class OracleReceiver {
    private let link: String
    private var terminal: PseudoTerminal?
    private var rate = 9600
    private var hasSevenBits = false
    private var isPermitted = true
    private var other: Descriptor?
    private var random: UInt64 = 1

    /// A receiver that is not plugged in.
    init(link: String) { self.link = link }

    /// Handles a step.
    func handle(_ input: Input, at milliseconds: Int) async throws {
        switch input {
        case .plug:
            let terminal = try PseudoTerminal()
            self.terminal = terminal
            setPermission()
            symlink(terminal.path, link)
        case .unplug:
            other = nil
            unlink(link)
            guard let terminal else { return }
            terminal.close()
            // A process forked by another test has it open until it runs its program.
            while access(terminal.path, F_OK) == 0 { sched_yield() }
        case .epoch(let quality):
            await send(ScriptedReceiver.epoch(milliseconds / 1000, quality: quality))
        case .half: await send(Array(ScriptedReceiver.epoch(milliseconds / 1000).prefix(90)))
        case .binary:
            await send(UBXFrame.bytes(RxmRAWX.id, payload: [UInt8](repeating: 0, count: 16)))
        case .solution: await send(Self.solution(after: milliseconds / 1000))
        case .noise(let count): await send((0..<count).map { _ in randomByte() })
        case .rate(let rate): self.rate = rate
        case .sevenBits: hasSevenBits = true
        case .share:
            other = Descriptor(open(link, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC))
        case .allow(let isPermitted):
            self.isPermitted = isPermitted
            setPermission()
        case .signal, .wait: break
        }
    }

    /// Returns NAV-PVT and NAV-EOE of an epoch, seconds after noon on 21 March 2026.
    private static func solution(after seconds: Int) -> [UInt8] {
        var message = NavPVT()
        // Noon is 12:00:18 in GPS time, on the last day of the week.
        message.timeOfWeekMilliseconds = UInt32((6 * 86_400 + 43_218 + seconds) * 1000)
        (message.year, message.month, message.day) = (2026, 3, 21)
        (message.hour, message.minute) = (12, UInt8(seconds / 60 % 60))
        message.second = UInt8(seconds % 60)
        message.validity = NavPVT.Validity(rawValue: 0b0111)
        (message.fixType, message.flags) = (.threeD, NavPVT.Flags(rawValue: 1))
        (message.latitude, message.longitude) = (48.2 + Double(seconds) * 1e-5, 16.36)
        (message.ellipsoidalAltitude, message.altitude) = (215, 171)
        (message.horizontalAccuracy, message.verticalAccuracy) = (2, 3)
        (message.groundSpeed, message.course, message.courseAccuracy) = (1.1, 0, 2)
        (message.velocityNorth, message.speedAccuracy) = (1.1, 0.1)
        (message.satellitesUsed, message.positionDilution) = (9, 1.5)
        var end = NavEOE()
        end.timeOfWeekMilliseconds = message.timeOfWeekMilliseconds
        return message.frame + end.frame
    }

    /// Sends bytes as the reader of the line receives them.
    private func send(_ bytes: [UInt8]) async {
        let bytes = hasSevenBits ? bytes.map { $0 | 0x80 } : bytes
        await terminal?.write(
            MisreadLine.read(bytes, sentAt: rate, readAt: terminal?.hostRate ?? rate),
            whenFull: .drop)
    }

    /// The next pseudo-random byte, the same in each run.
    private func randomByte() -> UInt8 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(random >> 56)
    }

    private func setPermission() {
        guard let terminal else { return }
        chmod(terminal.path, isPermitted ? 0o600 : 0)
    }
}

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
