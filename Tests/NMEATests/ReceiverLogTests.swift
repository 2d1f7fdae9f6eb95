// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// ASCII logs of NovAtel's and Unicore's receivers between sentences.
@Suite(.timeLimit(.generous)) struct ReceiverLogTests {
    private static let unicore =
        "#UNIHEADINGA,97,GPS,FINE,2411,555318000,0,0,18,12;SOL_COMPUTED,NARROW_INT,1.2041,171.4012,"
        + "-0.7974,0.0000,0.8065,3.3818,\"999\",31,21,21,18,3,01,3,f3*b3c77962\r\n"
    private static let noSolution =
        "#UNIHEADINGA,97,GPS,FINE,2411,555318000,0,0,18,12;INSUFFICIENT_OBS,NONE,0.0000,0.0000,"
        + "0.0000,0.0000,0.0000,0.0000,\"\",0,0,0,0,0,00,0,0*9d379516\r\n"
    private static let novAtel =
        "#HEADINGA,COM1,0,77.0,FINESTEERING,1481,418557.000,00000000,3663,36137;SOL_COMPUTED,L1_INT,"
        + "5.928,123.5,1.25,0.000000000,0.5,1.1,\"AAAA\",14,10,10,0,0,0,0,0*cdff0ac4\r\n"
    private static let version =
        "#VERSIONA,97,GPS,FINE,2190,365174000,0,0,18,12;\"UM982\"*ecfbae95\r\n"
    private static let sentence =
        "$GPRMC,101520.00,A,4812.0000,N,01622.2000,E,5.0,90.0,210326,,,A"

    private struct Collector: DecoderListener {
        var fixes: [Fix] = []

        mutating func didReceive(fix: Fix, satellites view: SatelliteView) { fixes.append(fix) }
    }

    private func decoded(
        _ log: String, piece: Int = 4096, skipsComments: Bool = false
    ) -> (fixes: [Fix], statistics: Statistics) {
        let sum = Self.sentence.utf8.dropFirst().reduce(UInt8(0), ^)
        let digits = String(sum, radix: 16, uppercase: true)
        let text = "\(Self.sentence)*\(digits.count < 2 ? "0" : "")\(digits)\r\n\(log)"
        var decoder = NMEADecoder()
        decoder.skipsComments = skipsComments
        var collector = Collector()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            decoder.push(Array(rest.prefix(piece)).span, to: &collector)
            rest = rest.dropFirst(piece)
        }
        decoder.finish(to: &collector)
        return (collector.fixes, decoder.statistics)
    }

    @Test(arguments: [1, 7, 4096], [false, true])
    func `the heading of a Unicore receiver is read`(piece: Int, skipsComments: Bool) {
        let read = decoded(Self.unicore, piece: piece, skipsComments: skipsComments)
        #expect(read.fixes.map(\.attitude.heading) == [171.4012])
        #expect(read.fixes.map(\.attitude.headingAccuracy) == [0.8065])
        #expect(read.fixes.map(\.attitude.pitch) == [-0.7974])
        #expect(read.fixes.map(\.attitude.roll) == [nil])
        #expect(read.statistics.accepted == 2 && read.statistics.junkBytes == 0)
    }

    @Test func `the heading of a NovAtel receiver is read`() {
        let read = decoded(Self.novAtel)
        #expect(read.fixes.map(\.attitude.heading) == [123.5])
        #expect(read.fixes.map(\.attitude.headingAccuracy) == [0.5])
        #expect(read.fixes.map(\.attitude.pitch) == [1.25])
    }

    @Test(arguments: [
        noSolution, unicore.replacing("171.4012", with: "171.4013"), version,
        unicore.replacing("b3c77962", with: "b3c7796"), "#UNIHEADINGA,97;\r\n", "#A*\r\n#",
    ])
    func `without a solution or a valid CRC there is no heading`(_ log: String) {
        for piece in [1, 4096] {
            let read = decoded(log, piece: piece)
            #expect(read.fixes.map(\.attitude.heading) == [nil])
            #expect(read.statistics.rejected == 0)
        }
    }

    @Test func `a sentence after a log without a line end is read`() {
        let cut = Self.unicore.prefix(90)
        let sentence = "$HEHDT,123.4,T*2B\r\n"
        for log in [cut + sentence, Self.unicore.dropLast(2) + sentence] {
            let read = decoded(String(log))
            #expect(read.statistics.accepted >= 2)
        }
    }
}
