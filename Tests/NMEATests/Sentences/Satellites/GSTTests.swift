// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct GSTTests {
    private let fix = line("GPGGA,101520.00,4812.5,N,01622.42,E,1,05,1.0,1.0,M,,M,,")

    @Test func `reads the error ellipse`() throws {
        let gst = try GST("$GNGST,101520.00,12,1.9,1.3,21.0,1.8,1.4,3.1*54")
        #expect(gst.rangeResidual == 12)
        #expect((gst.semiMajor, gst.semiMinor, gst.orientation) == (1.9, 1.3, 21))
        #expect((gst.latitudeError, gst.longitudeError, gst.altitudeError) == (1.8, 1.4, 3.1))
    }

    @Test func `belongs only to the fix of the same time`() {
        let own = decode(fix + line("GPGST,101520.00,,,,,3.0,4.0,6.0")).fix
        #expect(own.standardDeviation.latitude == 3)
        let other = decode(fix + line("GPGST,101519.00,,,,,3.0,4.0,6.0")).fix
        #expect(other.standardDeviation.latitude == nil)
    }

    @Test func `negative errors are malformed, but the direction may be negative`() throws {
        let text = line("GPGST,101520.00,-12,-1.9,-1.3,-21.0,-1.8,1.4,-3.1")
        let gst = try GST(text)
        #expect((gst.rangeResidual, gst.semiMajor, gst.semiMinor) == (nil, nil, nil))
        #expect((gst.orientation, gst.longitudeError) == (-21, 1.4))
        #expect((gst.latitudeError, gst.altitudeError) == (nil, nil))
        let decoded = decode(fix + text)
        #expect(decoded.statistics.fieldErrors == 5)
        #expect(decoded.fix.accuracy.vertical == nil)
    }

    @Test func `with a field too few it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try GST(line("GPGST,101520.00,12,1.9,1.3,21.0,1.8,1.4"))
        }
    }
}
