// SPDX-License-Identifier: MIT

/// The motion that a receiver expects.
public enum DynamicModel: UInt8, CaseIterable, Sendable {
    /// Anything with little acceleration.
    case portable = 0
    /// No motion.
    case stationary = 2
    /// A walk.
    case pedestrian = 3
    /// A car.
    case automotive = 4
    /// A ship, at sea level.
    case sea = 5
    /// An aircraft with less than 1 g.
    case airborne1g = 6
    /// An aircraft with less than 2 g.
    case airborne2g = 7
    /// An aircraft with less than 4 g.
    case airborne4g = 8
    /// A watch.
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
