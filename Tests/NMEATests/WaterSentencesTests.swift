// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct DPTTests {
    @Test func `reads depth, offset and range`() throws {
        let dpt = try DPT("$SDDPT,7.9,-1.2,50.0*40")
        #expect((dpt.depth, dpt.offset, dpt.maximumRange) == (7.9, -1.2, 50))
    }

    @Test func `the offset's sign distinguishes keel and waterline`() throws {
        let keel = try DPT(line("SDDPT,8.0,-1.5"))
        #expect((keel.depthBelowKeel, keel.depthBelowSurface) == (6.5, nil))
        let surface = try DPT(line("SDDPT,8.0,0.5"))
        #expect((surface.depthBelowKeel, surface.depthBelowSurface) == (nil, 8.5))
    }

    @Test func `a minus sign that is repeated after the point is read`() throws {
        #expect(try DPT(line("SDDPT,24.6,-1.-4,")).offset == -1.4)
        for offset in ["1.-4", "-1.-", "-1.--4", "--1.4", "-1-4"] {
            let dpt = try DPT(line("SDDPT,24.6,\(offset),"))
            #expect(dpt.depth == 24.6)
            #expect(dpt.offset == nil, "\(offset)")
        }
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try DPT(line("SDDPT")) }
    }
}
