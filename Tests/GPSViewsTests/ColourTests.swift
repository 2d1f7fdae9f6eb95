// SPDX-License-Identifier: MIT
import GPSTestTraits
import GPSViews
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct ColourTests {
    /// The luminance of one of 256 colours: 6 × 6 × 6 and 24 greys.
    private func luminance(_ colour: Int) -> Double {
        func linear(_ level: Int) -> Double {
            let share = Double(level) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        guard colour < 232 else { return linear(8 + 10 * (colour - 232)) }
        let levels = [0, 95, 135, 175, 215, 255]
        let index = colour - 16
        return 0.2126 * linear(levels[index / 36]) + 0.7152 * linear(levels[index / 6 % 6])
            + 0.0722 * linear(levels[index % 6])
    }

    @Test func `colours are readable on black and on white`() {
        let colours = Style.Role.allCases.compactMap { $0.colour(of: 256) } + [Style.Role.dimColour]
        #expect(colours.count == Style.Role.allCases.count)
        for colour in colours {
            let luminance = luminance(colour)
            #expect(1.05 / (luminance + 0.05) >= 3.5, "\(colour) on white")
            #expect((luminance + 0.05) / 0.05 >= 3.5, "\(colour) on black")
        }
    }

    @Test func `constellations have different colours`() {
        let roles: [Style.Role] = [.gps, .glonass, .galileo, .beiDou, .sbas, .qzss, .navIC]
        #expect(Set(roles.compactMap { $0.colour(of: 256) }).count == roles.count)
    }
}
