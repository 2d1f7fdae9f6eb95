// SPDX-License-Identifier: MIT
package import GNSS

/// A fix as integers, for the spool and for messages: each is a column's value times its scale.
package struct FixRow: Sendable, Equatable {
    /// The number that stands for an unknown value.
    package static let unknown = Int64.min

    /// The number in the spool, unique within a run of the bridge.
    package var sequence: Int64

    /// The receiver's time of the fix, in milliseconds of Unix time; `nil` until the receiver has
    /// sent a date.
    package var time: Int64?

    /// The bridge's time of reception, in milliseconds of Unix time.
    package var received: Int64

    /// The columns' scaled values; `unknown` where there is none.
    package var values: FixColumn.Table<Int64>

    /// Creates a row without values.
    package init(sequence: Int64, time: Int64?, received: Int64) {
        self.sequence = sequence
        self.time = time
        self.received = received
        values = FixColumn.Table(repeating: Self.unknown)
    }

    /// Creates the row of a fix, with the distance travelled up to it, in metres.
    package init(
        _ fix: Fix, sequence: Int64 = 0, received: Int64, odometer: Double? = nil
    ) {
        self.init(
            sequence: sequence, time: fix.time.map { $0.unixNanoseconds / 1_000_000 },
            received: received)
        for (index, column) in FixColumn.all.enumerated() {
            guard let value = column.property.value(fix) else { continue }
            values[index] = Self.scaled(value, by: column.scale)
        }
        if let odometer {
            let index = FixColumn.odometer
            values[index] = Self.scaled(odometer, by: FixColumn.all[index].scale)
        }
    }

    /// Returns a value as a scaled integer; `unknown` if it is out of range.
    package static func scaled(_ value: Double, by scale: Double) -> Int64 {
        let scaled = (value * scale).rounded()
        return scaled.magnitude < 9e15 ? Int64(scaled) : unknown
    }

    /// Returns a column's value; `nil` if it is unknown.
    package func value(_ index: Int) -> Double? {
        let value = values[index]
        return value == Self.unknown ? nil : Double(value) / FixColumn.all[index].scale
    }

    /// The fix. It has a position only if latitude and longitude are both known.
    package var fix: Fix {
        var fix = Fix()
        fix.time = time.flatMap {
            let (nanoseconds, overflow) = $0.multipliedReportingOverflow(by: 1_000_000)
            return overflow ? nil : UTCTime(unixNanoseconds: nanoseconds)
        }
        fix.timeOfDay = fix.time?.time
        for (index, column) in FixColumn.all.enumerated() {
            if let value = value(index) { column.property.set(&fix, value) }
        }
        // A single or invalid coordinate is not a position.
        fix.coordinate = coordinate.flatMap { $0.isValid ? $0 : nil }
        if let altitude = fix.altitude, let separation = fix.geoidSeparation {
            fix.ellipsoidalAltitude = altitude + separation
        }
        return fix
    }

    /// Returns whether all values of two rows are equal.
    package static func == (a: FixRow, b: FixRow) -> Bool {
        a.sequence == b.sequence && a.time == b.time && a.received == b.received
            && a.values.indices.allSatisfy { a.values[$0] == b.values[$0] }
    }
}
