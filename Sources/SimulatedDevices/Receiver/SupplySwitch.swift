// SPDX-License-Identifier: MIT
import Synchronization

/// A switch in the supply of a simulated receiver, for tests that cut the power at a certain step.
///
/// ```swift
/// let supply = SupplySwitch()
/// configuration.supply = supply
/// supply.cut()          // values that were not saved are lost
/// supply.restore()
/// ```
///
/// The receiver notices it within 50 ms, or with the next step of a stepped clock. The fault
/// `power-off` does the same at a set time.
public final class SupplySwitch: Sendable {
    /// The state of the supply.
    enum State: Hashable, Sendable {
        case on
        case off(keepsBattery: Bool)
    }

    private let value = Mutex(State.on)

    /// Creates a switch that is on.
    public init() {}

    /// Cuts the power; without a backup battery also values saved in its memory are lost.
    public func cut(keepsBattery: Bool = true) {
        value.withLock { $0 = .off(keepsBattery: keepsBattery) }
    }

    /// Restores the power.
    public func restore() { value.withLock { $0 = .on } }

    var state: State { value.withLock { $0 } }
}
