// SPDX-License-Identifier: MIT

/// The 68 % accuracies of a fix, and their source. Unknown values are `nil`.
public struct Accuracy: Hashable, Sendable, Codable {
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
    @Compact public var horizontal: Double?

    /// Half the width of the interval that contains the true altitude with 68 % probability, in
    /// metres.
    @Compact public var vertical: Double?

    /// The radius of the sphere that contains the true position with 68 % probability, in metres;
    /// `nil` unless the UBX message NAV-SOL or a file reports it.
    @Compact package var spherical: Double?

    /// The one-sigma uncertainty of the speed, in metres per second.
    @Compact public var speed: Double?

    /// The one-sigma uncertainty of the course, in degrees.
    @Compact public var course: Double?

    /// The one-sigma uncertainty of the time, in seconds.
    @Compact public var time: Double?

    /// The source of the horizontal accuracy.
    public var source: Source?

    @usableFromInline
    package init() {}

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

/// A symmetric covariance matrix of the errors in the directions north, east and down.
///
/// The square roots of the diagonal are the standard deviations. The unit is m² for a position and
/// m²/s² for a velocity.
public struct Covariance: Hashable, Sendable {
    /// The variance of the north component.
    public var northNorth: Float
    /// The covariance of the north and east components.
    public var northEast: Float
    /// The covariance of the north and down components.
    public var northDown: Float
    /// The variance of the east component.
    public var eastEast: Float
    /// The covariance of the east and down components.
    public var eastDown: Float
    /// The variance of the down component.
    public var downDown: Float

    /// Creates a matrix. Returns `nil` if a number is not finite or a variance is negative.
    package init?(
        northNorth: Float, northEast: Float, northDown: Float, eastEast: Float, eastDown: Float,
        downDown: Float
    ) {
        self.northNorth = northNorth
        self.northEast = northEast
        self.northDown = northDown
        self.eastEast = eastEast
        self.eastDown = eastDown
        self.downDown = downDown
        guard rows.allSatisfy(\.isFinite), northNorth >= 0, eastEast >= 0, downDown >= 0 else {
            return nil
        }
    }

    /// The upper triangle, row by row: NN, NE, ND, EE, ED, DD.
    package var rows: [Float] {
        [northNorth, northEast, northDown, eastEast, eastDown, downDown]
    }

    /// Creates a matrix from its upper triangle, row by row. Returns `nil` unless there are six
    /// valid numbers.
    package init?(rows: [Float]) {
        guard rows.count == 6 else { return nil }
        self.init(
            northNorth: rows[0], northEast: rows[1], northDown: rows[2], eastEast: rows[3],
            eastDown: rows[4], downDown: rows[5])
    }
}

/// The factors by which the satellite geometry multiplies a range error. They are unitless; smaller
/// is better.
public struct DilutionOfPrecision: Hashable, Sendable, Codable {
    /// The horizontal dilution of precision.
    @Compact public var hdop: Double?

    /// The vertical dilution of precision.
    @Compact public var vdop: Double?

    /// The three-dimensional position dilution of precision.
    @Compact public var pdop: Double?

    @usableFromInline
    package init() {}

    /// Creates DOP values. Omitted values are unknown.
    public init(hdop: Double? = nil, vdop: Double? = nil, pdop: Double? = nil) {
        self.hdop = hdop
        self.vdop = vdop
        self.pdop = pdop
    }
}

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

    package init(horizontal: Float, vertical: Float, risk: Float) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.risk = risk
    }
}

/// The assumed one-sigma range errors, in metres, for a receiver that reports only DOPs. The
/// accuracy is the DOP multiplied by the range error.
///
/// The defaults are for an open sky and a current receiver; you can set better values. Dead
/// reckoning and manual positions have no range error, so no accuracy is derived for them.
package struct RangeError: Hashable, Sendable {
    /// The range error without corrections. It is also used for precise (PPS) and simulated
    /// positions.
    package var autonomous = 5.0
    /// The range error with corrections, including SBAS.
    package var differential = 2.0
    /// The range error for RTK with floating ambiguities.
    private var rtkFloat = 0.5
    /// The range error for RTK with fixed ambiguities.
    private var rtkFixed = 0.02

    /// Creates the default assumptions.
    package init() {}

    /// Returns the range error for a quality in metres; `nil` for dead reckoning, manual positions
    /// and no fix.
    package func assumed(for quality: FixQuality) -> Double? {
        switch quality {
        case .autonomous, .precise, .simulated: autonomous
        case .differential: differential
        case .rtkFloat: rtkFloat
        case .rtkFixed: rtkFixed
        case .invalid, .estimated, .manual: nil
        }
    }
}

/// The one-sigma errors that a receiver reports, in metres (GST).
public struct StandardDeviation: Hashable, Sendable, Codable {
    /// The error of the latitude.
    @Compact public var latitude: Double?

    /// The error of the longitude.
    @Compact public var longitude: Double?

    /// The error of the altitude.
    @Compact public var altitude: Double?

    /// The error along the major axis of the error ellipse.
    @Compact public var semiMajor: Double?

    /// The error along the minor axis of the error ellipse.
    @Compact public var semiMinor: Double?

    /// The direction of the major axis of the error ellipse, in degrees from true north.
    @Compact public var orientation: Double?

    /// The root mean square error of the ranges used in the solution.
    @Compact public var range: Double?

    @usableFromInline
    package init() {}

    /// Creates standard deviations. Omitted values are unknown.
    public init(
        latitude: Double? = nil, longitude: Double? = nil, altitude: Double? = nil,
        semiMajor: Double? = nil, semiMinor: Double? = nil, orientation: Double? = nil,
        range: Double? = nil
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.semiMajor = semiMajor
        self.semiMinor = semiMinor
        self.orientation = orientation
        self.range = range
    }

    /// The square root of the summed variances of latitude and longitude, in metres. If either is
    /// missing, the two axes of the error ellipse are used. `nil` if both pairs are incomplete.
    public var horizontal: Double? {
        if let latitude, let longitude {
            return (latitude * latitude + longitude * longitude).squareRoot()
        }
        if let semiMajor, let semiMinor {
            return (semiMajor * semiMajor + semiMinor * semiMinor).squareRoot()
        }
        return nil
    }
}
