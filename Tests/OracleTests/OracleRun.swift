// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import SimulatedDevices
import Testing

/// A consumer in a scenario, from its start to its end.
struct OracleRun {
    private let scenario: Scenario
    private let consumer: Consumer
    private let folder: TemporaryFolder
    private let clock: ManualClock
    private let process: CommandRun
    private let receiver: OracleReceiver
    private let terminal: TerminalOutlet?
    private var outlets: [any Outlet]
    private var transcript = Transcript()

    /// Starts a consumer, and returns its transcript.
    static func transcript(of consumer: Consumer, in scenario: Scenario) async throws -> String {
        var run = try await OracleRun(consumer, scenario)
        let process = run.process
        return try await withTaskCancellationHandler {
            try await run.play()
        } onCancel: {
            process.send(SIGKILL)
        }
    }

    private init(_ consumer: Consumer, _ scenario: Scenario) async throws {
        (self.consumer, self.scenario) = (consumer, scenario)
        folder = try TemporaryFolder()
        clock = try ManualClock(in: folder)
        receiver = OracleReceiver(link: folder.path("gps"))
        if let recording = scenario.recording {
            _ = try folder.file("drive.nmea", Array(recording.utf8))
        }
        // The steps at time 0 are done before the program starts.
        for step in scenario.steps where step.instant == 0 {
            try await receiver.handle(step.input, at: 0)
        }
        terminal = consumer.hasTerminal ? try TerminalOutlet() : nil
        outlets = [
            FileOutlet("out", folder.path("out")), FileOutlet("err", folder.path("err")),
        ]
        if let file = consumer.file { outlets.append(FileOutlet("file", folder.path(file))) }
        var words = consumer.words(in: scenario)
        if consumer.hasBroker {
            let broker = try BrokerOutlet()
            outlets.append(broker)
            words = words.map { $0.replacing("PORT", with: "\(broker.port)") }
        }
        // The outputs are files, because the program never waits for a file's reader.
        let input = terminal?.terminal.path ?? "/dev/null"
        let output = terminal?.terminal.path ?? "out"
        let environment = [
            "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC", "TERM=xterm", "NO_COLOR=1", "HOME=.",
            "SWIFT_BACKTRACE=enable=no",
        ]
        // Otherwise, root would have every permission.
        let user = geteuid() == 0 ? "setpriv --bounding-set -dac_override,-dac_read_search" : ""
        let script =
            "cd '\(folder.path)' && exec \(user) env -i \"$@\" <\(input) >\(output) 2>err"
        process = try await CommandRun(
            "/bin/sh",
            words: ["-c", script, "sh"] + environment + clock.environment + [consumer.program]
                + words)
    }

    private mutating func play() async throws -> String {
        transcript.add(consumer.words(in: scenario).joined(separator: " "), at: 0)
        clock.connect()
        var isRunning = advance(to: 0)
        if isRunning, let request = consumer.request {
            outlets.append(try ClientOutlet(consumer.name, folder.path(consumer.name), request))
        }
        for step in scenario.steps where isRunning {
            isRunning = advance(to: step.instant)
            guard isRunning else { break }
            addPicture()
            transcript.add(step.text, at: step.instant)
            if step.instant > 0 { try await receiver.handle(step.input, at: step.instant) }
            if case .signal(let signal) = step.input { process.send(signal) }
            isRunning = advance(to: step.instant)
        }
        if isRunning {
            addPicture()
            transcript.add("SIGTERM", at: clock.now)
            process.send(SIGTERM)
            // Advances the clock until the process has ended.
            while advance(to: clock.now + 1000) {}
        }
        let status = await process.status()
        transcript.add(outlets, at: clock.now)
        transcript.add("exit \(status)", at: clock.now)
        return transcript.text
    }

    private mutating func advance(to instant: Int) -> Bool {
        clock.advance(to: instant) { instant in
            transcript.add(outlets, at: instant)
            return outlets.contains(where: \.hasAnswered)
        }
    }

    private mutating func addPicture() {
        // The first frame may show the receiver before or after it is opened.
        if let terminal, clock.now > 0 { transcript.add([terminal], at: clock.now) }
    }
}

/// The clock of a process into which `Tests/ManualClock` has been loaded: it stands still until the test advances it.
///
/// Its methods block.
final class ManualClock {
    /// The environment that the process needs.
    let environment: [String]
    private let listener: UnixSocket
    private var connection: CInt = -1
    /// Nanoseconds since the start.
    private var time: Int64 = 0
    /// The time at which the process continues without input.
    private var deadline: Int64 = 0

    /// Milliseconds since the start.
    var now: Int { Int(time / 1_000_000) }

    /// Listens in a folder for the process.
    init(in folder: TemporaryFolder) throws {
        let path = folder.path("clock")
        listener = try UnixSocket(listeningAt: path)
        environment = [
            "LD_PRELOAD=\(CommandRun.beside("libManualClock.so"))",
            "GPSBRIDGE_MANUAL_CLOCK=\(path)",
        ]
    }

    deinit { close(connection) }

    /// Waits for the process.
    func connect() {
        connection = accept(listener.descriptor, nil, nil)
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    }

    /// Runs the process up to a time in milliseconds. `observe` is called with each time
    /// at which it may have done something, and returns whether the process has been answered, so that it may do
    /// more at that time. Returns `false` once the process has ended.
    func advance(to target: Int, _ observe: (Int) -> Bool) -> Bool {
        let target = Int64(target) * 1_000_000
        while settle() {
            if observe(now) { continue }
            if time >= target { return true }
            time = min(max(deadline, time + 1_000_000), target)
        }
        return false
    }

    /// Waits until the process is idle at the current time; returns `false` once it has ended.
    private func settle() -> Bool {
        send(connection, &time, 8, CInt(MSG_NOSIGNAL)) == 8
            && recv(connection, &deadline, 8, CInt(MSG_WAITALL)) == 8
    }
}

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

/// An event for a receiver or for the program that reads it.
enum Input: Sendable {
    case plug
    case unplug
    /// RMC and GGA of the current time.
    case epoch(FixQuality)
    /// The same, cut off after RMC.
    case half
    /// A UBX frame without a position (RXM-RAWX).
    case binary
    /// A UBX solution of the current time and the end of its epoch (NAV-PVT, NAV-EOE).
    case solution
    /// A number of random bytes.
    case noise(Int)
    /// The receiver sends at another rate from now on.
    case rate(Int)
    /// The receiver sends seven data bits and two stop bits from now on.
    case sevenBits
    /// Another program has the tty open from now on.
    case share
    /// Whether the tty may be opened, now and after it is plugged in again.
    case allow(Bool)
    /// The program receives a signal.
    case signal(CInt)
    /// Only time passes.
    case wait

    /// Parses a step of a scenario, such as `rate 4800`; `nil` if it is invalid.
    init?(_ words: [String]) {
        let qualities: [String: FixQuality] = [
            "fix": .autonomous, "dgps": .differential, "simulated": .simulated, "none": .invalid,
        ]
        let number = words.last.flatMap { Int($0) }
        switch words.first {
        case "plug": self = .plug
        case "unplug": self = .unplug
        case "epoch": self = .epoch(words.last.flatMap { qualities[$0] } ?? .autonomous)
        case "half": self = .half
        case "binary": self = .binary
        case "solution": self = .solution
        case "noise": self = .noise(number ?? 0)
        case "rate": self = .rate(number ?? 0)
        case "7N2": self = .sevenBits
        case "share": self = .share
        case "forbid": self = .allow(false)
        case "allow": self = .allow(true)
        case "SIGINT": self = .signal(SIGINT)
        case "SIGHUP": self = .signal(SIGHUP)
        case "wait": self = .wait
        default: return nil
        }
    }
}
