// SPDX-License-Identifier: MIT
import GNSS

extension FixQuality {
    /// The quality that a mode indicator of NMEA 2.3 and later stands for.
    ///
    /// `nil` for an unknown letter: some receivers send letters of their own.
    init?(modeLetter: UInt8?) {
        switch modeLetter {
        case UInt8(ascii: "N"): self = .invalid
        case UInt8(ascii: "A"): self = .autonomous
        case UInt8(ascii: "D"): self = .differential
        case UInt8(ascii: "P"): self = .precise
        case UInt8(ascii: "R"): self = .rtkFixed
        case UInt8(ascii: "F"): self = .rtkFloat
        case UInt8(ascii: "E"): self = .estimated
        case UInt8(ascii: "M"): self = .manual
        case UInt8(ascii: "S"): self = .simulated
        default: return nil
        }
    }

    /// The letter that stands for the quality.
    var modeLetter: UInt8 {
        switch self {
        case .invalid: UInt8(ascii: "N")
        case .autonomous: UInt8(ascii: "A")
        case .differential: UInt8(ascii: "D")
        case .precise: UInt8(ascii: "P")
        case .rtkFixed: UInt8(ascii: "R")
        case .rtkFloat: UInt8(ascii: "F")
        case .estimated: UInt8(ascii: "E")
        case .manual: UInt8(ascii: "M")
        case .simulated: UInt8(ascii: "S")
        }
    }
}
