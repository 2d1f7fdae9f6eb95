// SPDX-License-Identifier: MIT

/// The talker: the first two letters of a standard sentence's address.
public struct Talker: RawRepresentable, Hashable, Sendable {
    /// Two characters, such as `GP`.
    public let rawValue: String

    /// Creates a talker from its letters, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Talker {
    /// Several constellations combined.
    public static let gnss = Talker(rawValue: "GN")
}
