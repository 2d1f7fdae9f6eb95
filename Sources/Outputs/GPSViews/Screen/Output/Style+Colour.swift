// SPDX-License-Identifier: MIT

extension Style.Role {
    /// Returns the colour number on a terminal with `count` colours; `nil` for the terminal's
    /// default colour, and if there are fewer than eight colours.
    ///
    /// The background may be light or dark. With 256 colours, all have a contrast of at least 3.5
    /// to both black and white.
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

    /// The grey of labels and axes on a terminal with 256 colours, midway between black and white.
    package static let dimColour = 243
}
