// SPDX-License-Identifier: MIT
package import GNSS

/// A fix stored as integers, for the spool and for messages. Each integer is a value multiplied by
/// its column's scale.
package struct FixRow: Sendable, Equatable {
    /// The integer that represents a missing value.
    static let unknown = Int64.min

    /// The fix's sequence number in the spool. It is unique within a run of the bridge.
    package var sequence: Int64

    /// The time of the fix according to the receiver, in milliseconds of Unix time; `nil` until the
    /// receiver has sent a date.
    package var time: Int64?

    /// The time when the bridge received the fix, in milliseconds of Unix time.
    package var received: Int64

    /// The scaled values of the common columns; `unknown` for missing values.
    private var common = FixColumn.CommonTable(repeating: FixRow.unknown)

    /// The scaled values of all other columns; empty if none was set.
    private var others: [Int64] = []

    /// Creates a row in which all columns are missing.
    package init(sequence: Int64, time: Int64?, received: Int64) {
        self.sequence = sequence
        self.time = time
        self.received = received
    }

    /// Creates the row of a fix.
    ///
    /// - `odometer` is the distance travelled since the bridge was started, in metres.
    /// - `anchor` is the state of the anchor watch; `nil` without one.
    package init(
        _ fix: Fix, sequence: Int64 = 0, received: Int64, odometer: Double? = nil,
        anchor: AnchorState? = nil
    ) {
        self.init(
            sequence: sequence, time: fix.time.map(Self.milliseconds), received: received)
        for (index, column) in FixColumn.all.enumerated() {
            if let value = column.value(fix) { set(index, value) }
        }
        if let odometer { set(FixColumn.odometer, odometer) }
        if let anchor {
            set(FixColumn.anchor, Double(anchor.condition.number))
            if let distance = anchor.distance { set(FixColumn.anchorDistance, distance) }
        }
    }

    /// Returns the time in milliseconds of Unix time. A leap second, which Unix time does not have,
    /// becomes the last millisecond of its day. With the time of the next second, its fix would
    /// count as a duplicate.
    private static func milliseconds(_ time: UTCTime) -> Int64 {
        let milliseconds = time.unixNanoseconds / 1_000_000
        guard time.time.isLeapSecond else { return milliseconds }
        return milliseconds - milliseconds % 1000 - 1
    }

    private mutating func set(_ index: Int, _ value: Double) {
        self[index] = Self.scaled(value, by: FixColumn.all[index].scale)
    }

    /// Whether a value was set in a column after the common ones.
    var hasOthers: Bool { !others.isEmpty }

    /// The number of columns that may have values. All later columns are missing.
    var columnCount: Int { common.count + others.count }

    /// A bit mask of the columns after the common ones that have values. The lowest bit is the
    /// first of these columns.
    var knownOthers: UInt64 {
        others.enumerated().reduce(0) { bits, other in
            other.element == Self.unknown ? bits : bits | 1 << UInt64(other.offset)
        }
    }

    /// The anchor watch's condition; `nil` without an anchor watch.
    package var anchor: AnchorState.Condition? {
        value(FixColumn.anchor).flatMap { AnchorState.Condition(number: $0) }
    }

    /// The scaled value of the column with this index in `FixColumn.all`; `unknown` if it is
    /// missing.
    package subscript(index: Int) -> Int64 {
        get {
            guard index >= common.count else { return common[index] }
            return others.isEmpty ? Self.unknown : others[index - common.count]
        }
        set {
            guard index >= common.count else { return common[index] = newValue }
            guard newValue != Self.unknown || !others.isEmpty else { return }
            if others.isEmpty {
                others = Array(repeating: Self.unknown, count: FixColumn.all.count - common.count)
            }
            others[index - common.count] = newValue
        }
    }

    /// Returns a value as a scaled integer; `unknown` if the value is not finite or too large.
    static func scaled(_ value: Double, by scale: Double) -> Int64 {
        let scaled = (value * scale).rounded()
        return scaled.magnitude < 9e15 ? Int64(scaled) : unknown
    }

    /// Returns the value of the column with this index, in the column's unit; `nil` if it is
    /// missing.
    package func value(_ index: Int) -> Double? {
        let value = self[index]
        return value == Self.unknown ? nil : Double(value) / FixColumn.all[index].scale
    }

    /// The position, which may be out of range; `nil` if latitude or longitude is unknown.
    var coordinate: Coordinate? {
        guard let latitude = value(FixColumn.latitude), let longitude = value(FixColumn.longitude)
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// The position; `nil` if it is unknown or out of range.
    var validCoordinate: Coordinate? { coordinate.flatMap { $0.isValid ? $0 : nil } }

    /// The row as a fix. It has a position only if both latitude and longitude are known and valid.
    package var fix: Fix {
        var fix = Fix()
        fix.time = time.flatMap {
            let (nanoseconds, overflow) = $0.multipliedReportingOverflow(by: 1_000_000)
            return overflow ? nil : UTCTime(unixNanoseconds: nanoseconds)
        }
        fix.timeOfDay = fix.time?.time
        for (index, column) in FixColumn.all.prefix(columnCount).enumerated() {
            if let value = value(index) { column.property.set(&fix, value) }
        }
        // A latitude without a longitude, or one out of range, is not a position.
        fix.coordinate = validCoordinate
        if let altitude = fix.altitude, let separation = fix.geoidSeparation {
            fix.ellipsoidalAltitude = altitude + separation
        }
        return fix
    }

    /// Returns whether all values of two rows are equal.
    package static func == (a: FixRow, b: FixRow) -> Bool {
        a.sequence == b.sequence && a.time == b.time && a.received == b.received
            && a.common.indices.allSatisfy { a.common[$0] == b.common[$0] } && a.others == b.others
    }
}

/// A column of the spool and of messages. It contains one value of each fix.
package struct FixColumn: Sendable {
    /// The column's name in messages and in the spool.
    package let name: String
    /// The number of decimal places that are stored.
    package let decimals: Int
    /// 10 to the power of `decimals`.
    let scale: Double
    /// The property of `Fix` that the column contains.
    package let property: FixProperty
    /// Returns the value in a fix; `nil` if it is unknown. A direction that would be rounded to
    /// 360° is returned as 0°.
    let value: @Sendable (Fix) -> Double?

    /// The index of the latitude in `all`.
    package static let latitude = 2
    /// The index of the longitude in `all`.
    package static let longitude = 3
    /// The index of the distance travelled since the bridge was started, in metres.
    package static let odometer = 20
    /// The index of the integrity monitor's state.
    package static let integrity = 21
    /// The index of a vote's state.
    package static let vote = 22
    /// The index of the number of receivers that agree with a vote's winner.
    package static let voteWitnesses = 24
    /// The index of the anchor watch's condition.
    package static let anchor = 26
    /// The index of the distance to the anchor, in metres.
    package static let anchorDistance = 27

    /// An array with one element for each common column, stored inline. The common columns are the
    /// first ones in `all`. Few fixes have values in the other columns.
    package typealias CommonTable<Value> = InlineArray<22, Value>

    /// All columns in the order of their indices.
    package static let all: [FixColumn] = FixProperty.all
        .compactMap { property in property.column.map { ($0, property) } }
        .sorted { $0.0.index < $1.0.index }
        .map { column, property in
            FixColumn(
                name: column.name, decimals: column.decimals,
                scale: Double(powerOfTen(column.decimals)),
                property: property, value: property.written(decimals: column.decimals))
        }
}

/// The full name of a receiver: its fleet, its bridge and its name on that bridge.
package struct MemberName: Hashable, Sendable, CustomStringConvertible {
    package let fleet: String
    /// The name of the bridge, a machine with receivers.
    let bridge: String
    /// The receiver's name on the bridge.
    package let receiver: String

    /// Creates a name from three tokens. Returns `nil` if one of them is not a valid token (see
    /// `isToken`).
    package init?(fleet: String, bridge: String, receiver: String) {
        guard [fleet, bridge, receiver].allSatisfy(Self.isToken) else { return nil }
        self.fleet = fleet
        self.bridge = bridge
        self.receiver = receiver
    }

    /// The NATS subject of the receiver's fixes: `gps.FLEET.BRIDGE.RECEIVER`.
    package var subject: String { "gps.\(fleet).\(bridge).\(receiver)" }

    /// The MQTT topic of the receiver's fixes: `gps/FLEET/BRIDGE/RECEIVER`.
    package var topic: String { "gps/\(fleet)/\(bridge)/\(receiver)" }

    /// The name as `FLEET/BRIDGE/RECEIVER`.
    package var description: String { "\(fleet)/\(bridge)/\(receiver)" }

    /// Returns whether a string can be part of a subject or topic: 1 to 64 ASCII letters, digits,
    /// `-` and `_`.
    package static func isToken(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && text.utf8.allSatisfy(isTokenCharacter)
    }

    /// Converts a string to a token: replaces each run of characters that a token cannot contain
    /// with `-`, and truncates it to 64 characters. Returns `nil` if the text contains no valid
    /// character.
    package static func token(_ text: String) -> String? {
        let words = text.utf8.split { !isTokenCharacter($0) }
            .map { String(decoding: $0, as: UTF8.self) }
        let token = String(words.joined(separator: "-").prefix(64))
        return token.isEmpty ? nil : token
    }

    /// Returns whether a token may contain this character.
    static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension FixRow {
    private static let firstOther = FixColumn.CommonTable<Int64>.count

    /// The scaled values after the common columns, separated by commas: `2,2500,,0`. The text of a
    /// missing value is empty. `nil` if all values are missing.
    package var othersText: String? {
        guard hasOthers else { return nil }
        var texts = (Self.firstOther..<FixColumn.all.count).map { index in
            self[index] == Self.unknown ? "" : String(self[index])
        }
        while texts.last == "" { texts.removeLast() }
        return texts.joined(separator: ",")
    }

    /// Sets the values after the common columns from a text in the form of `othersText`. Surplus
    /// values, which a later version may have written, are ignored.
    package mutating func setOthers(_ text: String) {
        guard !text.isEmpty else { return }
        let values = text.split(separator: ",", omittingEmptySubsequences: false)
        for (index, value) in zip(Self.firstOther..<FixColumn.all.count, values) {
            self[index] = Int64(value) ?? Self.unknown
        }
    }
}
