// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSFormats
import GPSIO
import GPSReceivers
import Glibc
import NMEA

/// Prints the fixes of a fleet's members. gpsbridge also runs this command for a source such as
/// `nats://…`.
struct ReadCommand: Command {
    static let name = "read"
    static let summary = "Print the fixes of a fleet as they arrive."
    static let argumentSyntax = "URL"
    static let details = """
        URL is nats://HOST[:PORT][/FLEET[/BRIDGE[/RECEIVER]]] or the same with mqtt://; omitted parts match everything. The \
        json format is gpsd's: the device is the member, sor is the time at which its bridge received the fix, and \
        rtime is the time of printing. The nmea format prints the sentences of one member, the first that sends. \
        The rinex-nav format prints the ephemerides of a member of FLEET that publishes with --share-ephemerides, once. \
        The rtcm format writes the corrections of one member in NATS that publishes with --share-corrections.

        `gpsbridge monitor`, `record` and `serve` also read such a URL.
        """

    static let options: [CommandOption<ReadCommand>] =
        own + AccessArguments.options.stored(in: \.access)

    private static let own: [CommandOption<ReadCommand>] = [
        .init(
            "format", letter: "f", \.format, .choice("FORMAT"),
            "The output format: json (default), nmea, rinex-nav or rtcm")
    ]

    private enum Format: String, CaseIterable {
        case json
        case nmea
        case ephemerides = "rinex-nav"
        case corrections = "rtcm"
    }

    private var address: String?
    private var access = EngineAccess()
    private var format = Format.json

    mutating func addArgument(_ word: String) throws {
        guard address == nil else { throw UsageError("unexpected argument '\(word)'") }
        address = word
    }

    func run() async throws {
        guard let address else {
            throw UsageError("no URL was given: give one, such as nats://HOST/FLEET")
        }
        do {
            try await read(from: address)
        } catch let error where error is FleetError || error is UsageError {
            if format != .json { try Self.report(error) }
            throw error
        }
    }

    private func read(from address: String) async throws {
        let url = try usage { try EngineURL(address) }
        let access = try access.withEnvironment(for: url)
        try usage { try access.check(for: url) }
        guard format != .ephemerides else {
            let text = try await onThread("gpsbridge.read") {
                try EphemerisRequest.answer(from: url, access)
            }
            return try StandardOutput().write(text)
        }
        let reader = try usage {
            try LiveReader(url, access, readsCorrections: format == .corrections)
        }
        let printer = FixPrinter(url, isJSON: format == .json)
        try await onThread("gpsbridge.read", stop: { reader.stop() }) {
            var printer = printer
            do {
                try reader.run { try printer.receive($0) }
            } catch let error as FleetError where printer.hasCorrections {
                // No JSON object follows binary data.
                throw CommandFailure(error.description)
            }
        }
    }

    /// Writes an error as a JSON object, for the program that reads the sentences. It does not
    /// read standard error.
    private static func report(_ error: any Error) throws {
        var object = JSONObject(class: "ERROR")
        object.add("message", "\(error)")
        try StandardOutput().write(object.description + "\n")
    }
}

/// Prints received fixes to standard output.
private struct FixPrinter: Sendable {
    /// The time without a connection after which the output of sentences ends with an error. The
    /// program that reads the sentences then reopens the source.
    private static let timeout = Duration.seconds(10)
    /// The same time if no attempt to connect has succeeded, and one has failed. It is shorter than
    /// the time for which `FleetSource` waits, so that opening the source fails with the reason.
    private static let firstTimeout = Duration.seconds(1)

    private let url: EngineURL
    private let isJSON: Bool
    private let output = StandardOutput()
    private var known: [MemberName: DataOrigin] = [:]
    private var member: MemberName?
    private var disconnected: MonotonicInstant? = .now
    private var hasConnected = false
    private var hasFailed = false
    /// Whether corrections have been written.
    private(set) var hasCorrections = false
    private var reason = "no server answers"

    init(_ url: EngineURL, isJSON: Bool) {
        self.url = url
        self.isJSON = isJSON
    }

    mutating func receive(_ event: LiveReader.Event) throws {
        switch event {
        case .connected:
            disconnected = nil
            hasConnected = true
        case .disconnected(let reason):
            self.reason = reason
            hasFailed = true
            if hasConnected { disconnected = .now }
            if isJSON { StandardError.report("\(url): \(reason); trying again") }
        case .dropped(let count):
            guard isJSON else { break }
            StandardError.report(
                "\(url): \(Plural.text(count, "message was", "messages were")) dropped: they "
                    + "arrive too fast, or from too many receivers")
        case .jumped(let member, let count):
            guard isJSON else { break }
            StandardError.print(
                "\(url): the numbers of the fixes of \(member) jump: left out "
                    + "\(Plural.text(count, "message", "messages")) so far, until the next one "
                    + "confirms them")
        case .nothing:
            try checkReader()
            let timeout = hasFailed && !hasConnected ? Self.firstTimeout : Self.timeout
            if let since = disconnected, !isJSON, .now - since > timeout {
                throw FleetError(reason)
            }
        case .batch(let batch):
            if isJSON { try writeJSON(batch) } else { try writeSentences(batch) }
        case .corrections(let bytes):
            hasCorrections = true
            try output.write(bytes)
        }
    }

    /// Throws `StandardOutput.Closed` if the output's reader has closed the pipe, so that the
    /// command ends even if it has nothing to write.
    private func checkReader() throws {
        var polled = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        if poll(&polled, 1, 0) > 0, polled.revents & Int16(POLLERR | POLLHUP) != 0 {
            throw StandardOutput.Closed()
        }
    }

    private func device(_ member: MemberName) -> String {
        let host = url.servers.first.map { "\($0.host):\($0.port)" } ?? ""
        return "\(url.engine == .nats ? "nats" : "mqtt")://\(host)/\(member)"
    }

    private mutating func begin(_ batch: FixBatch, _ reports: inout GPSDReports) {
        guard known[batch.member] != batch.origin else { return }
        known[batch.member] = batch.origin
        reports.reportActivated(origin: batch.origin)
    }

    private mutating func writeJSON(_ batch: FixBatch) throws {
        var reports = GPSDReports(
            device: device(batch.member), isSimulated: batch.origin == .simulated)
        begin(batch, &reports)
        let now = Double(SystemClock.nanoseconds ?? 0) / 1e9
        for row in batch.rows {
            reports.report(
                row.fix, ReportTiming(firstByte: Double(row.received) / 1000, reported: now))
        }
        try output.write(reports.bytes)
    }

    private mutating func writeSentences(_ batch: FixBatch) throws {
        if member == nil { member = batch.member }
        guard batch.member == member else { return }
        var reports = GPSDReports(device: device(batch.member))
        begin(batch, &reports)
        try output.write(reports.bytes)
        var writer = SentenceWriter()
        for row in batch.rows {
            var fix = row.fix
            if batch.origin == .simulated, fix.coordinate != nil { fix.quality = .simulated }
            fix.standardDeviation = StandardDeviation(equivalentTo: fix.accuracy)
            writer.write(fix)
            if let climb = fix.climb {
                var velocity = PGRMV()
                velocity.upVelocity = climb
                writer.write(velocity)
            }
        }
        try output.write(writer.bytes)
    }
}
