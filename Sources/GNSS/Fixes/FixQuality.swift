// SPDX-License-Identifier: MIT

/// The source of a fix; GGA field 6 and the mode letter of other sentences.
public enum FixQuality: UInt8, CaseIterable, Hashable, Sendable {
    /// No fix (GGA 0, mode `N`).
    case invalid = 0
    /// Satellites alone (1, `A`).
    case autonomous = 1
    /// With corrections, SBAS included (2, `D`).
    case differential = 2
    /// Precise positioning service (3, `P`).
    case precise = 3
    /// Real-time kinematic, ambiguities fixed: centimetres (4, `R`).
    case rtkFixed = 4
    /// Real-time kinematic, ambiguities floating: decimetres (5, `F`).
    case rtkFloat = 5
    /// Dead reckoning (6, `E`).
    case estimated = 6
    /// A surveyed position typed in (7, `M`).
    case manual = 7
    /// A simulator (8, `S`).
    case simulated = 8

    /// The order in which qualities reported in one epoch are preferred; the highest is used.
    /// Simulated is highest, because a simulator's proprietary sentences have no code for it.
    package var rank: Int {
        switch self {
        case .invalid: 0
        case .manual: 1
        case .estimated: 2
        case .autonomous: 3
        case .precise: 4
        case .differential: 5
        case .rtkFloat: 6
        case .rtkFixed: 7
        case .simulated: 8
        }
    }
}
