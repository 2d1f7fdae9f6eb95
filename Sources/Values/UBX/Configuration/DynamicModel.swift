// SPDX-License-Identifier: MIT

/// The kind of motion that a receiver is configured to expect (u-blox's dynamic platform model).
public enum DynamicModel: UInt8, CaseIterable, Sendable {
    /// Any motion with low acceleration.
    case portable = 0
    /// No motion.
    case stationary = 2
    /// A pedestrian.
    case pedestrian = 3
    /// A car.
    case automotive = 4
    /// A ship, at sea level.
    case sea = 5
    /// An aircraft with an acceleration of less than 1 g.
    case airborne1g = 6
    /// An aircraft with an acceleration of less than 2 g.
    case airborne2g = 7
    /// An aircraft with an acceleration of less than 4 g.
    case airborne4g = 8
    /// A watch worn on the wrist.
    case wrist = 9
    /// A motorbike.
    case motorbike = 10
    /// A lawn mower.
    case mower = 11
    /// An electric scooter.
    case scooter = 12
    /// A train.
    case rail = 13
}
