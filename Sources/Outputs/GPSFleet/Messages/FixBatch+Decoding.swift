// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles

extension FixBatch {
    /// The reason why a message cannot be decoded.
    package struct Malformed: Error, CustomStringConvertible {
        package let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// The maximum size of a message after decompression, in bytes.
    private static let limit = 16 << 20
    private static let rowLimit = 100_000

    /// Decodes a message.
    ///
    /// Throws an error if the message is not a batch in version 1 of the format, or is larger than
    /// 16 MiB after decompression.
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
        try self.init(try MessageContent(json))
    }

    private init(_ content: MessageContent) throws(Malformed) {
        guard let version = content.integers["gpsbridge"] else {
            throw Malformed("it is not a message of gpsbridge")
        }
        guard version == Self.version else {
            throw Malformed(
                "it has version \(version), but this program reads version \(Self.version)")
        }
        guard let fleet = content.texts["fleet"], let bridge = content.texts["bridge"],
            let receiver = content.texts["receiver"], let origin = content.texts["origin"],
            let boot = content.texts["boot"], let software = content.texts["software"],
            let waiting = content.integers["waiting"], let sequences = content.columns["seq"],
            let received = content.columns["received"]
        else { throw Malformed("a required member is missing") }
        guard let member = MemberName(fleet: fleet, bridge: bridge, receiver: receiver),
            let origin = DataOrigin(rawValue: origin)
        else { throw Malformed("its names or its origin are invalid") }
        let count = sequences.count
        // A compressed message can contain far more rows than any bridge sends.
        guard count <= Self.rowLimit else { throw Malformed("it has more than 100,000 fixes") }
        guard content.columns.values.allSatisfy({ $0.count == count }) else {
            throw Malformed("its columns have different lengths")
        }
        guard !sequences.contains(FixRow.unknown), !received.contains(FixRow.unknown) else {
            throw Malformed("a fix has no sequence number or no time of reception")
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
            for row in rows.indices { rows[row][index] = values[row] }
        }
        self.init(
            member: member, boot: boot, origin: origin, software: software,
            waiting: Int(waiting), rows: rows)
    }
}

/// The members of a message's JSON object that this version knows.
private struct MessageContent {
    var texts: [String: String] = [:]
    var integers: [String: Int64] = [:]
    var columns: [String: [Int64]] = [:]

    private static let decimals = Dictionary(
        uniqueKeysWithValues: FixColumn.all.map { ($0.name, $0.decimals) }
            + [("seq", 0), ("received", 0), ("time", 0)])

    /// The scale of the column being read; `nil` outside known columns.
    private var scale: Double?
    private var values: [Int64] = []

    /// Parses the JSON of a message: an object with strings, integers and columns of numbers.
    /// Unknown members are ignored, because a later version may add some.
    init(_ json: [UInt8]) throws(FixBatch.Malformed) {
        var scanner = JSONScanner()
        do throws(JSONError) {
            try scanner.push(json[...]) { event, path throws(JSONError) in
                try handle(event, path)
            }
            try scanner.finish { _, _ in }
        } catch {
            throw FixBatch.Malformed("it is not a message of gpsbridge")
        }
    }

    private mutating func handle(
        _ event: JSONScanner.Event, _ path: JSONScanner.Path
    ) throws(JSONError) {
        switch (event, path.count) {
        case (.scalar(let value), 2) where scale != nil: try append(value)
        case (.begin(isObject: false), 1):
            scale = path[0].flatMap { Self.decimals[$0] }.map { Double(powerOfTen($0)) }
        case (.end, 1):
            if scale != nil, let name = path[0] { columns[name] = values }
            scale = nil
            values.removeAll(keepingCapacity: true)
        case (.scalar(let value), 1): try set(path[0] ?? "", value)
        case (.begin, 1...) where scale != nil: throw Self.noColumn
        default: break
        }
    }

    /// Appends a decimal number as a scaled integer.
    private mutating func append(_ value: JSONScalar) throws(JSONError) {
        switch value {
        case .null: values.append(FixRow.unknown)
        case .number(let number): values.append(FixRow.scaled(number, by: scale ?? 1))
        default: throw Self.noColumn
        }
    }

    private mutating func set(_ name: String, _ value: JSONScalar) throws(JSONError) {
        switch name {
        case "fleet", "bridge", "receiver", "boot", "origin", "software":
            texts[name] = value.string
        case "gpsbridge", "waiting": integers[name] = value.integer.map(Int64.init)
        default: guard Self.decimals[name] == nil else { throw Self.noColumn }
        }
    }

    private static let noColumn = JSONError("a column is not a list of numbers")
}
