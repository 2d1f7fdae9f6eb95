// SPDX-License-Identifier: MIT
import GNSS

/// The data rate of a receiver's messages on a serial line.
struct LineLoad {
    /// The average number of bytes per fix.
    var bytesPerFix: Double
    /// The number of fixes per second.
    var rate: Double

    /// The usable fraction of a line's capacity. It is less than 1, because the messages of a fix
    /// are sent in bursts.
    static let largestFraction = 0.8

    /// The baud rates that may be proposed.
    static let baudRates = [9600, 19200, 38400, 57600, 115_200, 230_400, 460_800, 921_600]

    /// Calculates the load. The values of `messages` are intervals in fixes. `factors` contains the
    /// results of ``factors(of:constellations:)``.
    init(
        messages: [String: Int], constellations: Int, rate: Double, factors: [String: Double] = [:]
    ) {
        bytesPerFix = messages.reduce(0) { sum, message in
            sum + Self.size(message.key, constellations: max(constellations, 1))
                * (factors[message.key] ?? 1) / Double(max(message.value, 1))
        }
        self.rate = rate
    }

    /// Returns the ratio of each measured message size to the estimate for this number of
    /// constellations, at least 1, by message name. For example, a receiver with two frequency
    /// bands sends two lists of satellites.
    static func factors(of sizes: [String: Int], constellations: Int) -> [String: Double] {
        sizes.reduce(into: [:]) { result, measured in
            let estimate = size(measured.key, constellations: max(constellations, 1))
            result[measured.key] = max(Double(measured.value) / estimate, 1)
        }
    }

    /// The load in bits per second, including a start and a stop bit for each byte.
    var bitsPerSecond: Double { bytesPerFix * rate * 10 }

    /// Returns the load as a fraction of the capacity of a line with this baud rate.
    func fraction(of baudRate: Int) -> Double { bitsPerSecond / Double(max(baudRate, 1)) }

    /// Returns whether a line with this baud rate can carry the load.
    func fits(_ baudRate: Int) -> Bool { fraction(of: baudRate) <= Self.largestFraction }

    /// Returns the calculation that shows why a line with this baud rate cannot carry the load.
    func calculation(for baudRate: Int) -> String {
        "\(Int(bytesPerFix.rounded())) bytes per fix × \(TOMLValue.number(rate).text) Hz × 10 bits = "
            + "\(Int(bitsPerSecond.rounded())) bit/s, more than "
            + "\(Int(Self.largestFraction * 100)) % of \(baudRate) baud"
    }

    /// Returns the lowest baud rate up to `limit` that can carry the load; `nil` if none can.
    func sufficientBaudRate(limit: Int) -> Int? {
        Self.baudRates.first { $0 <= limit && fits($0) }
    }

    /// Returns the size of a message in bytes, assuming twelve satellites in each constellation.
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
