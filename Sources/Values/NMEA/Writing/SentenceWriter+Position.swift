// SPDX-License-Identifier: MIT
public import GNSS

extension SentenceWriter {
    /// Writes the four fields of a position.
    public mutating func coordinate(_ coordinate: Coordinate?) {
        angle(coordinate?.latitude, width: 2, plus: UInt8(ascii: "N"), minus: UInt8(ascii: "S"))
        angle(coordinate?.longitude, width: 3, plus: UInt8(ascii: "E"), minus: UInt8(ascii: "W"))
    }

    /// An angle as whole degrees, whole minutes, and a fraction of a minute in units of the last
    /// decimal.
    private struct Minutes {
        let decimals: Int
        let degrees: Int
        let whole: Int
        let fraction: Int

        /// Splits an angle in degrees. It is rounded first, so that 59.999999 minutes become a
        /// degree instead of 60 minutes.
        init(_ size: Double, decimals: Int) {
            let unit = powerOfTen(decimals)
            let all = Int((size * 60 * Double(unit)).rounded())
            self.decimals = decimals
            degrees = all / (60 * unit)
            whole = all / unit % 60
            fraction = all % unit
        }

        /// The angle in degrees that results from reading the written field.
        var value: Double {
            let scale = Double(powerOfTen(decimals))
            return (Double(degrees * 60 + whole) * scale + Double(fraction)) / (60 * scale)
        }
    }

    private mutating func angle(_ degrees: Double?, width: Int, plus: UInt8, minus: UInt8) {
        guard let degrees, abs(degrees) <= 360 else { return skip(2) }
        let usual = SentenceDecimals.clamp(decimals.minutes)
        let size = abs(degrees)
        var minutes = Minutes(size, decimals: usual)
        for decimals in usual..<(isExact ? 10 : usual) {
            let candidate = Minutes(size, decimals: decimals)
            guard candidate.value == size else { continue }
            minutes = candidate
            break
        }
        append(UInt8(ascii: ","))
        append(integer: minutes.degrees, width: width)
        append(integer: minutes.whole, width: 2)
        if minutes.decimals > 0 {
            append(UInt8(ascii: "."))
            append(integer: minutes.fraction, width: minutes.decimals)
        }
        letter(degrees.sign == .minus ? minus : plus)
    }
}
