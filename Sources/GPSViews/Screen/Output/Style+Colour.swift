// SPDX-License-Identifier: MIT

extension Style.Role {
    /// The colour's number on a terminal that has so many; `nil` for the terminal's own colour, and
    /// where there are fewer than eight.
    ///
    /// A program does not learn whether a terminal is light or dark. With 256 colours all have a
    /// contrast of 3.5 or more with black as well as with white.
    package func colour(of count: Int) -> Int? {
        guard count >= 8 else { return nil }
        let isRich = count >= 256
        return switch self {
        case .plain: nil
        case .good: isRich ? 28 : 2
        case .fair: isRich ? 130 : 3
        case .poor: isRich ? 160 : 1
        case .accent: isRich ? 31 : 6
        case .gps: isRich ? 28 : 2
        case .glonass: isRich ? 166 : 1
        case .galileo: isRich ? 27 : 4
        case .beiDou: isRich ? 100 : 3
        case .sbas: isRich ? 97 : 5
        case .qzss: isRich ? 30 : 6
        case .navIC: isRich ? 162 : 5
        }
    }

    /// Grey for labels and axes, of 256 colours: in the middle between black and white.
    package static let dimColour = 243
}
