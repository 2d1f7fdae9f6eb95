// SPDX-License-Identifier: MIT

/// A cache of the database keys of devices, and of the runs of their bridges. A run lasts from a
/// start of the bridge's program to its end.
struct DeviceKeys {
    /// The key of a device (table `gpsbridge.device`) and of a run of its bridge (table
    /// `gpsbridge.boot`).
    struct Key: Sendable {
        let device: Int32
        let boot: Int32
    }

    private struct Name: Hashable {
        let member: MemberName
        let boot: String
    }

    /// The maximum number of cached keys. Each restart of a bridge adds a key for each of its
    /// receivers, so a full cache is emptied.
    private static let limit = 1_000_000
    private var keys: [Name: Key] = [:]

    /// Returns the keys of batches, in the order of the batches.
    ///
    /// All new keys are created with three statements in total, because one round trip for each key
    /// would take minutes for ten thousand devices.
    mutating func keys(
        of batches: [FixBatch], _ connection: PostgreSQLConnection
    ) throws(StoreError) -> [Key] {
        if keys.count + batches.count > Self.limit { keys = [:] }
        var unknown: [Name: String] = [:]
        for batch in batches {
            let name = Name(member: batch.member, boot: batch.boot)
            if keys[name] == nil { unknown[name] = batch.software }
        }
        if !unknown.isEmpty { try add(unknown, connection) }
        return try batches.map { batch throws(StoreError) in
            guard let key = keys[Name(member: batch.member, boot: batch.boot)] else {
                throw StoreError(
                    .permanent, "a row of gpsbridge.device or gpsbridge.boot is missing")
            }
            return key
        }
    }

    private mutating func add(
        _ software: [Name: String], _ connection: PostgreSQLConnection
    ) throws(StoreError) {
        let names = Array(software.keys)
        let members = [
            names.map(\.member.fleet), names.map(\.member.bridge), names.map(\.member.receiver),
        ].map(Self.array)
        let boots = members + [Self.array(names.map(\.boot))]
        // All statements are in one transaction, because each commit waits for the disk.
        try connection.execute("BEGIN")
        try connection.execute(Self.insertDevices, members)
        try connection.execute(
            Self.insertBoots, boots + [Self.array(names.map { software[$0] ?? "" })])
        let found = try connection.execute(Self.select, boots)
        for row in 0..<found.count {
            guard let number = found.integer(row, 0), names.indices.contains(number - 1),
                let device = found.integer(row, 1), let boot = found.integer(row, 2)
            else { continue }
            keys[names[number - 1]] = Key(
                device: Int32(clamping: device), boot: Int32(clamping: boot))
        }
        try connection.execute("COMMIT")
    }

    /// Returns the literal of a text array: `{"a","b"}`. NUL characters, which PostgreSQL cannot
    /// store, are omitted.
    private static func array(_ elements: [String]) -> String {
        var literal = "{"
        for element in elements {
            if literal.utf8.count > 1 { literal += "," }
            literal += "\""
            for scalar in element.unicodeScalars where scalar != "\0" {
                if scalar == "\"" || scalar == "\\" { literal += "\\" }
                literal.unicodeScalars.append(scalar)
            }
            literal += "\""
        }
        return literal + "}"
    }

    // `ORDER BY` makes all collectors insert in the same order, which prevents deadlocks. `WHERE
    // NOT EXISTS` is needed because even an insert that conflicts uses up an identity number.

    private static let insertDevices = """
        INSERT INTO gpsbridge.device (fleet, bridge, receiver)
        SELECT DISTINCT fleet, bridge, receiver
        FROM unnest($1::text[], $2::text[], $3::text[]) AS new (fleet, bridge, receiver)
        WHERE NOT EXISTS (SELECT FROM gpsbridge.device AS old
            WHERE old.name = new.fleet || '/' || new.bridge || '/' || new.receiver)
        ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING
        """

    private static let insertBoots = """
        INSERT INTO gpsbridge.boot (device, word, software)
        SELECT device.id, word, software
        FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
            AS new (fleet, bridge, receiver, word, software)
        JOIN gpsbridge.device ON name = new.fleet || '/' || new.bridge || '/' || new.receiver
        WHERE NOT EXISTS (SELECT FROM gpsbridge.boot AS old
            WHERE old.device = device.id AND old.word = new.word)
        ORDER BY 1, 2 ON CONFLICT DO NOTHING
        """

    private static let select = """
        SELECT number, device.id, boot.id
        FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
            WITH ORDINALITY AS new (fleet, bridge, receiver, word, number)
        JOIN gpsbridge.device ON name = new.fleet || '/' || new.bridge || '/' || new.receiver
        JOIN gpsbridge.boot ON boot.device = device.id AND boot.word = new.word
        """
}
