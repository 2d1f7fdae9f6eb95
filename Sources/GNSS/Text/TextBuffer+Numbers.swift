// SPDX-License-Identifier: MIT

// Numbers become text here and nowhere else.
extension TextBuffer {
    /// Appends a whole number, padded with zeros to `width` digits, 20 at the most.
    package mutating func append(integer value: Int, width: Int = 1) {
        append(atMost: 24) { room, start in
            if width == 1, let small = SmallNumbers.all[value] {
                room.storeBytes(of: small.characters, toByteOffset: start, as: UInt64.self)
                return start &+ small.count
            }
            var end = start
            if value < 0 { Self.put("-", in: &room, &end) }
            Self.put(UInt64(value.magnitude), min(20, width), in: &room, &end)
            return end
        }
    }

    /// Appends a number with that many decimals (0 to 18), rounded half away from zero, and at least
    /// `width` digits before the point, 20 at the most. Zero has no sign; a number with more than 18
    /// digits is left out, and so are infinity and NaN.
    package mutating func append(fixed value: Double, decimals: Int, width: Int = 1) {
        if decimals == 1, width == 1, value.magnitude < 1000,
            let small = SmallNumbers.all[Int(value)], Double(Int(value)) == value
        {
            append(atMost: 8) { room, start in
                room.storeBytes(of: small.characters, toByteOffset: start, as: UInt64.self)
                return start &+ small.count &+ 2
            }
            return
        }
        let scaled = value.magnitude * powerOfTen(decimals)
        guard scaled < 1e18 else { return }
        // As `rounded()` does, which is a call into the mathematics library.
        let floor = Int64(scaled)
        let all = UInt64(floor) &+ (scaled - Double(floor) >= 0.5 ? 1 : 0)
        append(atMost: 48) { room, start in
            var end = start
            if value < 0, all > 0 { Self.put("-", in: &room, &end) }
            guard decimals > 0 else {
                Self.put(all, min(20, width), in: &room, &end)
                return end
            }
            guard all < Digits.limit, decimals &+ width <= 8 else {
                let unit = UInt64(powerOfTen(decimals))
                Self.put(all / unit, min(20, width), in: &room, &end)
                Self.put(".", in: &room, &end)
                Self.put(all % unit, decimals, in: &room, &end)
                return end
            }
            let digits = Digits(all)
            let count = max(digits.significant, decimals &+ width)
            let word = digits.last(count)
            let whole = count &- decimals
            room.storeBytes(of: word.littleEndian, toByteOffset: end, as: UInt64.self)
            end &+= whole
            Self.put(".", in: &room, &end)
            let fraction = word &>> UInt64(truncatingIfNeeded: 8 &* whole)
            room.storeBytes(of: fraction.littleEndian, toByteOffset: end, as: UInt64.self)
            return end &+ decimals
        }
    }

    /// Stores an ASCII character.
    @inline(__always)
    static func put(
        _ character: Unicode.Scalar, in room: inout MutableRawSpan, _ end: inout Int
    ) {
        room.storeBytes(of: UInt8(ascii: character), toByteOffset: end, as: UInt8.self)
        end &+= 1
    }

    /// Stores a number of at least `width` digits, by whole words: what follows overwrites the rest.
    static func put(
        _ value: UInt64, _ width: Int, in room: inout MutableRawSpan, _ end: inout Int
    ) {
        var count = 8
        var word = Digits(value % Digits.limit).last(8)
        if value < Digits.limit, width <= 8 {
            let digits = Digits(value)
            count = max(digits.significant, width, 1)
            word = digits.last(count)
        } else {
            put(value / Digits.limit, width &- 8, in: &room, &end)
        }
        room.storeBytes(of: word.littleEndian, toByteOffset: end, as: UInt64.self)
        end &+= count
    }
}

extension String {
    /// The number with that many decimals, 0 to 9; `nan`, and `huge` beyond 18 digits.
    package init(_ value: Double, decimals: Int) {
        let decimals = Swift.min(9, Swift.max(0, decimals))
        guard value.magnitude * powerOfTen(decimals) < 9e17 else {
            self = value.isNaN ? "nan" : value < 0 ? "-huge" : "huge"
            return
        }
        self = TextBuffer.text { $0.append(fixed: value, decimals: decimals) }
    }

    /// The number with that many decimals, without zeros at its end.
    package init(_ value: Double, atMostDecimals decimals: Int) {
        self.init(value, decimals: decimals)
        guard contains(".") else { return }
        while hasSuffix("0") { removeLast() }
        if hasSuffix(".") { removeLast() }
    }

    /// The number with zeros in front, up to a width.
    package init(_ value: Int, width: Int) {
        self = TextBuffer.text { $0.append(integer: value, width: width) }
    }
}

/// 10 to the power of 0 to 18; exact in a double.
@inline(__always)
private func powerOfTen(_ exponent: Int) -> Double {
    powersOfTen[exponent]
}

private let powersOfTen: InlineArray<19, Double> = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
    1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
]
