// SPDX-License-Identifier: MIT
package import GNSS
import GPSFiles

/// Fixes of one receiver in one run of its bridge, sent as one message.
///
/// The format, described in docs/fleet.md, is a JSON object that contains an array for each column,
/// compressed with zstd if that is smaller.
package struct FixBatch: Sendable, Equatable {
    /// The version of the format.
    package static let version = 1

    /// The receiver of the fixes.
    package var member: MemberName

    /// The random name of the run of the bridge, from its start to its end, that numbered the
    /// fixes: 12 hexadecimal digits.
    package var boot: String

    /// Whether the fixes are live, recorded or simulated.
    package var origin: DataOrigin

    /// The name and version of the sending program.
    package var software: String

    /// The number of fixes in the bridge's spool when the message was created.
    package var waiting: Int

    /// The fixes, in order of their sequence numbers.
    package var rows: [FixRow]

    package init(
        member: MemberName, boot: String, origin: DataOrigin, software: String = "",
        waiting: Int = 0, rows: [FixRow]
    ) {
        self.member = member
        self.boot = boot
        self.origin = origin
        self.software = software
        self.waiting = waiting
        self.rows = rows
    }

    /// The message's id, which lets a server recognise duplicates. The same fixes always have the
    /// same id. `nil` if the batch is empty.
    package var id: String? {
        guard let first = rows.first, let last = rows.last else { return nil }
        return "\(member)/\(boot)/\(first.sequence)-\(last.sequence)/\(rows.count)"
    }
}

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

extension FixBatch {
    /// Returns the encoded message: JSON, compressed with zstd if that is smaller.
    package func encoded() -> [UInt8] {
        let json = json()
        // One or two fixes have too few repetitions to compress well.
        guard rows.count > 2, let compressed = try? ZstdMessage.compress(json.bytes),
            compressed.count < json.count
        else { return json.array }
        return compressed
    }

    /// Returns the message as uncompressed JSON.
    func encodedJSON() -> [UInt8] { json().array }

    private func json() -> TextBuffer {
        var text = TextBuffer()
        text.makeRoom(256 + rows.count * 200)
        text.append("{\"gpsbridge\":")
        text.append(integer: Self.version)
        for (name, value) in [
            ("fleet", member.fleet), ("bridge", member.bridge), ("receiver", member.receiver),
            ("boot", boot), ("origin", origin.rawValue), ("software", software),
        ] {
            text.begin(name)
            text.append(json: value)
        }
        text.begin("waiting")
        text.append(integer: waiting)
        text.append(column: "seq", rows) { $1.append(integer: Int($0.sequence)) }
        text.append(column: "received", rows) { $1.append(integer: Int($0.received)) }
        if rows.contains(where: { $0.time != nil }) {
            text.append(column: "time", rows) { row, text in
                guard let time = row.time else { return text.append("null") }
                text.append(integer: Int(time))
            }
        }
        let columnCount = rows.reduce(0) { max($0, $1.columnCount) }
        for (index, column) in FixColumn.all.prefix(columnCount).enumerated()
        where rows.contains(where: { $0[index] != FixRow.unknown }) {
            let decimals = column.decimals
            text.append(column: column.name, rows) { row, text in
                text.append(scaled: row[index], decimals: decimals)
            }
        }
        text.append(character: "}")
        return text
    }
}

extension TextBuffer {
    fileprivate mutating func begin(_ name: String) {
        append(character: ",")
        append(json: name)
        append(character: ":")
    }

    fileprivate mutating func append(
        column name: String, _ rows: [FixRow], _ write: (FixRow, inout TextBuffer) -> Void
    ) {
        begin(name)
        append(character: "[")
        for (index, row) in rows.enumerated() {
            if index > 0 { append(character: ",") }
            write(row, &self)
        }
        append(character: "]")
    }

    /// Appends a scaled integer as a decimal number without trailing zeros.
    fileprivate mutating func append(scaled value: Int64, decimals: Int) {
        guard value != FixRow.unknown else { return append("null") }
        guard decimals > 0 else { return append(integer: Int(value)) }
        if value < 0 { append(character: "-") }
        let unit = UInt64(powerOfTen(decimals))
        let magnitude = value.magnitude
        append(integer: Int(magnitude / unit))
        var fraction = magnitude % unit
        guard fraction > 0 else { return }
        var width = decimals
        while fraction % 10 == 0 {
            fraction /= 10
            width -= 1
        }
        append(character: ".")
        append(integer: Int(fraction), width: width)
    }
}
