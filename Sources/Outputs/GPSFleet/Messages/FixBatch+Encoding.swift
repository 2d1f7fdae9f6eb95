// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles

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
