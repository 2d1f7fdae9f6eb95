// SPDX-License-Identifier: MIT

/// The description of a whole file, for formats that can store one.
public struct OutputMetadata: Hashable, Sendable {
    /// The title of the document.
    public var title: String?
    /// A description of the content.
    public var description: String?
    /// The author's name.
    public var author: String?
    /// The additional columns of a table.
    public var columns: OutputColumns = []

    /// Creates empty metadata.
    public init() {}

    /// Whether title, description and author are all missing.
    package var isEmpty: Bool { title == nil && description == nil && author == nil }
}

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
