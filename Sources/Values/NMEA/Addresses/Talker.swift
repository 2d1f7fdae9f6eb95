// SPDX-License-Identifier: MIT

/// The talker of a sentence: the first two letters of a standard address.
public struct Talker: RawRepresentable, Hashable, Sendable {
    /// The two letters, such as `GP`.
    public let rawValue: String

    /// Creates a talker from its letters, even if it is unknown.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Talker {
    /// The talker of a receiver that combines several constellations.
    public static let gnss = Talker(rawValue: "GN")
}
