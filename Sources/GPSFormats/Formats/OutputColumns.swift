// SPDX-License-Identifier: MIT

/// Groups of additional columns of a table.
public struct OutputColumns: OptionSet, Hashable, Sendable {
    /// One bit for each group.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The values of a vessel's instruments: depth, wind, water, log, rudder and engines.
    public static let instruments = OutputColumns(rawValue: 1)
    /// The result of a vote of several receivers, without their names.
    public static let vote = OutputColumns(rawValue: 2)

    /// The groups with their names on the command line.
    package static let named: [(name: String, columns: OutputColumns)] = [
        ("instruments", .instruments), ("vote", .vote),
    ]
}
