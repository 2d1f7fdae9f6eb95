// SPDX-License-Identifier: MIT
package import GNSS

/// A fix as it is spooled and sent: whole numbers, each a column's value times its scale.
package struct FixRow: Sendable, Equatable {
    /// The number that stands for an unknown value.
    package static let unknown = Int64.min

    /// Its number in the spool; none comes twice with the same boot.
    package var sequence: Int64

    /// When it was determined, in milliseconds of Unix time by the receiver; `nil` until it has sent a date.
    package var time: Int64?

    /// When the bridge had received it, in milliseconds of Unix time by the bridge's clock.
    package var received: Int64

    /// The columns' values; `unknown` where there is none.
    package var values: FixColumn.Table<Int64>

    /// Creates a row without values.
    package init(sequence: Int64, time: Int64?, received: Int64) {
        self.sequence = sequence
        self.time = time
        self.received = received
        values = FixColumn.Table(repeating: Self.unknown)
    }

    /// Creates the row of a fix, with the metres over ground up to it.
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

    /// A number as a whole number of a column of that scale; `unknown` for what is beyond all reason.
    package static func scaled(_ value: Double, by scale: Double) -> Int64 {
        let scaled = (value * scale).rounded()
        return scaled.magnitude < 9e15 ? Int64(scaled) : unknown
    }

    /// A column's value; `nil` where it is not known.
    package func value(_ index: Int) -> Double? {
        let value = values[index]
        return value == Self.unknown ? nil : Double(value) / FixColumn.all[index].scale
    }

    /// The fix. It has a position only where both halves of it are known.
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
        // Half a position is none.
        fix.coordinate = coordinate.flatMap { $0.isValid ? $0 : nil }
        if let altitude = fix.altitude, let separation = fix.geoidSeparation {
            fix.ellipsoidalAltitude = altitude + separation
        }
        return fix
    }

    /// Whether two rows are equal in everything.
    package static func == (a: FixRow, b: FixRow) -> Bool {
        a.sequence == b.sequence && a.time == b.time && a.received == b.received
            && a.values.indices.allSatisfy { a.values[$0] == b.values[$0] }
    }
}
