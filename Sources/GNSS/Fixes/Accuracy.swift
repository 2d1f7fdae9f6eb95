// SPDX-License-Identifier: MIT

/// The accuracy of a fix with 68 % probability, and its source.
public struct Accuracy: Hashable, Sendable {
    /// The data that an accuracy was derived from.
    public enum Source: String, Hashable, Sendable {
        /// The receiver's own standard deviations: GST, or a UBX covariance.
        case standardDeviations
        /// GBS: the receiver's expected errors.
        case expectedErrors
        /// An accuracy that the receiver states: in UBX, or in a proprietary sentence.
        case receiver
        /// DOP times an assumed range error; see `RangeError`.
        case dilution
    }

    /// Radius in metres of the circle that holds the true position with 68 % probability.
    public var horizontal: Double?

    /// Half the width in metres of the interval that holds the true altitude with 68 % probability.
    public var vertical: Double?

    /// Radius in metres of the sphere that contains the true position with 68 % probability. Files
    /// may have it; receivers do not send it.
    package var spherical: Double?

    /// Metres per second by which the speed is uncertain, one sigma.
    public var speed: Double?

    /// Degrees by which the course is uncertain, one sigma.
    public var course: Double?

    /// Seconds by which the time is uncertain, one sigma.
    public var time: Double?

    /// The source of the horizontal accuracy.
    public var source: Source?

    /// Creates an accuracy; unknown values are omitted.
    public init(horizontal: Double? = nil, vertical: Double? = nil, source: Source? = nil) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.source = source
    }

}

/// The error model: accuracies derived from standard deviations, and gpsd's 95 % values from 68 %
/// values, for normally distributed errors.
extension Accuracy {
    /// The 68 % radius over the root of the summed variances: 1.0 to 1.0714 by the ellipse's shape.
    package static let planeFactor = 1.07
    /// The same of 95 %; the 68 % radius becomes it by 1.617.
    package static let planeFactor95 = 1.73
    /// Of an interval, whose half-width at 68 % is one sigma.
    package static let heightFactor95 = 1.96
    /// Of a sphere.
    package static let sphereFactor95 = 1.61
    /// The 68 % radius of a sphere over the root of the summed variances.
    package static let spaceFactor = sphereFactor95 / sphereRatio
    /// From 68 % to 95 % of a sphere: the radii have to each other 1.872 and 2.796 sigma.
    package static let sphereRatio = 2.796 / 1.872

    /// Radius in metres of the circle that holds the true position with 95 % probability.
    package var horizontal95: Double? {
        horizontal.map { Self.planeFactor95 / Self.planeFactor * $0 }
    }

    /// Half the width in metres of the interval that holds the true altitude with 95 % probability.
    package var vertical95: Double? { vertical.map { Self.heightFactor95 * $0 } }

    /// Radius in metres of the sphere that holds the true position with 95 % probability.
    package var spherical95: Double? {
        if let spherical { return Self.sphereRatio * spherical }
        guard let horizontal, let vertical else { return nil }
        let plane = horizontal / Self.planeFactor
        return Self.sphereFactor95 * (plane * plane + vertical * vertical).squareRoot()
    }
}
