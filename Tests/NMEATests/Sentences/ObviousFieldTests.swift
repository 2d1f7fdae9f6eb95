// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// Fields read a machine word at a time, compared with reading by character.
@Suite(.timeLimit(.generous)) struct ObviousFieldTests {
    private let seed = UInt64.random(in: 0 ... .max)

    /// Reads the field between two others.
    private func read<Value>(
        _ field: String, _ next: String, _ read: (inout FieldReader) -> Value?
    ) throws -> (value: Value?, rest: String?) {
        var framer = Framer()
        var result: (Value?, String?)?
        framer.push(line("GPXYZ,\(field),\(next)").bytes.span) { event in
            guard case .sentence(let raw) = event else { return }
            var fields = raw.fields
            let value = read(&fields)
            result = (value, fields.remainingText())
        }
        return try #require(result)
    }

    /// Usually a number, sometimes almost one.
    private func field(_ random: inout SeededGenerator) -> String {
        let alphabet = Array("0123456789012345678901234567890123456789.-+eE x")
        let isNumber = Int.random(in: 0..<3, using: &random) > 0
        let count = Int.random(in: 0...21, using: &random)
        var text = (0..<count).map { _ in
            isNumber
                ? alphabet[Int.random(in: 0..<10, using: &random)]
                : alphabet.randomElement(using: &random) ?? "0"
        }
        if isNumber, !text.isEmpty, Bool.random(using: &random) {
            text.insert(".", at: Int.random(in: 0...text.count, using: &random))
        }
        if isNumber, Int.random(in: 0..<4, using: &random) == 0 { text.insert("-", at: 0) }
        return String(text)
    }

    /// Sign, digits, point, digits; 1 to 18 digits.
    private func obviousDecimal(_ text: String) -> Double? {
        let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        let digits = unsigned.filter { "0123456789".contains($0) }
        let points = unsigned.count { $0 == "." }
        guard digits.count + points == unsigned.count, points <= 1, 1...18 ~= digits.count else {
            return nil
        }
        return Double(text)
    }

    @Test func `a decimal is the number that its characters represent`() throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<6000 {
            let text = field(&random)
            let next = field(&random)
            let (value, rest) = try read(text, next) { $0.decimal() }
            let wanted = obviousDecimal(text.trimmed)
            #expect((value == nil) == (wanted == nil), "\(text), seed \(seed)")
            #expect(rest ?? "" == next, "behind \(text), seed \(seed)")
            guard let value, let wanted else { continue }
            // Exact up to fifteen digits; beyond, a division rounds once more.
            let tolerance = text.trimmed.count <= 15 ? 0 : wanted.magnitude.ulp
            #expect((value - wanted).magnitude <= tolerance, "\(text), seed \(seed)")
        }
    }

    @Test func `an integer has up to nine digits and nothing else`() throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<6000 {
            let text = field(&random)
            let next = field(&random)
            let (value, rest) = try read(text, next) { $0.integer() }
            let digits = text.trimmed
            let isPlain = digits.allSatisfy { "0123456789".contains($0) } && 1...9 ~= digits.count
            #expect(value == (isPlain ? Int(digits) : nil), "\(text), seed \(seed)")
            #expect(rest ?? "" == next, "behind \(text), seed \(seed)")
        }
    }

    @Test func `a time has six digits and a fraction of any length`() throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<6000 {
            var text = (0..<6).map { _ in "\(Int.random(in: 0...6, using: &random))" }.joined()
            if Bool.random(using: &random) {
                text += "."
                for _ in 0..<Int.random(in: 0...14, using: &random) {
                    text += "\(Int.random(in: 0...9, using: &random))"
                }
            }
            let (value, rest) = try read(text, "7,8") { $0.time() }
            let numbers = [0, 2, 4].map { Int(text.dropFirst($0).prefix(2)) ?? 99 }
            let fraction = (text.dropFirst(7) + "000000000").prefix(9)
            let wanted = TimeOfDay(
                hour: numbers[0], minute: numbers[1], second: numbers[2],
                nanosecond: Int(fraction) ?? 0)
            #expect(value == wanted, "\(text), seed \(seed)")
            #expect(rest == "7,8", "behind \(text), seed \(seed)")
        }
    }

    @Test func `a coordinate's last two digits before the point are minutes`() throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<6000 {
            let whole = String(
                (0..<Int.random(in: 1...6, using: &random)).map { _ in
                    Character("\(Int.random(in: 0...9, using: &random))")
                })
            let decimals = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                "\(Int.random(in: 0...9, using: &random))"
            }.joined()
            let text = decimals.isEmpty ? whole : whole + "." + decimals
            let (value, _) = try read("\(text),S,00130.5,E", "9") { $0.coordinate() }
            let minutes = Double(text.dropFirst(max(0, whole.count - 2))) ?? 0
            let degrees = Double(whole.dropLast(2)) ?? 0
            let wanted = degrees + minutes / 60
            guard 3...5 ~= whole.count, minutes <= 60, wanted <= 90 else {
                #expect(value == nil, "\(text), seed \(seed)")
                continue
            }
            let latitude = try #require(value?.latitude, "\(text), seed \(seed)")
            #expect((latitude + wanted).magnitude <= wanted.ulp * 2, "\(text), seed \(seed)")
            #expect(value?.longitude == 1.508_333_333_333_333_4)
        }
    }
}
