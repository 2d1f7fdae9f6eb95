// SPDX-License-Identifier: MIT
import FoundationEssentials
import GPSFleet
import Glibc

/// Writes the fixes of a fleet to a database, or to GPX files.
struct CollectCommand: Command {
    static let name = "collect"
    static let summary = "Write the fixes of a fleet to a database."
    static let words = "--from nats://HOST --to postgresql://[USER@]HOST/DATABASE"

    static let details = """
        Fixes are acknowledged when they are stored, and each is stored once however often it comes. Whichever of \
        engine and database is away is waited for. Several collectors of the same --name share the work.

        Tables are made where there are none: gpsbridge.fix, partitioned by day, with positions as geography of \
        PostGIS; see docs/fleet.md for them and for functions such as gpsbridge.where_was. The database needs the \
        extensions postgis and btree_gist, which its owner may have to make.

        No password belongs on the command line: libpq reads it from ~/.pgpass or from the file that PGPASSFILE \
        names, and those of NATS are files, too. All of them must be readable by their owner only (chmod 600).

        Examples:
          gpsbridge collect --from nats://n1,n2,n3 --to postgresql://collector@db/gps
          gpsbridge collect --from tls://engine --credentials ~/gps.creds --to postgresql:///gps --keep 90
          gpsbridge collect --from nats://engine --to gpx:tracks
          gpsbridge collect --from nats://engine/buses/b-7/roof --to gpx:. --once
        """

    static let options: [CommandOption<CollectCommand>] =
        [
            .init(
                "from", value: "URL",
                help:
                    "The engine: nats://HOST[:PORT][,HOST...][/FLEET[/BRIDGE[/RECEIVER]]], or tls://"
            ) { command, text in
                command.engine = try usage { try EngineURL(text) }
            },
            .init(
                "to", "t", value: "TARGET",
                help: "Where fixes go: postgresql://[USER@]HOST[:PORT]/DATABASE or gpx:FOLDER"
            ) { $0.target = try Target($1) },
            .init(
                "stream", value: "NAME", help: "The stream to read; GPS unless given"
            ) { $0.settings.stream = $1 },
            .init(
                "subjects", value: "SUBJECT",
                help: "Read these subjects only, such as gps.buses.>"
            ) { $0.subjects = $1 },
            .init(
                "name", value: "NAME",
                help:
                    "The name under which the engine knows what is stored already; collect unless given, or gpx, "
                    + "with FLEET, BRIDGE and RECEIVER behind it"
            ) { $0.consumer = $1 },
            .init("keep", value: "DAYS", help: "Remove days that are older than that many") {
                guard let days = Int($1), 1...100_000 ~= days else {
                    throw UsageError("--keep is a number of days, and '\($1)' is none")
                }
                $0.settings.daysKept = days
            },
            .init("once", help: "End when everything that waits is stored") { command, _ in
                command.settings.endsWhenEmpty = true
            },
            .init("schema", help: "Print the SQL that makes the tables, and end") { command, _ in
                command.printsSchema = true
            },
        ] + AccessArguments.options(\.access)

    /// The output of fixes.
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
                    "--to is postgresql://HOST/DATABASE or gpx:FOLDER, and '\(text)' is neither")
            }
        }

        /// Days since 1970.
        private static var today: Int { Int(Date().timeIntervalSince1970 / 86_400) }

        /// The consumer's name where none is given: what one target has stored the other has not.
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
                return DatabaseStore(address) { Self.today }
            case .folder(let path): return GPXFolder(path) { Self.today }
            }
        }
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
            return try StandardOutput().write(Array(FixTable.schema.utf8))
        }
        guard let engine, engine.engine == .nats else {
            throw UsageError(
                "--from nats://HOST is missing: a broker of MQTT keeps nothing to collect")
        }
        guard let target else { throw UsageError("--to postgresql://HOST/DATABASE is missing") }
        let name = try target.store().name
        var settings = settings
        let pattern = try usage { try MemberPattern(engine.path) }
        guard subjects == nil || engine.path.isEmpty else {
            throw UsageError("--subjects names what to read, and so does \(engine)")
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
        StandardError.say(
            "\(count.new) fixes stored in \(name), \(count.duplicates) were there already")
    }

    private static func report(_ event: Collector.Event, _ engine: EngineURL, _ store: String) {
        switch event {
        case .connected: StandardError.say("collecting from \(engine)")
        case .disconnected(let reason): StandardError.say("\(engine): \(reason); trying again")
        case .storeReady: StandardError.say("storing in \(store)")
        case .storeAway(let reason):
            StandardError.say("\(store) is unreachable; messages wait in the stream: \(reason)")
        case .rejected(let subject, let reason):
            StandardError.say("a message on \(subject) is kept aside: \(reason)")
        case .removed(let days): StandardError.say("\(days) days removed from \(store)")
        }
    }
}
