// SPDX-License-Identifier: MIT
package import GNSS

/// A value of a fix as it is spooled and sent.
package struct FixColumn: Sendable {
    /// Its name in messages and in the spool.
    package let name: String
    /// How many decimals it keeps.
    package let decimals: Int
    /// 10 to the power of `decimals`.
    package let scale: Double
    /// The value in a fix.
    package let property: FixProperty

    /// The place of the latitude, and of the longitude.
    package static let latitude = 2
    package static let longitude = 3
    /// The place of the metres over ground since the bridge was started.
    package static let odometer = 20

    /// A value for each column, without an allocation; a test checks their number.
    package typealias Table<Value> = InlineArray<21, Value>

    /// The columns by their places, which are those in the spool.
    package static let all: [FixColumn] = FixProperty.all
        .compactMap { property in property.column.map { ($0, property) } }
        .sorted { $0.0.place < $1.0.place }
        .map { column, property in
            FixColumn(
                name: column.name, decimals: column.decimals,
                scale: Double(powerOfTen(column.decimals)),
                property: property)
        }
}
