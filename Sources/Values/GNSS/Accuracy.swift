// SPDX-License-Identifier: MIT

/// The 68 % accuracies of a fix, and their source. Unknown values are `nil`.
public struct Accuracy: Hashable, Sendable {
    /// The data from which the horizontal accuracy was derived.
    public enum Source: String, Hashable, Sendable {
        /// The receiver's standard deviations, from GST or a UBX covariance.
        case standardDeviations
        /// The receiver's expected errors, from GBS.
        case expectedErrors
        /// An accuracy that the receiver reports in UBX or in a proprietary sentence.
        case receiver
        /// DOP multiplied by an assumed range error; see `RangeError`.
        case dilution
    }

    /// The radius of the circle that contains the true position with 68 % probability, in metres.
    public var horizontal: Double?

    /// Half the width of the interval that contains the true altitude with 68 % probability, in
    /// metres.
    public var vertical: Double?

    /// The radius of the sphere that contains the true position with 68 % probability, in metres;
    /// `nil` unless the UBX message NAV-SOL or a file reports it.
    package var spherical: Double?

    /// The one-sigma uncertainty of the speed, in metres per second.
    public var speed: Double?

    /// The one-sigma uncertainty of the course, in degrees.
    public var course: Double?

    /// The one-sigma uncertainty of the time, in seconds.
    public var time: Double?

    /// The source of the horizontal accuracy.
    public var source: Source?

    /// Creates an accuracy. Omitted values are unknown.
    public init(horizontal: Double? = nil, vertical: Double? = nil, source: Source? = nil) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.source = source
    }
}

extension StandardDeviation {
    /// Creates the deviations of a GST for a fix of which only the accuracy is known: the circle
    /// that they describe has the horizontal accuracy as its 68 % radius.
    package init(equivalentTo accuracy: Accuracy) {
        let axis = accuracy.horizontal.map { $0 / (Accuracy.planeFactor * 2.0.squareRoot()) }
        self.init(latitude: axis, longitude: axis, altitude: accuracy.vertical)
    }
}

/// The error model: calculates 68 % accuracies from standard deviations, and gpsd's 95 % values
/// from 68 % values. Errors are assumed to be normally distributed.
extension Accuracy {
    /// The ratio of the horizontal 68 % radius to the square root of the summed north and east
    /// variances. The exact ratio is between 1.0 and 1.0714, depending on the shape of the error
    /// ellipse.
    package static let planeFactor = 1.07
    /// The ratio of the horizontal 95 % radius to the square root of the summed north and east
    /// variances. It is 1.617 times `planeFactor`.
    package static let planeFactor95 = 1.73
    /// The ratio of the vertical 95 % accuracy to the 68 % accuracy, which is one sigma.
    package static let heightFactor95 = 1.96
    /// The ratio of the spherical 95 % radius to the square root of the three summed variances.
    private static let sphereFactor95 = 1.61
    /// The ratio of the spherical 68 % radius to the square root of the three summed variances.
    package static let spaceFactor = sphereFactor95 / sphereRatio
    /// The ratio of the spherical 95 % radius, 2.796 sigma, to the 68 % radius, 1.872 sigma.
    package static let sphereRatio = 2.796 / 1.872

    /// The radius of the circle that contains the true position with 95 % probability, in metres.
    package var horizontal95: Double? {
        horizontal.map { Self.planeFactor95 / Self.planeFactor * $0 }
    }

    /// Half the width of the interval that contains the true altitude with 95 % probability, in
    /// metres.
    package var vertical95: Double? { vertical.map { Self.heightFactor95 * $0 } }

    /// The radius of the sphere that contains the true position with 95 % probability, in metres.
    package var spherical95: Double? {
        if let spherical { return Self.sphereRatio * spherical }
        guard let horizontal, let vertical else { return nil }
        let plane = horizontal / Self.planeFactor
        return Self.sphereFactor95 * (plane * plane + vertical * vertical).squareRoot()
    }
}
