// SPDX-License-Identifier: MIT
package import GNSS

/// A value of a fix in the spool and in messages.
package struct FixColumn: Sendable {
    /// The name in messages and in the spool.
    package let name: String
    /// The number of decimals.
    package let decimals: Int
    /// 10 to the power of `decimals`.
    package let scale: Double
    /// The corresponding property of a fix.
    package let property: FixProperty

    /// The index of the latitude; the longitude follows.
    package static let latitude = 2
    package static let longitude = 3
    /// The index of the distance travelled since the bridge was started, in metres.
    package static let odometer = 20

    /// One value per column, stored inline; a test checks the number of columns.
    package typealias Table<Value> = InlineArray<22, Value>

    /// All columns, in the order of the spool.
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
