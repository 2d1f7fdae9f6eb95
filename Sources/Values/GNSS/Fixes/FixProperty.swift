// SPDX-License-Identifier: MIT

/// A numeric property of a fix, with its names in each format and the functions that get and set
/// it.
///
/// Stored fixes, CSV, GeoJSON and the messages of `gpsbridge-fleet` are generated from one list,
/// `all`.
package struct FixProperty: Sendable {
    /// How CSV represents a property.
    package enum Cell: Sendable {
        /// A column that is read, but not written.
        case read
        /// A column that is read and written as a number.
        case written
        /// A column that is read and written as a word, such as `rtk_fixed`.
        case mode, quality, integrity
        /// A column for an instrument of a vessel. It is written only on request.
        case instrument
        /// The state of the vote, as a word. The column is written only if votes are requested.
        case voteState
        /// A number that belongs to the vote. The column is written only if votes are requested.
        case vote
        /// A number of receivers in the vote. The column is written only if votes are requested,
        /// and not read, because a vote contains names.
        case voteCount
    }

    /// A column of the messages of `gpsbridge-fleet`, and of the files that store unsent messages.
    package struct Column: Sendable {
        /// The index of the column in the messages. It must never change; new columns get the next
        /// index.
        package let index: Int
        package let name: String
        package let decimals: Int

        init(_ index: Int, _ name: String, _ decimals: Int) {
            (self.index, self.name, self.decimals) = (index, name, decimals)
        }
    }

    /// The name of the property: `geoidSeparation`.
    package let name: String
    /// The unit: `m`, `m/s` or `deg`; empty for a count or a ratio.
    package let unit: String
    /// The number of decimals in files.
    package let decimals: Int
    /// Whether a stored fix contains the property under this name.
    package let isStored: Bool
    /// How CSV files represent the property; `nil` if they do not contain it.
    package let cell: Cell?
    /// Other names of the property in CSV files of other programs. Case is ignored.
    package let aliases: [String]
    /// The GeoJSON text before the number, such as `,"speed":`; `nil` for instruments and for
    /// properties that GeoJSON does not contain. The text is stored, because building it from parts
    /// would take a tenth of the time of a conversion.
    package let geoJSON: StaticString?
    /// The column in the messages of `gpsbridge-fleet`; `nil` if they do not contain the property.
    package let column: Column?
    /// Returns the value in a fix; `nil` if it is unknown.
    package let value: @Sendable (Fix) -> Double?
    /// Sets the value in a fix.
    package let set: @Sendable (inout Fix, Double) -> Void

    /// Whether the value is a direction in degrees, from 0 to below 360.
    package let isDirection: Bool

    /// Returns a function that computes the value to write with `decimals` decimals. A direction
    /// that would be rounded to 360 is written as 0.
    package func written(decimals: Int) -> @Sendable (Fix) -> Double? {
        guard isDirection else { return value }
        return { [value] in value($0)?.direction(decimals: decimals) }
    }

    /// Returns the name in lower-case words with a separator between them: `geoid_separation`.
    package func words(separatedBy mark: String) -> String {
        name.map { $0.isUppercase ? mark + $0.lowercased() : String($0) }.joined()
    }

    /// Whether the value comes from another instrument of a vessel.
    package var isInstrument: Bool { cell == .instrument }

    /// The name of the property in GeoJSON; `nil` if GeoJSON does not contain it.
    package var memberName: String? {
        isInstrument ? name : geoJSON.map { String("\($0)".dropFirst(2).dropLast(2)) }
    }

    init(
        _ name: String, _ value: @escaping @Sendable (Fix) -> Double?,
        _ set: @escaping @Sendable (inout Fix, Double) -> Void, _ unit: String = "",
        _ decimals: Int = 3, isDirection: Bool = false, isStored: Bool = false, cell: Cell? = nil,
        aliases: [String] = [], geoJSON: StaticString? = nil, column: Column? = nil
    ) {
        self.name = name
        self.unit = unit
        self.decimals = decimals
        self.isDirection = isDirection
        self.isStored = isStored
        self.cell = cell
        self.aliases = aliases
        self.geoJSON = geoJSON
        self.column = column
        self.value = value
        self.set = set
    }
}
