// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// The accuracy of a fix and its source.
@Suite(.timeLimit(.generous)) struct AccuracyTests {
    private let cycle = Cycle("101520.00")
    private let gst = line("GPGST,101520.00,,,,,3.0,4.0,6.0")
    private let gbs = line("GPGBS,101520.00,6.0,8.0,9.0,,,,")

    @Test func `GST comes first`() {
        let accuracy = decode(cycle.gga() + cycle.gsa() + gbs + gst).fix.accuracy
        #expect(
            accuracy == Accuracy(horizontal: 1.07 * 5, vertical: 6, source: .standardDeviations))
    }

    @Test func `GST's axes are used if its latitude and longitude errors are missing`() {
        let axes = line("GPGST,101520.00,,3.0,4.0,20.0,,,6.0")
        #expect(decode(cycle.gga() + axes).fix.accuracy.horizontal == 1.07 * 5)
    }

    @Test func `errors of 0 in GST and GBS are too small for their decimals, and are not used`() {
        let zeros = line("GPGST,101520.00,0.5,0.0,0.0,0.0,0.0,0.0,0.0")
        let zeroErrors = line("GPGBS,101520.00,0.0,0.0,0.0,,,,")
        let rough = cycle.gga(quality: 4) + cycle.gsa()
        #expect(
            decode(rough + zeroErrors + zeros).fix.accuracy
                == Accuracy(horizontal: 1.07 * 0.02, vertical: 1.6 * 0.02, source: .dilution))
        #expect(decode(rough + gbs + zeros).fix.accuracy.source == .expectedErrors)
        let mixed = line("GPGST,101520.00,0.5,0.0,0.0,0.0,0.0,0.0,0.1")
        let fix = decode(rough + mixed).fix
        #expect(fix.accuracy.vertical == 0.1 && fix.accuracy.source == .dilution)
        #expect(fix.standardDeviation.latitude == 0)
    }

    @Test func `GBS is used if there are no standard deviations`() {
        let accuracy = decode(cycle.gga() + cycle.gsa() + gbs).fix.accuracy
        #expect(accuracy == Accuracy(horizontal: 1.07 * 10, vertical: 9, source: .expectedErrors))
    }

    @Test(arguments: [(1, 5), (2, 2), (5, 0.5), (4, 0.02)])
    func `DOP is used last, multiplied by the range error of the quality`(
        quality: Int, range: Double
    ) {
        let accuracy = decode(cycle.gga(quality: quality) + cycle.gsa()).fix.accuracy
        #expect(accuracy.source == .dilution)
        #expect(accuracy.horizontal == 1.07 * 1.0 * range)
        #expect(accuracy.vertical == 1.6 * range)
    }

    @Test func `dead reckoning has no accuracy from DOP`() {
        #expect(decode(cycle.gga(quality: 6) + cycle.gsa()).fix.accuracy == Accuracy())
    }

    @Test func `a two-dimensional fix has no vertical accuracy`() {
        let accuracy = decode(cycle.gga(satellites: "03") + cycle.gsa(2)).fix.accuracy
        #expect(accuracy.horizontal == 1.07 * 5)
        #expect(accuracy.vertical == nil)
    }

    @Test func `the receiver's own figure comes third`() {
        let own = line("PGRME,10.0,M,10.0,M,15.0,M")
        #expect(decode(cycle.gga() + cycle.gsa() + own).fix.accuracy.source == .receiver)
        #expect(decode(cycle.gga() + own + gbs).fix.accuracy.source == .expectedErrors)
    }

    @Test func `the assumed range errors can be replaced`() {
        var decoder = NMEADecoder()
        decoder.rangeError.autonomous = 3
        let accuracy = decode(cycle.gga() + cycle.gsa(), decoder).fix.accuracy
        #expect(accuracy.horizontal == 1.07 * 3)
    }
}
