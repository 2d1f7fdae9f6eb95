// SPDX-License-Identifier: MIT

/// The description of a whole file, for formats that have one.
public struct OutputMetadata: Hashable, Sendable {
    /// The title.
    public var title: String?
    /// What it contains.
    public var description: String?
    /// The author's name.
    public var author: String?

    /// Creates a description without content.
    public init() {}

    /// Whether there is nothing to write.
    var isEmpty: Bool { self == OutputMetadata() }
}
