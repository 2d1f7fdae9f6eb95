// SPDX-License-Identifier: MIT
import GNSS

/// The colours of plots.
enum Palette {
    static let paper = Color(0xF3F5F8)
    static let card = Color(0xFFFFFF)
    static let edge = Color(0xD3DAE4)
    static let grid = Color(0xE6EAF0)
    static let axis = Color(0xAAB4C2)
    static let ink = Color(0x1B2430)
    static let muted = Color(0x5D6B7E)
    static let accent = Color(0x1D5FC4)
    static let start = Color(0x15803D)
    static let end = Color(0xB42318)
    static let simulated = Color(0xB3261E)
    static let replayed = Color(0x8A5300)

    /// The gradient for speeds, from slow to fast.
    static let speed = Gradient([0x2C3E91, 0x1F9BB4, 0x4FAE4E, 0xEE9F1B, 0xD62F20])
    /// The gradient for C/N0, from weak to strong.
    static let signal = Gradient([0xFBEFD0, 0xCFE8B5, 0x86CFB0, 0x55A9C4])

    static func color(_ constellation: Constellation) -> Color {
        switch constellation {
        case .gps: Color(0x17692F)
        case .sbas: Color(0x7C3AED)
        case .galileo: Color(0x1D4ED8)
        case .beiDou: Color(0x9A6700)
        case .qzss: Color(0x0B7A85)
        case .glonass: Color(0xC2340C)
        case .navIC: Color(0xBE185D)
        }
    }

    static func color(_ quality: FixQuality) -> Color {
        switch quality {
        case .invalid: Color(0x98A2B3)
        case .autonomous: Color(0x1D5FC4)
        case .differential: Color(0x15803D)
        case .precise: Color(0x0B7A85)
        case .rtkFixed: Color(0x6D28D9)
        case .rtkFloat: Color(0xB7860B)
        case .estimated: Color(0xD9480F)
        case .manual: Color(0x6B7280)
        case .simulated: Color(0xC02668)
        }
    }
}

/// A colour gradient.
struct Gradient: Sendable {
    private let colors: [Color]

    init(_ codes: [UInt32]) {
        colors = codes.map { Color($0) }
    }

    /// Returns the colour at a position from 0 (start) to 1 (end).
    func color(at fraction: Double) -> Color {
        let position = (fraction.isNaN ? 0 : max(0, min(1, fraction))) * Double(colors.count - 1)
        let index = max(0, min(colors.count - 2, Int(position)))
        return colors[index].mixed(with: colors[index + 1], position - Double(index))
    }
}
