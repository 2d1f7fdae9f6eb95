// SPDX-License-Identifier: MIT
package import GNSS

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
