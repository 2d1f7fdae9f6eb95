// SPDX-License-Identifier: MIT

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

    /// Creates a matrix from its upper triangle, row by row. Returns `nil` unless there are six
    /// valid numbers.
    package init?(rows: [Float]) {
        guard rows.count == 6 else { return nil }
        self.init(
            northNorth: rows[0], northEast: rows[1], northDown: rows[2], eastEast: rows[3],
            eastDown: rows[4], downDown: rows[5])
    }
}
