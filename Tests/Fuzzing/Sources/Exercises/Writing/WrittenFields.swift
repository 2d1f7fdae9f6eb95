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
