// SPDX-License-Identifier: MIT

/// A numeric property of a fix: its names, and functions to get and set it.
///
/// Stored fixes, CSV, GeoJSON and fleet messages are derived from one list, `all`.
package struct FixProperty: Sendable {
    /// Its part in CSV.
    package enum Cell: Sendable {
        /// A column that is read; or also written.
        case read, written
        /// Written and read as a word.
        case mode, quality, integrity
    }

    /// A column of a fleet's messages and spool.
    package struct Column: Sendable {
        /// Its place among the columns, which never changes: new ones come behind all others.
        package let place: Int
        package let name: String
        package let decimals: Int

        init(_ place: Int, _ name: String, _ decimals: Int) {
            (self.place, self.name, self.decimals) = (place, name, decimals)
        }
    }

    /// Its name: `geoidSeparation`.
    package let name: String
    /// `m`, `m/s` or `deg`; empty for a count or a ratio.
    package let unit: String
    /// The number of decimals in files.
    package let decimals: Int
    /// Whether a stored fix has it under its name.
    package let isStored: Bool
    /// `nil` if CSV has no column for it.
    package let cell: Cell?
    /// Further names that files of other programs have for it, in CSV in any case.
    package let aliases: [String]
    /// The GeoJSON text up to the number; `nil` if GeoJSON does not have the property. Building it
    /// from parts would take a tenth of the time of a conversion.
    package let geoJSON: StaticString?
    /// The fleet column; `nil` if the property is not sent to a fleet.
    package let column: Column?
    /// Returns the value; `nil` if it is unknown.
    package let value: @Sendable (Fix) -> Double?
    /// Sets the value.
    package let set: @Sendable (inout Fix, Double) -> Void

    /// Its name in words, with a mark between them: `geoid_separation`.
    package func words(separatedBy mark: String) -> String {
        name.map { $0.isUppercase ? mark + $0.lowercased() : String($0) }.joined()
    }

    /// Its name in GeoJSON.
    package var memberName: String? {
        geoJSON.map { String("\($0)".dropFirst(2).dropLast(2)) }
    }

    init(
        _ name: String, _ value: @escaping @Sendable (Fix) -> Double?,
        _ set: @escaping @Sendable (inout Fix, Double) -> Void, _ unit: String = "",
        _ decimals: Int = 3, isStored: Bool = false, cell: Cell? = nil, aliases: [String] = [],
        geoJSON: StaticString? = nil, column: Column? = nil
    ) {
        self.name = name
        self.unit = unit
        self.decimals = decimals
        self.isStored = isStored
        self.cell = cell
        self.aliases = aliases
        self.geoJSON = geoJSON
        self.column = column
        self.value = value
        self.set = set
    }
}
