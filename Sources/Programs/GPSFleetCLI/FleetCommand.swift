// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet

/// Lists the members of a fleet.
struct FleetCommand: Command {
    static let name = "fleet"
    static let summary = "List the members of a fleet."
    static let argumentSyntax = "nats://HOST[/FLEET[/BRIDGE]]"
    static let details = """
        Prints a line for each receiver whose fixes the stream keeps: the time since its bridge received the last \
        fix and since the server received a message from it, the position, the number of fixes in the bridge's spool, \
        and its version of gpsbridge. A running bridge sends a message every minute, even without a new fix.

        Examples:
          gpsbridge fleet nats://hub
          gpsbridge fleet nats://hub/buses --older 5min
          gpsbridge fleet nats://hub --json
        """

    static let options: [CommandOption<FleetCommand>] =
        own + AccessArguments.options.stored(in: \.access)

    private static let own: [CommandOption<FleetCommand>] = [
        .init("json", \.isJSON, "Print JSON, one object per line"),
        .init(
            "older", \.minimumAge, .seconds("TIME"),
            "List only members whose last fix was received at least this long ago"),
        .init("stream", \.stream, .stream, "The stream to read (default: GPS)"),
    ]

    private var url: EngineURL?
    private var access = EngineAccess()
    private var stream = NATSStream().name
    private var isJSON = false
    private var minimumAge: Double?

    mutating func addArgument(_ word: String) throws {
        guard url == nil else { throw UsageError("unexpected argument '\(word)'") }
        url = try usage { try EngineURL(word) }
    }

    func run() async throws {
        guard let url else {
            throw UsageError("no URL was given: give one, such as nats://HOST")
        }
        guard url.engine == .nats else {
            throw UsageError(
                url.engine == .http
                    ? "an HTTP server has no list of members: give nats://HOST"
                    : "an MQTT broker keeps no list of members: give nats://HOST, or print new messages "
                        + "with `gpsbridge-fleet read \(url)`")
        }
        let pattern = try usage { try MemberPattern(url.path) }
        let access = try access.withEnvironment(for: url)
        let stream = stream
        let messages = try await onThread("gpsbridge.fleet") {
            let connection = try NATSConnection(url, access, name: "gpsbridge fleet") { _ in }
            guard connection.isConnected else { throw FleetError("\(url) cannot be reached") }
            return try connection.lastMessages(of: stream, subjects: pattern.subject)
        }
        let now = BridgeClock.now
        // Other programs may send messages to the same subjects, so those that are not valid are
        // skipped.
        let members = messages.compactMap { FleetMember($0, now: now) }
            .filter { $0.age >= minimumAge ?? -.infinity }
            .sorted { "\($0.name)" < "\($1.name)" }
        let text = isJSON ? members.map(\.json).joined() : FleetMember.table(members)
        try StandardOutput().write(text)
    }
}

/// A receiver of a fleet, as described by its last message.
private struct FleetMember {
    let name: MemberName
    /// The time since the receiver's bridge received the last fix from it, in seconds.
    let age: Double
    /// The time since the server stored the receiver's last message, in seconds.
    private let silence: Double
    private let batch: FixBatch
    private let fix: Fix

    init?(_ message: StoredMessage, now: Int64) {
        guard let batch = try? FixBatch(decoding: message.bytes),
            let row = batch.rows.max(by: { $0.received < $1.received })
        else { return nil }
        name = batch.member
        silence = Double(now - message.time) / 1000
        // The bridge received the fix before the server stored it, so a later time means that the
        // bridge's clock is ahead.
        age = Double(now - min(row.received, message.time)) / 1000
        self.batch = batch
        fix = row.fix
    }

    private var positionText: String {
        guard let position = fix.coordinate else { return "no fix" }
        return String(position.latitude, decimals: 5) + " "
            + String(position.longitude, decimals: 5)
    }

    /// Returns an age in seconds as text, such as `1:02:03`, or `3 days` if it is at least two
    /// days.
    private static func text(_ age: Double) -> String {
        let seconds = max(0, Int(age))
        if seconds >= 172_800 { return "\(seconds / 86_400) days" }
        return Elapsed.hours(seconds)
    }

    var json: String {
        var object = JSONObject()
        object.add("name", "\(name)")
        object.add("age", age, decimals: 1)
        object.add("seen", silence, decimals: 1)
        object.add("time", fix.time?.description)
        object.add("lat", fix.coordinate?.latitude, decimals: 8)
        object.add("lon", fix.coordinate?.longitude, decimals: 8)
        object.add("mode", Int(fix.mode.rawValue))
        object.add("spool", batch.waiting)
        object.add("origin", batch.origin.rawValue)
        object.add("software", batch.software)
        return object.description + "\n"
    }

    static func table(_ members: [FleetMember]) -> String {
        var lines = [["MEMBER", "FIX", "SEEN", "PLACE", "SPOOL", "ORIGIN", "SOFTWARE"]]
        lines += members.map {
            [
                "\($0.name)", text($0.age), text($0.silence), $0.positionText,
                "\($0.batch.waiting)",
                $0.batch.origin.rawValue,
                TerminalText.safe($0.batch.software),
            ]
        }
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            zip(line, widths).map { text, width in
                text + String(repeating: " ", count: width - text.count)
            }.joined(separator: "  ").trimmed + "\n"
        }.joined()
    }
}
