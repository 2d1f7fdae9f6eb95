// SPDX-License-Identifier: MIT
import Compression
import Devices
import FoundationEssentials

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
        do {
            let json =
                ZstdDecompressor.isZstd(message.prefix(4))
                ? try ZstdMessage.decompress(message[...], limit: Self.limit) : message
            self = try JSONDecoder().decode(Decoded.self, from: Data(json)).batch
        } catch let error as Malformed {
            throw error
        } catch {
            throw Malformed("it is no message of gpsbridge's")
        }
    }
}

/// Decodes the columns that are there.
private struct Decoded: Decodable {
    let batch: FixBatch

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let message = try decoder.container(keyedBy: Key.self)
        let version = try message.decode(Int.self, forKey: Key("gpsbridge"))
        guard version == FixBatch.version else {
            throw FixBatch.Malformed(
                "it is of version \(version), and this program reads \(FixBatch.version)")
        }
        func text(_ name: String) throws -> String {
            try message.decode(String.self, forKey: Key(name))
        }
        guard
            let member = MemberName(
                fleet: try text("fleet"), bridge: try text("bridge"),
                receiver: try text("receiver")),
            let origin = DataOrigin(name: try text("origin"))
        else { throw FixBatch.Malformed("its names or its origin are not valid") }
        let sequences = try message.decode([Int64].self, forKey: Key("seq"))
        let received = try message.decode([Int64].self, forKey: Key("received"))
        let times = try message.decodeIfPresent([Int64?].self, forKey: Key("time"))
        let count = sequences.count
        guard received.count == count, times?.count ?? count == count else {
            throw FixBatch.Malformed("its columns are not of the same length")
        }
        var rows = sequences.indices.map {
            FixRow(
                sequence: sequences[$0], time: times?[$0] ?? nil, received: received[$0])
        }
        for (index, column) in FixColumn.all.enumerated() {
            let key = Key(column.name)
            guard let values = try message.decodeIfPresent([Double?].self, forKey: key) else {
                continue
            }
            guard values.count == count else {
                throw FixBatch.Malformed("its columns are not of the same length")
            }
            for (row, value) in values.enumerated() {
                if let value { rows[row].values[index] = FixRow.scaled(value, column) }
            }
        }
        batch = FixBatch(
            member: member, boot: try text("boot"), origin: origin,
            software: try text("software"),
            waiting: try message.decode(Int.self, forKey: Key("waiting")), rows: rows)
    }
}
