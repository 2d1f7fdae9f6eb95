// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// Sentences that a program adds with the public interface only.
@Suite(.timeLimit(.generous)) struct UserSentenceTests {
    /// A barometer's altitude: `$--ALT,x.x,M*hh`
    struct ALT: DeclaredSentence, Equatable {
        static let formatter: SentenceFormatter = "ALT"
        var altitude: Double?
        mutating func fields(_ coder: inout some FieldCoder) { coder.decimal(&altitude, unit: "M") }
        func contribute(to epoch: inout Epoch) { epoch.replace(\.altitude, altitude) }
    }

    /// A manufacturer's fix: `$PACME,POS,hhmmss.ss,ddmm.mm,a,dddmm.mm,a*hh`
    struct PACMEPOS: Sentence {
        static let formatter: SentenceFormatter = "PACME,POS"
        static let minimumFieldCount = 5
        var time: TimeOfDay?
        var coordinate: Coordinate?
        init(_ fields: inout FieldReader) throws(NMEAError) {
            time = fields.time()
            coordinate = fields.coordinate()
        }
        func encode(into writer: inout SentenceWriter) {
            writer.time(time)
            writer.coordinate(coordinate)
        }
        var timing: EpochTiming { .opens(time) }
        func contribute(to epoch: inout Epoch) {
            guard let coordinate else { return }
            epoch.fill(\.coordinate, coordinate)
            epoch.reportFix()
        }
    }

    /// A GGA that replaces the one of the package.
    struct StrictGGA: Sentence {
        static let formatter: SentenceFormatter = "GGA"
        init(_ fields: inout FieldReader) throws(NMEAError) { throw .rejected(.tooFewFields) }
        func encode(into writer: inout SentenceWriter) {}
    }

    private func decoder(_ types: any Sentence.Type...) -> NMEADecoder {
        var decoder = NMEADecoder()
        for type in types { decoder.register(type) }
        return decoder
    }

    @Test func `a user-defined standard sentence contributes to the fix`() {
        let text = Cycle("101520.00").gga() + line("GPALT,180.5,M")
        let decoded = decode(text, decoder(ALT.self))
        #expect(decoded.fix.altitude == 180.5)
        #expect(decoded.statistics.accepted == 2)
        #expect(decode(text).statistics.raw == 1)
    }

    @Test func `a user-defined proprietary sentence can be a whole fix`() {
        let text = line("PACME,POS,101520.00,4812.5,N,01622.42,E")
        let decoded = decode(text, decoder(PACMEPOS.self))
        #expect(
            decoded.fix.coordinate
                == Coordinate(latitude: 48 + 12.5 / 60, longitude: 16 + 22.42 / 60)
        )
        #expect(decoded.fix.timeOfDay == TimeOfDay(hour: 10, minute: 15, second: 20))
    }

    @Test func `other sentences of that manufacturer stay raw`() {
        let text = line("PACME,POSX,1,2,3,4,5") + line("PACME,VER,2") + line("PACME")
        let decoded = decode(text, decoder(PACMEPOS.self))
        #expect(decoded.statistics.proprietaryRaw == 3)
        #expect(decoded.statistics.rejected == 0)
    }

    /// Other sentences of that manufacturer.
    struct PACME: Sentence {
        static let formatter: SentenceFormatter = "PACME"
        init(_ fields: inout FieldReader) throws(NMEAError) { throw .rejected(.tooFewFields) }
        func encode(into writer: inout SentenceWriter) {}
    }

    @Test func `the longest matching formatter reads a sentence`() {
        let text = line("PACME,POS,101520.00,4812.5,N,01622.42,E")
        for decoder in [decoder(PACME.self, PACMEPOS.self), decoder(PACMEPOS.self, PACME.self)] {
            #expect(decode(text, decoder).statistics.accepted == 1)
            #expect(decode(line("PACME,VER,2"), decoder).statistics[.tooFewFields] == 1)
        }
    }

    @Test func `a proprietary sentence with too few fields is rejected`() {
        let decoded = decode(line("PACME,POS,101520.00,4812.5,N"), decoder(PACMEPOS.self))
        #expect(decoded.statistics[.tooFewFields] == 1)
    }

    @Test func `a known formatter can be replaced`() {
        let decoded = decode(Cycle("101520.00").gga(), decoder(StrictGGA.self))
        #expect(decoded.statistics[.tooFewFields] == 1)
        #expect(decoded.fixes.isEmpty)
    }

    /// The age of a correction in whole seconds, and a name: `$--AGE,x,c--c*hh`
    struct AGE: DeclaredSentence, Equatable {
        static let formatter: SentenceFormatter = "AGE"
        var age: Double?
        var name: String?
        mutating func fields(_ coder: inout some FieldCoder) {
            coder.field(
                &age, read: { $0.integer().map(Double.init) },
                write: { $0.decimal($1, decimals: 0) })
            coder.text(&name)
        }
    }

    @Test func `a user-defined kind of field is read and written`() throws {
        let age = try AGE(line("GPAGE,12,^2C"))
        #expect((age.age, age.name) == (12, ","))
        #expect(try AGE(line("GPAGE,1.5,A")).age == nil)
        var writer = SentenceWriter()
        writer.write(age, talker: .gps)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == line("GPAGE,12,^2C"))
    }

    @Test func `a user-defined sentence can be read from text and written`() throws {
        let alt = try ALT(line("GPALT,180.5,M"))
        var writer = SentenceWriter()
        writer.write(alt, talker: .gps)
        #expect(try ALT(String(decoding: writer.bytes, as: UTF8.self)) == alt)
    }

    @Test func `hundreds of sentences can be registered`() {
        var decoder = decoder(ALT.self, PACMEPOS.self)
        for _ in 0..<300 { decoder.register(ALT.self) }
        #expect(decode(line("GPALT,1.0,M"), decoder).statistics.accepted == 1)
    }

    @Test func `a raw sentence has its manufacturer`() {
        var framer = Framer()
        var makers: [Manufacturer?] = []
        let text = line("PSRFTXTVersion 3") + line("PUBX,41") + line("GPGGA") + line("PQGSV,1,1,00")
        framer.push(text.bytes.span) {
            if case .sentence(let raw) = $0 { makers.append(raw.manufacturer) }
        }
        #expect(makers == [.sirf, .uBlox, nil, nil])
    }

    @Test func `every type reads only its own sentence of a stream`() throws {
        let specimens = try knownSentences.map { try SentenceFiles.specimen(of: $0) }
        for type in knownSentences {
            #expect(read(type, specimens) == 1, "\(type)")
        }
    }

    /// The number of sentences of that type.
    private func read<S: Sentence>(_ type: S.Type, _ sentences: [String]) -> Int {
        var decoder = NMEADecoder()
        var count = 0
        decoder.push(sentences.map { $0 + "\r\n" }.joined().bytes.span) { event in
            if case .sentence(let raw) = event, (try? S(raw)) != nil { count += 1 }
        }
        return count
    }
}

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
