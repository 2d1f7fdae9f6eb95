// SPDX-License-Identifier: MIT

/// The tables of the spool, and their conversion from earlier versions.
extension Spool {
    private static let version: Int64 = 4
    /// The columns that were added after the first version, with the version that added them.
    private static let additions: [(version: Int64, column: String)] = [
        (2, "odometer INTEGER"), (3, "integrity INTEGER"), (4, "others TEXT"),
    ]

    /// Opens the database file, and creates its tables or converts them from an earlier version.
    static func prepared(_ path: String) throws(FleetError) -> SQLiteDatabase {
        let database = try SQLiteDatabase(path: path)
        if try database.integer("SELECT count(*) FROM sqlite_master") > 0, try !isSpool(database) {
            throw foreign(path)
        }
        // `synchronous=FULL` makes fixes survive a power failure after `append` has returned.
        try database.run(
            "PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL;"
                + "PRAGMA synchronous=FULL; PRAGMA journal_size_limit=4194304")
        let columns = names.map { ",\"\($0)\" INTEGER" }.joined()
        try database.transaction { () throws(FleetError) in
            switch try database.integer("PRAGMA user_version") {
            case 0:
                try database.run(
                    """
                    CREATE TABLE stream(number INTEGER PRIMARY KEY, fleet TEXT, bridge TEXT,
                        receiver TEXT, origin TEXT, boot TEXT);
                    CREATE TABLE target(bit INTEGER PRIMARY KEY, name TEXT UNIQUE);
                    CREATE TABLE fix(seq INTEGER PRIMARY KEY AUTOINCREMENT, stream INTEGER NOT NULL,
                        pending INTEGER NOT NULL, received INTEGER NOT NULL, time INTEGER\(columns),
                        others TEXT);
                    PRAGMA user_version=\(version)
                    """)
            case version: break
            case let earlier where (1..<version).contains(earlier):
                for addition in additions where addition.version > earlier {
                    try database.run("ALTER TABLE fix ADD COLUMN \(addition.column)")
                }
                try database.run("PRAGMA user_version=\(version)")
            case let other:
                throw FleetError(
                    spool: path,
                    "it has version \(other), but this program reads version \(version)")
            }
            try database.run(createKept)
            try database.run(createRefused)
        }
        try removeUnusedStreams(database)
        return database
    }

    /// Returns the error for a file that is not a spool.
    static func foreign(_ path: String) -> FleetError {
        FleetError(
            spool: path,
            "another program has created this file, or it is damaged: "
                + "choose another --spool FILE, or rename this file")
    }

    /// Returns whether a database has the tables of a spool. Their content may be damaged.
    static func isSpool(_ database: SQLiteDatabase) throws(FleetError) -> Bool {
        // The version alone is not enough: other programs also use `user_version`.
        let tables = "SELECT count(*) FROM sqlite_master WHERE name IN ('stream','target','fix')"
        return try database.integer(tables) == 3
    }

    /// Removes unused streams. This reads the whole table of fixes, so damage is detected before
    /// the file is used.
    private static func removeUnusedStreams(
        _ database: SQLiteDatabase
    ) throws(FleetError) {
        do throws(FleetError) {
            try database.run(
                "DELETE FROM stream WHERE number NOT IN (SELECT DISTINCT stream FROM fix)")
        } catch  where error.isFull {
            // Unused streams are removed the next time the spool is opened.
        }
    }
}
