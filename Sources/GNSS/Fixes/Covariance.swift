// SPDX-License-Identifier: MIT

/// A symmetric matrix of the expected errors to the north, to the east and downwards.
///
/// The diagonal has the variances: their roots are the standard deviations. Square metres for a
/// position, square metres per square second for a velocity.
public struct Covariance: Hashable, Sendable {
    /// The variance to the north.
    public var northNorth: Float
    /// The covariance of north and east.
    public var northEast: Float
    /// The covariance of north and down.
    public var northDown: Float
    /// The variance to the east.
    public var eastEast: Float
    /// The covariance of east and down.
    public var eastDown: Float
    /// The variance downwards.
    public var downDown: Float

    /// Creates a matrix; `nil` if a number is not finite or a variance is negative.
    public init?(
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

    /// Creates a matrix from its upper triangle, row by row; `nil` unless there are six valid numbers.
    package init?(rows: [Float]) {
        guard rows.count == 6 else { return nil }
        self.init(
            northNorth: rows[0], northEast: rows[1], northDown: rows[2], eastEast: rows[3],
            eastDown: rows[4], downDown: rows[5])
    }
}
