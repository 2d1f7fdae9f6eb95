// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// Fields of every kind in one sentence, with the values that reading must return.
struct WrittenFields: Sentence {
    static let formatter: SentenceFormatter = "XYZ"

    private let values: AnyValues
    private let decimals: Int

    init(_ source: inout ByteSource) {
        decimals = source.number(below: 10)
        values = AnyValues(&source)
    }

    /// This sentence is only written.
    init(_ fields: inout FieldReader) throws(NMEAError) { throw .otherSentence(address: "XYZ") }

    func encode(into writer: inout SentenceWriter) {
        writer.decimal(values.number, decimals: decimals)
        writer.decimal(values.number, decimals: decimals, plus: "E", minus: "W")
        writer.integer(values.integer)
        writer.letter(values.letter)
        writer.hexadecimal(values.letter)
        writer.time(values.time)
        writer.date(values.date)
        writer.longDate(values.date)
        writer.coordinate(values.coordinate)
        writer.text(values.text)
    }

    func check() throws(Broken) {
        var writer = SentenceWriter()
        writer.write(self)
        var framer = Framer()
        var result: Result<Void, Broken>?
        framer.push(writer.bytes.span) { event in
            guard case .sentence(let raw) = event, result == nil else {
                result = .failure(Broken("no single sentence: \(writer.bytes)"))
                return
            }
            var fields = raw.fields
            do throws(Broken) {
                result = .success(try check(&fields))
            } catch {
                let text = String(decoding: writer.bytes, as: UTF8.self)
                result = .failure(Broken("\(error) in \(text)"))
            }
        }
        guard let result else { throw Broken("no sentence: \(writer.bytes)") }
        try result.get()
    }

    private func check(_ fields: inout FieldReader) throws(Broken) {
        try expectNear(fields.decimal())
        try expectNear(fields.decimal(plus: "E", minus: "W"))
        let integer = fields.integer()
        let isReadable = 0...999_999_999 ~= values.integer
        try expect(integer == (isReadable ? values.integer : nil), "\(integer as Any)")
        let letter = fields.letter()
        let isPlain = 0x20...0x7E ~= values.letter && !",$!".utf8.contains(values.letter)
        try expect(letter == (isPlain ? values.letter : nil), "letter \(values.letter)")
        try expect(fields.hexadecimal() == values.letter & 15, "hexadecimal")
        try expect(fields.time() == values.time, "\(values.time as Any)")
        let date = fields.date()
        if let expected = values.date, 1980...2079 ~= expected.year {
            try expect(date == expected, "\(expected)")
        }
        try expect(fields.longDate() == values.date, "\(values.date as Any)")
        try expectNear(fields.coordinate())
        let text = String(
            String.UnicodeScalarView(
                values.text.unicodeScalars.map { $0.value < 256 ? $0 : "?" as Unicode.Scalar }))
        try expect(fields.text() ?? "" == text, "text")
    }

    private func expectNear(_ read: Double?) throws(Broken) {
        let value = values.number
        guard value.magnitude < 1e17 else { return }
        guard let read else { throw Broken("\(value) was lost") }
        var unit = 1.0
        for _ in 0..<decimals { unit /= 10 }
        // Beyond 15 digits a double has no such decimals.
        let tolerance = unit * 0.5000001 + value.magnitude * 1e-15
        try expect((read - value).magnitude <= tolerance, "\(value) became \(read)")
    }

    private func expectNear(_ read: Coordinate?) throws(Broken) {
        guard values.coordinate.isValid else { return }
        guard let read else { throw Broken("\(values.coordinate) was lost") }
        let error = max(
            (read.latitude - values.coordinate.latitude).magnitude,
            (read.longitude - values.coordinate.longitude).magnitude)
        // Half of the fifth decimal of a minute.
        try expect(error <= 0.50001e-5 / 60, "\(values.coordinate) became \(read)")
    }
}

extension Exercise {
    /// A value is the same after it is written and read again, and every written sentence can be
    /// read.
    package static let writing = Exercise(name: "writing") { input throws(Broken) in
        var source = ByteSource(input)
        switch source.number(below: 4) {
        case 0: try WrittenFields(&source).check()
        case 1: try checkInvented(&source)
        default: try checkRead(&source)
        }
    }

    /// Reads a sentence of a kind that is known, with any fields.
    private static func checkRead(_ source: inout ByteSource) throws(Broken) {
        let reader = source.pick(RoundTrip.all)
        let talker = source.pick(["GP", "GN", "PQ"])
        let fields = source.rest.prefix(300).prefix {
            0x20...0x7E ~= $0 && $0 != UInt8(ascii: "$") && $0 != UInt8(ascii: "!")
        }
        guard fields.split(separator: UInt8(ascii: ",")).allSatisfy(isHeld) else { return }
        let body = reader.address(talker) + "," + String(decoding: fields, as: UTF8.self)
        try reader.check(String(decoding: sealed(body), as: UTF8.self), talker)
    }

    /// Whether a field has no more digits than the writer promises to keep: fifteen, nine of them
    /// behind the point.
    private static func isHeld(_ field: ArraySlice<UInt8>) -> Bool {
        let behind = field.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        let digits = field.count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return digits <= 15 && behind.count <= 9
    }

    /// Writes sentences with values that no receiver sends.
    private static func checkInvented(_ source: inout ByteSource) throws(Broken) {
        let values = AnyValues(&source)
        try RoundTrip.check(written: values.rmc)
        try RoundTrip.check(written: values.gga)
        try RoundTrip.check(written: values.xdr)
        try RoundTrip.check(written: values.txt)
    }
}

/// A kind of sentence that is read, written and read again.
struct RoundTrip: Sendable {
    /// The address under a talker, or how a proprietary sentence begins.
    let address: @Sendable (String) -> String
    /// Checks a text, if it can be read.
    let check: @Sendable (String, String) throws(Broken) -> Void

    /// All kinds of sentences.
    static let all: [RoundTrip] = knownSentences.compactMap { known in
        (known as? any (Sentence & Equatable).Type).map { RoundTrip($0) }
    }

    private init<S: Sentence & Equatable>(_ type: S.Type) {
        let formatter = S.formatter.description
        address = { talker in formatter.count == 3 ? talker + formatter : formatter }
        check = { text, talker throws(Broken) in
            guard let sentence = try? S(text) else { return }
            try Self.check(sentence, talker: talker, from: text)
        }
    }

    /// Checks a sentence that may have values outside its format: it reads as one with values inside it.
    static func check<S: Sentence & Equatable>(written sentence: S) throws(Broken) {
        let text = Self.text(of: sentence, "GP")
        guard text.utf8.count <= 1000 else { return }
        do {
            try check(try S(text), talker: "GP", from: text)
        } catch let error as Broken {
            throw error
        } catch {
            throw Broken("\(text) cannot be read: \(error)")
        }
    }

    private static func check<S: Sentence & Equatable>(
        _ sentence: S, talker: String, from text: String
    ) throws(Broken) {
        let written = Self.text(of: sentence, talker)
        guard let again = try? S(written) else {
            throw Broken("\(text) became \(written), which cannot be read")
        }
        try expect(again == sentence, "\(text) became \(written)")
    }

    private static func text(of sentence: some Sentence, _ talker: String) -> String {
        var writer = SentenceWriter()
        writer.write(sentence, talker: Talker(rawValue: talker))
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Values of every kind, valid or not.
struct AnyValues {
    var number: Double
    var otherNumber: Double
    var integer: Int
    var letter: UInt8
    var text: String
    var coordinate: Coordinate
    var time: TimeOfDay?
    var date: CalendarDate?

    init(_ source: inout ByteSource) {
        number = Self.number(&source)
        otherNumber = Self.number(&source)
        integer = Int(truncatingIfNeeded: source.word()) >> source.number(below: 64)
        letter = source.byte()
        coordinate = Coordinate(
            latitude: Self.degrees(&source, 90), longitude: Self.degrees(&source, 180))
        time = TimeOfDay(
            hour: source.number(below: 24), minute: source.number(below: 60),
            second: source.number(below: 61), nanosecond: Int(source.word() % 1_000_000_000))
        date = CalendarDate(
            year: 1 + Int(source.word() % 9999), month: 1 + source.number(below: 12),
            day: 1 + source.number(below: 31))
        let scalars = source.rest.prefix(100).map { byte in
            // Some characters are outside Latin-1.
            Unicode.Scalar(byte < 0xF0 ? UInt32(byte) : 0x3B1 + UInt32(byte)) ?? "?"
        }
        text = String(String.UnicodeScalarView(scalars))
    }

    /// Any bits, or a number with a few decimals.
    static func number(_ source: inout ByteSource) -> Double {
        let isDecimal = source.byte() & 1 == 1
        let word = source.word()
        guard isDecimal else { return Double(bitPattern: word) }
        return Double(Int64(bitPattern: word) >> Int64(source.number(below: 64))) / 1000
    }

    private static func degrees(_ source: inout ByteSource, _ limit: Double) -> Double {
        let isPlace = source.byte() > 8
        let word = source.word()
        guard isPlace else { return Double(bitPattern: word) }
        return Double(Int64(bitPattern: word)) / 0x1p63 * limit
    }

    // MARK: Sentences

    var rmc: RMC {
        var rmc = RMC()
        rmc.time = time
        rmc.status = letter
        rmc.coordinate = coordinate
        rmc.speedKnots = number
        rmc.course = otherNumber
        rmc.date = date
        rmc.magneticVariation = number
        rmc.navigationStatus = letter
        return rmc
    }

    var gga: GGA {
        var gga = GGA()
        gga.time = time
        gga.coordinate = coordinate
        gga.satellites = integer
        gga.hdop = otherNumber
        gga.altitude = number
        gga.geoidSeparation = otherNumber
        gga.correctionAge = number
        gga.station = integer
        return gga
    }

    var xdr: XDR {
        var xdr = XDR()
        xdr.transducers = [
            XDR.Transducer(kind: letter, value: number, unit: letter, name: text),
            XDR.Transducer(kind: letter, value: otherNumber, unit: nil, name: text),
        ]
        return xdr
    }

    var txt: TXT {
        var txt = TXT()
        txt.total = integer
        txt.part = integer
        txt.text = text
        return txt
    }
}
