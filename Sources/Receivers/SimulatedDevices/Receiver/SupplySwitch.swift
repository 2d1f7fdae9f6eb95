// SPDX-License-Identifier: MIT
import Synchronization

/// A switch in the power supply of a simulated receiver, for tests that cut the power at a certain
/// point.
///
/// ```swift
/// let supply = SupplySwitch()
/// configuration.supply = supply
/// supply.cut()          // values that were not saved are lost
/// supply.restore()
/// ```
///
/// The switch takes effect at the next epoch. The fault `power-off` does the same at a set time.
public final class SupplySwitch: Sendable {
    /// The state of the supply.
    enum State: Hashable, Sendable {
        case on
        case off(keepsBattery: Bool)
    }

    private let value = Mutex(State.on)

    /// Creates a switch that is on.
    public init() {}

    /// Cuts the power. If `keepsBattery` is `false`, the content of the battery-backed memory is
    /// lost too.
    public func cut(keepsBattery: Bool = true) {
        value.withLock { $0 = .off(keepsBattery: keepsBattery) }
    }

    /// Restores the power.
    public func restore() { value.withLock { $0 = .on } }

    var state: State { value.withLock { $0 } }
}
