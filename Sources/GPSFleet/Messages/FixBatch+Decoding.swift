// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles

extension FixBatch {
    /// Why a message cannot be read.
    package struct Malformed: Error, CustomStringConvertible {
        package let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// The largest message that is decoded.
    private static let limit = 16 << 20

    /// Reads a message.
    ///
    /// Throws where it is not of this format, or of a later version.
    package init(decoding message: [UInt8]) throws(Malformed) {
        let json: [UInt8]
        if ZstdDecompressor.isZstd(message.prefix(4)) {
            guard
                let decompressed = try? ZstdMessage.decompress(message[...], limit: Self.limit)
            else { throw Malformed("it cannot be decompressed") }
            json = decompressed
        } else {
            json = message
        }
        var content = MessageContent()
        var reader = MessageReader(json)
        try reader.object { key, reader throws(Malformed) in try content.read(key, &reader) }
        try self.init(content)
    }

    private init(_ content: MessageContent) throws(Malformed) {
        guard let version = content.integers["gpsbridge"] else {
            throw Malformed("it is no message of gpsbridge's")
        }
        guard version == Self.version else {
            throw Malformed("it is of version \(version), and this program reads \(Self.version)")
        }
        guard let fleet = content.texts["fleet"], let bridge = content.texts["bridge"],
            let receiver = content.texts["receiver"], let origin = content.texts["origin"],
            let boot = content.texts["boot"], let software = content.texts["software"],
            let waiting = content.integers["waiting"], let sequences = content.columns["seq"],
            let received = content.columns["received"]
        else { throw Malformed("a part of it is missing") }
        guard let member = MemberName(fleet: fleet, bridge: bridge, receiver: receiver),
            let origin = DataOrigin(rawValue: origin)
        else { throw Malformed("its names or its origin are not valid") }
        let count = sequences.count
        guard content.columns.values.allSatisfy({ $0.count == count }) else {
            throw Malformed("its columns are not of the same length")
        }
        guard !sequences.contains(FixRow.unknown), !received.contains(FixRow.unknown) else {
            throw Malformed("a fix has no number, or no time at which it was received")
        }
        let times = content.columns["time"]
        var rows = sequences.indices.map { row in
            FixRow(
                sequence: sequences[row],
                time: times.flatMap { $0[row] == FixRow.unknown ? nil : $0[row] },
                received: received[row])
        }
        for (index, column) in FixColumn.all.enumerated() {
            guard let values = content.columns[column.name] else { continue }
            for row in rows.indices { rows[row].values[index] = values[row] }
        }
        self.init(
            member: member, boot: boot, origin: origin, software: software,
            waiting: Int(waiting), rows: rows)
    }
}

/// The members of a message that are known.
private struct MessageContent {
    var texts: [String: String] = [:]
    var integers: [String: Int64] = [:]
    var columns: [String: [Int64]] = [:]

    private static let decimals = Dictionary(
        uniqueKeysWithValues: FixColumn.all.map { ($0.name, $0.decimals) }
            + [("seq", 0), ("received", 0), ("time", 0)])

    mutating func read(
        _ key: String, _ reader: inout MessageReader
    ) throws(FixBatch.Malformed) {
        switch key {
        case "fleet", "bridge", "receiver", "boot", "origin", "software":
            texts[key] = try reader.text()
        case "gpsbridge", "waiting": integers[key] = try reader.integer()
        default:
            guard let decimals = Self.decimals[key] else { return try reader.skip() }
            columns[key] = try reader.column(decimals: decimals)
        }
    }
}
