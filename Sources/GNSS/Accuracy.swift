// SPDX-License-Identifier: MIT

/// How far a fix may be off, with 68 % probability, and how that is known.
public struct Accuracy: Hashable, Sendable {
    /// What an accuracy was derived from.
    public enum Source: String, Hashable, Sendable {
        /// GST: the receiver's own standard deviations.
        case standardDeviations
        /// GBS: the receiver's expected errors.
        case expectedErrors
        /// A proprietary sentence that names an accuracy.
        case receiver
        /// DOP times an assumed range error; see `RangeError`.
        case dilution
    }

    /// Radius in metres of the circle that holds the true position with 68 % probability.
    public var horizontal: Double?

    /// Half the width in metres of the interval that holds the true altitude with 68 % probability.
    public var vertical: Double?

    /// Radius in metres of the sphere that holds the true position with 68 % probability, where a
    /// file has it; receivers send none.
    package var spherical: Double?

    /// Where the horizontal figure comes from.
    public var source: Source?

    /// Creates an accuracy; what is not known is left out.
    public init(horizontal: Double? = nil, vertical: Double? = nil, source: Source? = nil) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.source = source
    }

    /// The 68 % radius over the root of the summed variances: 1.0 to 1.0714 by the ellipse's shape.
    package static let planeFactor = 1.07
}
