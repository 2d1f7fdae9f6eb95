// SPDX-License-Identifier: MIT

extension Style.Role {
    /// The colour's number on a terminal that has so many; `nil` for the terminal's own, and where there
    /// are fewer than eight.
    package func colour(of count: Int) -> Int? {
        guard count >= 8 else { return nil }
        let isRich = count >= 256
        return switch self {
        case .plain: nil
        case .good: isRich ? 41 : 2
        case .fair: isRich ? 220 : 3
        case .poor: isRich ? 203 : 1
        case .accent: isRich ? 80 : 6
        case .gps: isRich ? 41 : 2
        case .glonass: isRich ? 209 : 1
        case .galileo: isRich ? 75 : 4
        case .beiDou: isRich ? 220 : 3
        case .sbas: isRich ? 141 : 5
        case .qzss: isRich ? 80 : 6
        case .navIC: isRich ? 217 : 7
        }
    }
}
