// SPDX-License-Identifier: MIT

/// A motion: a pure function of time, which may be asked in any order.
public protocol Trajectory: Sendable {
    /// The state that many seconds after the start; at rest where it ends, once it has ended.
    func state(after seconds: Double) -> TrueState

    /// Seconds until it ends; `nil` if it never does.
    var duration: Double? { get }
}
