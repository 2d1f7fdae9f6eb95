// SPDX-License-Identifier: MIT

/// The error bounds that a receiver guarantees, except with a stated probability (`risk`). If it
/// cannot guarantee them, it warns.
///
/// A protection level is not an accuracy: it also holds when there are faults, such as a wrong
/// satellite clock. Use it only to check whether the error stays below the largest one that you can
/// accept.
public struct ProtectionLevel: Hashable, Sendable, Codable {
    /// The horizontal bound in metres. If the receiver reports two axes separately, the larger one.
    public var horizontal: Float

    /// The vertical bound in metres.
    public var vertical: Float

    /// The probability that the error exceeds the bound, for each epoch and axis.
    public var risk: Float

    /// Creates a protection level.
    public init(horizontal: Float, vertical: Float, risk: Float) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.risk = risk
    }
}
