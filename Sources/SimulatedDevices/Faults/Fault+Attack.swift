// SPDX-License-Identifier: MIT

extension Fault.Kind {
    /// The keyword of an attack on the signals; `nil` for a fault of the receiver or the line.
    var attackName: String? {
        switch self {
        case .jamming: "jam"
        case .spoofing: "spoof"
        case .passingJammer: "passing-jammer"
        case .equalPower: "equal-power"
        case .dragOff(_, _, let isCareful): isCareful ? "careful-drag" : "drag-off"
        case .timeWalk: "time-walk"
        case .meaconing: "meacon"
        default: nil
        }
    }

    /// Whether all numbers of an attack are finite. An attack with other numbers has no effect.
    var isFiniteAttack: Bool {
        switch self {
        case .passingJammer(let value), .timeWalk(let value): value.isFinite
        case .equalPower(let north, let east), .dragOff(let north, let east, _),
            .meaconing(let north, let east):
            north.isFinite && east.isFinite
        default: true
        }
    }
}
