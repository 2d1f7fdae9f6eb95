// SPDX-License-Identifier: MIT
import GNSS

/// Whether a serial line carries the messages of a receiver.
struct LineLoad {
    /// The bytes of each fix on average.
    var bytesPerFix: Double
    /// Fixes per second.
    var rate: Double

    /// The share of a line that may be used: the messages of a fix come in bursts.
    static let largestShare = 0.8

    /// The rates of lines that are proposed.
    static let baudRates = [9600, 19200, 38400, 57600, 115_200, 230_400, 460_800, 921_600]

    /// The load of messages, by the number of fixes per message.
    init(messages: [String: Int], constellations: Int, rate: Double) {
        bytesPerFix = messages.reduce(0) { sum, message in
            sum + Self.size(message.key, constellations: max(constellations, 1))
                / Double(max(message.value, 1))
        }
        self.rate = rate
    }

    /// Bits per second, with a start and a stop bit for each byte.
    var bitsPerSecond: Double { bytesPerFix * rate * 10 }

    /// Whether a line of a rate carries it.
    func fits(_ baudRate: Int) -> Bool { bitsPerSecond <= Double(baudRate) * Self.largestShare }

    /// The lowest rate that carries it, up to a limit.
    func sufficientBaudRate(limit: Int) -> Int? {
        Self.baudRates.first { $0 <= limit && fits($0) }
    }

    /// The bytes of a message with twelve satellites in each constellation.
    private static func size(_ name: String, constellations: Int) -> Double {
        let satellites = Double(constellations) * 12
        return switch name {
        case "RMC": 75
        case "GGA", "GNS": 82
        case "GLL": 50
        case "VTG", "ZDA": 40
        case "GSA": 66 * Double(constellations)
        case "GSV": 70 * satellites / 4
        case "GST", "GBS", "DTM": 60
        case "GRS": 66 * Double(constellations)
        case "NAV-PVT": 100
        case "NAV-SAT", "NAV-SVINFO": 16 + 12 * satellites
        case "NAV-SIG": 16 + 16 * satellites * 1.5
        case "NAV-DOP": 26
        case "NAV-EOE": 12
        case "NAV-COV", "NAV-RELPOSNED": 72
        case "RXM-RAWX": 24 + 32 * satellites * 1.5
        case "RXM-SFRBX": 50 * satellites / 6
        case "MON-SPAN": 284
        case "MON-COMMS": 168
        default: 60
        }
    }
}
