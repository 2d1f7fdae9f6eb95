// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// The encoding of values in sentences.
@Suite(.timeLimit(.generous)) struct SentenceWriterTests {
    private func fields(_ write: (inout SentenceWriter) -> Void) -> String {
        var writer = SentenceWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `a sentence has start character, talker, formatter, checksum and line end`() {
        var hdt = HDT()
        hdt.heading = 7.5
        #expect(fields { $0.write(hdt, talker: Talker(rawValue: "HE")) } == "$HEHDT,7.5,T*2D\r\n")
    }

    @Test func `a proprietary sentence has no talker`() {
        var answer = PMTK001()
        answer.command = 314
        answer.result = .done
        #expect(fields { $0.write(answer) } == "$PMTK001,314,3*36\r\n")
    }

    @Test func `read values keep their precision, computed values are rounded`() {
        #expect(fields { $0.decimal(1.5, decimals: 1) } == ",1.5")
        #expect(fields { $0.decimal(1.123456789, decimals: 1) } == ",1.123456789")
        #expect(fields { $0.decimal(1.0 / 3, decimals: 1) } == ",0.3")
        #expect(fields { $0.decimal(2, decimals: 0) } == ",2")
        #expect(fields { $0.decimal(-0.25, decimals: 1) } == ",-0.25")
    }

    @Test func `a year that two digits cannot express is omitted`() {
        func date(_ year: Int) -> String {
            fields { $0.date(CalendarDate(year: year, month: 2, day: 7)) }
        }
        #expect([1980, 2079].map(date) == [",070280", ",070279"])
        #expect([1969, 1979, 2080, 2106].map(date) == [",", ",", ",", ","])
    }

    @Test func `huge numbers are written without decimals or omitted`() {
        #expect(
            fields { $0.decimal(123_456_789_012_345_680, decimals: 1) } == ",123456789012345680")
        #expect(fields { $0.decimal(1e300, decimals: 1) } == ",")
        #expect(fields { $0.decimal(.infinity, decimals: 1) } == ",")
        #expect(fields { $0.decimal(.nan, decimals: 1) } == ",")
    }

    @Test func `minutes that round to sixty are the next degree`() {
        let almost = Coordinate(latitude: 47.999_999_999_999, longitude: -8.999_999_999_999)
        #expect(fields { $0.coordinate(almost) } == ",4800.00000,N,00900.00000,W")
    }

    @Test func `a time has the necessary decimals`() throws {
        let hundredth = try #require(
            TimeOfDay(hour: 1, minute: 2, second: 3, nanosecond: 40_000_000))
        #expect(fields { $0.time(hundredth) } == ",010203.04")
        let finer = try #require(TimeOfDay(hour: 1, minute: 2, second: 3, nanosecond: 1_000))
        #expect(fields { $0.time(finer) } == ",010203.000001")
        let leap = try #require(TimeOfDay(hour: 23, minute: 59, second: 60))
        #expect(fields { $0.time(leap) } == ",235960.00")
    }

    @Test func `characters that would end a field are escaped`() {
        #expect(fields { $0.text("a,b*c$d^e é") } == ",a^2Cb^2Ac^24d^5Ee ^E9")
        #expect(fields { $0.text("日") } == ",?")
        #expect(fields { $0.text(nil) } == ",")
    }

    @Test(arguments: [Int.min, -1, 0, 18, 19, Int.max])
    func `a number is written for every requested count of decimals`(decimals: Int) {
        var writer = SentenceWriter()
        writer.decimal(1.5, decimals: decimals)
        #expect(String(decoding: writer.bytes, as: UTF8.self).contains("1"))
    }

    private func rounded(_ write: (inout SentenceWriter) -> Void) -> String {
        fields {
            $0.isExact = false
            write(&$0)
        }
    }

    @Test func `without exactness every number is rounded to the usual decimals`() throws {
        #expect(rounded { $0.decimal(1.123456789, decimals: 1) } == ",1.1")
        #expect(rounded { $0.decimal(1.5, decimals: 3) } == ",1.500")
        #expect(rounded { $0.speed(0.0004) } == ",0.000")
        #expect(rounded { $0.decimal(-0.04, decimals: 1) } == ",0.0")
        #expect(rounded { $0.course(359.996) } == ",0.00")
        #expect(fields { $0.course(359.996) } == ",359.996")
        #expect(
            rounded { $0.coordinate(Coordinate(latitude: 48.123456789, longitude: -8)) }
                == ",4807.40741,N,00800.00000,W")
        let late = try #require(TimeOfDay(hour: 1, minute: 2, second: 59, nanosecond: 999_999_999))
        #expect(rounded { $0.time(late) } == ",010259.99")
    }

    @Test func `fields that an NMEA version lacks are omitted`() {
        var gll = GLL()
        gll.coordinate = Coordinate(latitude: 48.5, longitude: 16.5)
        gll.mode = .simulated
        #expect(
            fields { $0.write(gll, fieldCount: 6) } == "$GNGLL,4830.00000,N,01630.00000,E,,*7E\r\n")
        #expect(fields { $0.write(gll, fieldCount: 0) } == "$GNGLL*4E\r\n")
        #expect(fields { $0.write(gll, fieldCount: 99) }.hasSuffix(",S*01\r\n"))
    }

    @Test func `units can be omitted`() {
        #expect(fields { $0.metres(nil, decimals: 1) } == ",,M")
        #expect(
            fields {
                $0.writesUnits = false
                $0.metres(nil, decimals: 1)
            } == ",,")
    }

    @Test func `a sentence without a type is written from its body`() {
        #expect(fields { $0.write(body: "PMTK010,001") } == "$PMTK010,001*2E\r\n")
    }
}
