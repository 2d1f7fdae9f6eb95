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
