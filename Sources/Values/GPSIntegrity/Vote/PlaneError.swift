// SPDX-License-Identifier: MIT
import GNSS

/// The expected horizontal error of a position: a symmetric covariance matrix in square metres.
struct PlaneError {
    /// The ratio of the 68 % radius to one sigma for a circular error.
    private static let roundFactor = 1.5096
    /// The 68 % radius divided by the larger sigma. Element `n` is for a smaller sigma of `n`
    /// tenths of the larger one.
    private static let factors = [
        0.9945, 0.9995, 1.0152, 1.0438, 1.0889, 1.1481, 1.2152, 1.2865, 1.3599, 1.4344, 1.5096,
    ]

    var northNorth: Double
    var northEast: Double
    var eastEast: Double

    private init(northNorth: Double, northEast: Double, eastEast: Double) {
        (self.northNorth, self.northEast, self.eastEast) = (northNorth, northEast, eastEast)
    }

    /// Creates a circular error from the variance of each axis, in square metres.
    init(variance: Double) {
        self.init(northNorth: variance, northEast: 0, eastEast: variance)
    }

    /// Creates the error of a fix from the first of these that it has: covariance, standard
    /// deviations, horizontal accuracy. Returns `nil` if it has none of these.
    init?(of fix: Fix) {
        if let covariance = fix.covariance {
            let (north, east) = (Double(covariance.northNorth), Double(covariance.eastEast))
            let both = Double(covariance.northEast)
            // Because of rounding or an error in the receiver, the determinant may not be positive.
            // Then the matrix is not a valid covariance.
            if north * east > both * both {
                self.init(northNorth: north, northEast: both, eastEast: east)
                return
            }
        } else if let north = fix.standardDeviation.latitude,
            let east = fix.standardDeviation.longitude, north > 0, east > 0
        {
            self.init(northNorth: north * north, northEast: 0, eastEast: east * east)
            return
        }
        guard let accuracy = fix.accuracy.horizontal, accuracy > 0, accuracy.isFinite else {
            return nil
        }
        let sigma = accuracy / Self.roundFactor
        self.init(variance: sigma * sigma)
    }

    /// The sum of both variances, in square metres.
    var total: Double { northNorth + eastEast }

    /// The radius of the circle that contains the true position with 68 % probability, in metres.
    var radius: Double {
        let half = total / 2
        let difference = (northNorth - eastEast) / 2
        let root = (difference * difference + northEast * northEast).squareRoot()
        let (larger, smaller) = (half + root, max(0, half - root))
        guard larger > 0 else { return 0 }
        let position = (smaller / larger).squareRoot() * 10
        let index = min(9, Int(position))
        let (low, high) = (Self.factors[index], Self.factors[index + 1])
        return larger.squareRoot() * (low + (high - low) * (position - Double(index)))
    }

    /// Adds a variance in square metres to each axis.
    mutating func grow(by variance: Double) {
        northNorth += variance
        eastEast += variance
    }

    /// Returns the error of the difference between two positions with independent errors.
    static func + (a: PlaneError, b: PlaneError) -> PlaneError {
        var sum = a
        sum.northNorth += b.northNorth
        sum.northEast += b.northEast
        sum.eastEast += b.eastEast
        return sum
    }

    /// Returns the length of a displacement in standard deviations of this error (Mahalanobis
    /// distance).
    func deviations(of way: LocalPlane.Point) -> Double {
        let determinant = northNorth * eastEast - northEast * northEast
        guard determinant > 0 else { return .infinity }
        let square =
            (eastEast * way.north * way.north - 2 * northEast * way.north * way.east
                + northNorth * way.east * way.east) / determinant
        return max(0, square).squareRoot()
    }
}
