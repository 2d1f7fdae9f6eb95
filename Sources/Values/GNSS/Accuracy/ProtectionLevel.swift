// SPDX-License-Identifier: MIT

/// Bounds for the position error that a receiver guarantees. The error exceeds them only with a
/// stated probability (`risk`). If the receiver cannot guarantee the bounds, it reports this.
///
/// A protection level is not an accuracy: it also holds when there are faults, such as a wrong
/// satellite clock. Use it only for comparison with the largest error that you can accept (the
/// alert limit).
public struct ProtectionLevel: Hashable, Sendable, Codable {
    /// The horizontal bound in metres. If the receiver reports bounds along two axes, it is the
    /// square root of the sum of their squares; if it reports an ellipse, the larger axis.
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
