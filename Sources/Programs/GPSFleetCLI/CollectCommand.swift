// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSReceivers
import Glibc

/// Writes the fixes of a fleet to a database, or to GPX files.
struct CollectCommand: Command {
    static let name = "collect"
    static let summary = "Write the fixes of a fleet to a database."
    static let argumentSyntax = "--from nats://HOST --to postgresql://[USER@]HOST/DATABASE"

    static let details = """
        Fixes are acknowledged when they are stored; duplicates are stored only once. While the NATS server or the \
        database is unreachable, collect waits. Several collectors with the same --name share the work.

        Missing tables are created: gpsbridge.fix, partitioned by day, with positions as geography of \
        PostGIS; see docs/fleet.md for them and for functions such as gpsbridge.where_was. The database needs the \
        extensions postgis and btree_gist, which the database's owner may have to install.

        Passwords are not given on the command line: libpq reads them from ~/.pgpass or from the file that PGPASSFILE \
        names, and passwords for NATS are also read from files. Only their owner may have access (chmod 600).

        Examples:
          gpsbridge collect --from nats://n1,n2,n3 --to postgresql://collector@db/gps
          gpsbridge collect --from tls://hub --credentials ~/gps.creds --to postgresql:///gps --keep 90
          gpsbridge collect --from nats://hub --to gpx:tracks
          gpsbridge collect --from nats://hub/buses/b-7/roof --to gpx:. --once
        """

    static let options: [CommandOption<CollectCommand>] =
        own + AccessArguments.options.stored(in: \.access)

    private static let own: [CommandOption<CollectCommand>] = [
        .init(
            "from", \.engine, .init("URL") { text in try usage { try EngineURL(text) } },
            "The server: nats://HOST[:PORT][,HOST...][/FLEET[/BRIDGE[/RECEIVER]]], or tls://"),
        .init(
            "to", letter: "t", \.target, .init("TARGET") { try Target($0) },
            "Where fixes go: postgresql://[USER@]HOST[:PORT]/DATABASE or gpx:FOLDER"),
        .init("stream", \.settings.stream, .stream, "The stream to read (default: GPS)"),
        .init(
            "subjects", \.subjects,
            .init(
                "SUBJECT", not: "a subject",
                expected: "words with dots between them, such as gps.buses.>", unless: isSubject
            ),
            "Read only these subjects, such as gps.buses.>"),
        .init(
            "name", \.consumer, .token,
            "The name under which the server remembers which fixes are stored (default: collect, or "
                + "gpx with FLEET, BRIDGE and RECEIVER appended)"),
        .init(
            "keep", \.settings.daysKept, .whole("DAYS", 1...100_000, "days"),
            "Remove fixes that are older than this number of days"),
        .init("once", \.settings.endsWhenEmpty, "End when all waiting messages are stored"),
        .init("schema", \.printsSchema, "Print the SQL that creates the tables, and exit"),
    ]

    /// The destination of fixes.
    private enum Target: Sendable {
        case database(DatabaseAddress)
        case folder(String)

        init(_ text: String) throws {
            if text.hasPrefix("gpx:"), text.count > 4 {
                self = .folder(String(text.dropFirst(4)))
            } else if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") {
                self = .database(try usage { try DatabaseAddress(text) })
            } else {
                throw UsageError(
                    "not a target: '\(text)' (expected postgresql://HOST/DATABASE or gpx:FOLDER)")
            }
        }

        /// The default name of the NATS consumer. Each kind of target has its own consumer, with
        /// which the server keeps track of the fixes that this target has stored.
        var consumer: String {
            switch self {
            case .database: Collector.Settings().consumer
            case .folder: "gpx"
            }
        }

        func store() throws -> any FixStore {
            switch self {
            case .database(let address):
                try DatabaseAddress.checkPasswordFiles {
                    getenv($0).map { String(cString: $0) }
                }
                return DatabaseStore(address)
            case .folder(let path): return GPXFolder(path)
            }
        }
    }

    /// Returns whether NATS accepts a text as a subject. It would refuse others at each attempt.
    private static func isSubject(_ text: String) -> Bool {
        let tokens = text.split(separator: ".", omittingEmptySubsequences: false)
        return !tokens.contains("") && !tokens.dropLast().contains(">")
            && !text.contains(where: \.isWhitespace)
    }

    private var engine: EngineURL?
    private var access = EngineAccess()
    private var target: Target?
    private var settings = Collector.Settings()
    private var subjects: String?
    private var consumer: String?
    private var printsSchema = false

    init() {}

    func run() async throws {
        guard !printsSchema else {
            return try StandardOutput().write(FixTable.schema)
        }
        guard let engine, engine.engine == .nats else {
            throw UsageError(
                "--from nats://HOST is missing (only messages stored by NATS can be collected)")
        }
        guard let target else { throw UsageError("--to postgresql://HOST/DATABASE is missing") }
        let name = try target.store().name
        var settings = settings
        let pattern = try usage { try MemberPattern(engine.path) }
        guard subjects == nil || engine.path.isEmpty else {
            throw UsageError(
                "--subjects cannot be combined with a path in the URL: leave out one of them")
        }
        settings.subjects = subjects ?? pattern.subject
        settings.consumer =
            consumer ?? ([target.consumer] + engine.path).joined(separator: "-")
        let collector = Collector(settings) { Self.report($0, engine, name) }
        let access = access
        try await onThread("gpsbridge.collect", stop: { collector.stop() }) {
            try collector.run(from: engine, access, into: target.store())
        }
        let count = collector.count
        StandardError.print(
            Plural.text(count.new, "fix was stored", "fixes were stored") + " in \(name); "
                + Plural.text(count.duplicates, "was a duplicate", "were duplicates"))
    }

    private static func report(_ event: Collector.Event, _ engine: EngineURL, _ store: String) {
        switch event {
        case .connected: StandardError.report("collecting from \(engine)")
        case .disconnected(let reason): StandardError.report("\(engine): \(reason); trying again")
        case .refused(let reason):
            StandardError.report("\(engine): \(reason)", level: .warning)
        case .storeReady: StandardError.report("storing in \(store)")
        case .storeAway(let reason):
            StandardError.report("\(store) is unreachable; messages wait in the stream: \(reason)")
        case .rejected(let subject, let reason):
            StandardError.report(
                "a message on \(subject) is invalid, and is stored as rejected: \(reason)")
        case .removed(let days):
            StandardError.report(
                "the fixes of \(Plural.text(days, "day")) were removed from \(store), because they "
                    + "are older than --keep")
        }
    }
}
