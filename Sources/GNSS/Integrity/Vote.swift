// SPDX-License-Identifier: MIT

/// The result of comparing the positions of several receivers at one instant.
///
/// The fix that carries it is that of the winner, unchanged. See `docs/integrity.md`.
public struct Vote: Hashable, Sendable, Codable {
    /// The relation of the receivers' positions.
    public enum State: String, CaseIterable, Hashable, Sendable, Codable {
        /// At least two receivers agree, and they outnumber all others that agree with each other.
        case agreed
        /// One receiver alone has a vote: nothing confirms it.
        case single
        /// Receivers disagree, and no group of them outnumbers the others.
        case disputed
        /// No receiver has a position.
        case noPosition = "none"
    }

    /// The relation of the receivers' positions.
    public var state: State

    /// The name of the receiver whose fix was passed on; `nil` without a position.
    public var winner: String?

    /// The names of the other receivers that agree with it.
    public var witnesses: [String]

    /// The names of the receivers with a position that disagrees with it.
    public var disagreeing: [String]

    /// Radius in metres of the circle around the winner's position that holds the true position with
    /// 68 % probability; `nil` if receivers disagree, or the winner reports no accuracy.
    public var radius: Double?

    /// Creates a result.
    public init(
        state: State, winner: String? = nil, witnesses: [String] = [], disagreeing: [String] = [],
        radius: Double? = nil
    ) {
        self.state = state
        self.winner = winner
        self.witnesses = witnesses
        self.disagreeing = disagreeing
        self.radius = radius
    }
}
