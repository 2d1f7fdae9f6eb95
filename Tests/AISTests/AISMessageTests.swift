// SPDX-License-Identifier: MIT
import AIS
import Foundation
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct AISReportsTests {
    private static func lines(_ name: String) throws -> [String] {
        let text = try PackageFile.text("Tests/Fixtures/AIS/\(name)")
        return text.split(whereSeparator: \.isNewline).map(String.init)
    }

    private func objects(
        _ sentences: [String], _ options: AISReports.Options
    ) -> [String] {
        var reports = AISReports(device: "stdin")
        return sentences.flatMap { reports.objects(of: Array($0.utf8), [options]).map(\.text) }
    }

    private func members(_ object: String) throws -> NSDictionary {
        try #require(JSONSerialization.jsonObject(with: Data(object.utf8)) as? NSDictionary)
    }

    // Recorded with `gpsdecode -j` of gpsd 3.22, with and without `-u`, of messages from the sea and
    // of ones with unusual values.
    @Test(arguments: [true, false])
    func `objects have gpsd's members and values`(isScaled: Bool) throws {
        let ours = objects(
            try Self.lines("messages.nmea"), AISReports.Options(isScaled: isScaled))
        let expected = try Self.lines(isScaled ? "gpsd-scaled.jsonl" : "gpsd-unscaled.jsonl")
        #expect(ours.count == expected.count)
        for (object, other) in zip(ours, expected) {
            #expect(try members(object) == members(other), "\(object)\n\(other)")
        }
    }

    @Test func `a turn to port is negative, unlike in gpsd`() throws {
        // Turn -12 of MMSI 123456789.
        let message = "!AIVDM,1,1,,A,11mg=5@u00000000000000000000,0"
        let object = try #require(objects([message], .init(isScaled: true)).first)
        #expect(try members(object)["turn"] as? Int == -6)
    }

    @Test(arguments: [
        ("11mg=5@10000000000000?v00000,0*1C", 1), ("11mg=5@50000000000000?v00000,0*18", 18),
    ])
    func `a scaled turn is rounded, as by gpsd`(payload: String, turn: Int) throws {
        let ours = objects(["!AIVDM,1,1,,A,\(payload)"], .init(isScaled: true))
        let object = try members(#require(ours.first))
        #expect(object["turn"] as? Int == turn)
    }

    @Test func `the 20th character of a long name of an aid to navigation may be a space`() throws {
        let message = "!AIVDM,1,1,,A,E>j9dp5aWbb4@1Pa24W0V@1:Wdh0CM7P?Jt4000000v003Sp=@,4*39"
        let aid = try members(#require(objects([message], .init()).first))
        #expect(aid["name"] as? String == "SOUTH CARDINAL BUOY NO 5")
    }

    // As `gpsdecode -s`.
    @Test func `part A of type 24 is an object on request, and part B contains both`() throws {
        let sentences = try Self.lines("messages.nmea").suffix(2)
        let ours = objects(Array(sentences), .init(splitsType24: true))
        try #require(ours.count == 2)
        let (first, second) = try (members(ours[0]), members(ours[1]))
        #expect(first["part"] as? String == "A")
        #expect(first["shipname"] as? String == "PROGUY")
        #expect(second["part"] as? String == nil)
        #expect(second["shipname"] as? String == "PROGUY")
        #expect(second["callsign"] as? String == "TC6163")
    }

    @Test func `a part B of type 24 without its part A is an object only on request`() throws {
        let sentence = Array(try Self.lines("messages.nmea").suffix(1))
        let ours = try members(#require(objects(sentence, .init(splitsType24: true)).first))
        #expect(ours["part"] as? String == "B")
        #expect(ours["shipname"] as? String == nil)
        #expect(ours["callsign"] as? String == "TC6163")
        #expect(objects(sentence, .init()).isEmpty)
    }

    @Test func `a message without its last bits is read, as by gpsd`() throws {
        // 420 bits of type 5, and 163 of type 1.
        let voyage = objects(
            [
                "!AIVDM,2,1,3,A,539Lg002:N2T@48<000pu8ALTp@0000000000016<PD895oBN@B0C@UD,0*5E",
                "!AIVDM,2,2,3,A,Qh0000000000000,4*18",
            ], .init())
        let ship = try members(#require(voyage.first))
        #expect(ship["shipname"] as? String == "NORDWIND")
        #expect(ship["destination"] as? String == "HAMBURG")
        #expect(ship["dte"] as? Int == 0)
        let report = objects(["!AIVDM,1,1,,A,11mg=5@10000000000000?v00000,5*19"], .init())
        let position = try members(#require(report.first))
        #expect(position["heading"] as? Int == 511)
        let shorter = "!AIVDM,1,1,,A,11mg=5@10000000000000?v0000,0"
        #expect(objects([shorter], .init()).isEmpty)
    }

    @Test(arguments: [
        "", "!AIVDM", "!AIVDM,1,1,,A,,0", "!AIVDM,1,1,,A,1,0", "!AIVDM,1,2,,A,1,0",
        "!AIVDM,0,0,,A,1,0", "!AIVDM,a,1,,A,1,0", "!AIVDM,1,1,,A,177KQJ5000G?tO`K>RA1wUbN0,0",
        "!AIVDM,1,1,,A,177KQJ5000G?tO`K>RA1wUbN0TK\u{7F},0", "!AIVDM,1,1,,A,177KQJ5000G,9",
        "!AIVDM,2,2,1,A,88888888880,2", "$GPGGA,1,1,,A,177KQJ5000G?tO`K>RA1wUbN0TKH,0",
        "!AIVDM,1,1,,A,i77KQJ5000G?tO`K>RA1wUbN0TKH,0",
    ])
    func `a sentence that is not a whole message of a known type is ignored`(sentence: String) {
        #expect(objects([sentence], .init()).isEmpty)
    }
}

@Suite(.timeLimit(.generous)) struct AISAssemblerTests {
    private func part(_ number: Int, of count: Int, _ sequence: Int, _ payload: String) -> [UInt8] {
        Array("!AIVDM,\(count),\(number),\(sequence),A,\(payload),0*00".utf8)
    }

    @Test func `parts of several messages may alternate`() {
        var assembler = AISAssembler()
        #expect(assembler.message(part(1, of: 2, 1, "5555")) == nil)
        #expect(assembler.message(part(1, of: 2, 2, "1111")) == nil)
        #expect(assembler.message(part(2, of: 2, 1, "0"))?.type == 5)
        #expect(assembler.message(part(2, of: 2, 2, "0"))?.type == 1)
        #expect(assembler.message(part(2, of: 2, 2, "0")) == nil)
    }

    @Test func `a missing or repeated part discards the message`() {
        var assembler = AISAssembler()
        #expect(assembler.message(part(1, of: 3, 1, "5")) == nil)
        #expect(assembler.message(part(3, of: 3, 1, "5")) == nil)
        #expect(assembler.message(part(2, of: 3, 1, "5")) == nil)
        #expect(assembler.message(part(3, of: 3, 1, "5")) == nil)
        // Repeating the first part starts a new message.
        #expect(assembler.message(part(1, of: 2, 1, "1")) == nil)
        #expect(assembler.message(part(1, of: 2, 1, "5")) == nil)
        #expect(assembler.message(part(2, of: 2, 1, "5"))?.bitCount == 12)
    }

    @Test func `at most eight incomplete messages wait, none longer than AIS allows`() {
        var assembler = AISAssembler()
        for sequence in 0...8 {
            #expect(assembler.message(part(1, of: 2, sequence, "5")) == nil)
        }
        #expect(assembler.message(part(2, of: 2, 0, "5")) == nil)
        #expect(assembler.message(part(2, of: 2, 1, "5")) != nil)
        let long = String(repeating: "5", count: 100)
        #expect(assembler.message(part(1, of: 2, 0, long)) == nil)
        #expect(assembler.message(part(2, of: 2, 0, long)) == nil)
    }

    @Test func `a part is not joined with a message that is ten messages older`() {
        var assembler = AISAssembler()
        // The last part of the first message is lost, and the first part of the last one.
        #expect(assembler.message(part(1, of: 2, 0, "5555")) == nil)
        for sequence in 1...9 {
            #expect(assembler.message(part(1, of: 2, sequence, "5")) == nil)
            #expect(assembler.message(part(2, of: 2, sequence, "5")) != nil)
        }
        #expect(assembler.message(part(2, of: 2, 0, "1111")) == nil)
    }

    @Test func `fill bits are not part of the message`() {
        var assembler = AISAssembler()
        let sentence = Array("!AIVDO,1,1,,B,88888888880,2*25".utf8)
        #expect(assembler.message(sentence)?.bitCount == 64)
    }

    @Test func `an empty field of fill bits is 0`() {
        var assembler = AISAssembler()
        let sentence = Array("!AIVDM,1,1,,A,11mg=5@10000000000000?v00000,*2C".utf8)
        #expect(assembler.message(sentence)?.bitCount == 168)
        #expect(assembler.message(Array("!AIVDM,1,1,,A,11mg=5@1,6".utf8)) == nil)
    }
}
