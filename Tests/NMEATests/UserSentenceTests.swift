// SPDX-License-Identifier: MIT
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
