// SPDX-License-Identifier: MIT

/// The errors that a receiver vouches not to exceed without a warning, except with a stated risk.
///
/// It is no accuracy: it holds for faults too, and serves only in comparison with the largest
/// error that you can accept.
public struct ProtectionLevel: Hashable, Sendable, Codable {
    /// Metres in the plane: the larger one of two axes, where the receiver reports them separately.
    public var horizontal: Float

    /// Metres in height.
    public var vertical: Float

    /// The probability, for each epoch and each axis, that the error is larger.
    public var risk: Float

    /// Creates a protection level.
    public init(horizontal: Float, vertical: Float, risk: Float) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.risk = risk
    }
}
