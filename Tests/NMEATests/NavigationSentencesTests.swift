// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct RMBTests {
    @Test func `reads the way to a waypoint`() throws {
        let rmb = try RMB(
            "$GPRMB,A,0.66,L,HARBOUR,BUOY 7,4917.24000,N,12309.57000,W,1.3,52.5,5.0,V,D*38")
        #expect((rmb.origin, rmb.destination) == ("HARBOUR", "BUOY 7"))
        #expect(rmb.coordinate?.longitude == -(123 + 9.57 / 60))
        #expect((rmb.rangeNauticalMiles, rmb.bearing, rmb.closingSpeedKnots) == (1.3, 52.5, 5))
        #expect(rmb.mode == .differential)
    }

    @Test func `the destination is not the position of the fix`() throws {
        let rmb = line("GPRMB,A,0.66,L,A,B,4917.24,N,12309.57,W,1.3,52.5,5.0,V,D")
        #expect(decode(Cycle("101520.00").gga() + rmb).fix.coordinate?.latitude == 48 + 12.5 / 60)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try RMB(line("GPRMB,A,0.66,L,HARBOUR,BUOY 7"))
        }
    }
}

@Suite(.timeLimit(.generous)) struct AAMTests {
    @Test func `reads circle, perpendicular and waypoint`() throws {
        let aam = try AAM("$GPAAM,A,V,0.10,N,BUOY 7*26")
        #expect(aam.arrivalCircle == UInt8(ascii: "A"))
        #expect(aam.perpendicular == UInt8(ascii: "V"))
        #expect((aam.radiusNauticalMiles, aam.waypoint) == (0.1, "BUOY 7"))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try AAM(line("GPAAM,A,V,0.10,N")) }
    }
}

@Suite(.timeLimit(.generous)) struct APBTests {
    @Test func `reads bearings and the heading to steer`() throws {
        let apb = try APB("$GPAPB,A,A,0.10,R,N,V,V,11.0,M,BUOY 7,12.5,M,13.0,M,A*6B")
        #expect((apb.bearing, apb.presentBearing, apb.headingToSteer) == (11, 12.5, 13))
        #expect(apb.headingReference == UInt8(ascii: "M"))
        #expect(apb.destination == "BUOY 7")
        #expect(apb.mode == .autonomous)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try APB(line("GPAPB,A,A,0.10,R,N,V,V,11.0,M"))
        }
    }
}

@Suite(.timeLimit(.generous)) struct BODTests {
    @Test func `reads both bearings and both waypoints`() throws {
        let bod = try BOD("$GPBOD,99.3,T,105.6,M,BUOY 7,HARBOUR*31")
        #expect((bod.trueBearing, bod.magneticBearing) == (99.3, 105.6))
        #expect((bod.destination, bod.origin) == ("BUOY 7", "HARBOUR"))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try BOD(line("GPBOD,99.3,T,105.6,M")) }
    }
}

@Suite(.timeLimit(.generous)) struct BWCTests {
    @Test func `reads bearing and distance`() throws {
        let bwc = try BWC(
            "$GPBWC,081837.00,4917.24000,N,12309.57000,W,51.9,T,31.6,M,1.3,N,BUOY 7,A*4C")
        #expect((bwc.trueBearing, bwc.magneticBearing) == (51.9, 31.6))
        #expect((bwc.distanceNauticalMiles, bwc.waypoint) == (1.3, "BUOY 7"))
        #expect(bwc.time == TimeOfDay(hour: 8, minute: 18, second: 37))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try BWC(line("GPBWC,081837.00,4917.24,N,12309.57,W,51.9,T"))
        }
    }
}

@Suite(.timeLimit(.generous)) struct RTETests {
    @Test func `reads the waypoints in order`() throws {
        let rte = try RTE("$GPRTE,2,1,c,0,HARBOUR,BUOY 7,BUOY 9,MOLE*50")
        #expect((rte.total, rte.part) == (2, 1))
        #expect(rte.kind == UInt8(ascii: "c"))
        #expect(rte.route == "0")
        #expect(rte.waypoints == ["HARBOUR", "BUOY 7", "BUOY 9", "MOLE"])
    }

    @Test func `a receiver without a route sends no waypoints`() throws {
        #expect(try RTE(line("GPRTE,1,1,c,0")).waypoints.isEmpty)
        #expect(try RTE(line("GPRTE,1,1,c,")).route == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try RTE(line("GPRTE,2,1")) }
    }
}

@Suite(.timeLimit(.generous)) struct WPLTests {
    @Test func `reads position and name`() throws {
        let wpl = try WPL("$GPWPL,4917.16000,N,12310.64000,W,HARBOUR*07")
        #expect(wpl.coordinate?.latitude == 49 + 17.16 / 60)
        #expect(wpl.name == "HARBOUR")
    }

    @Test func `the waypoint is not the position of the fix`() throws {
        #expect(decode(line("GPWPL,4917.16,N,12310.64,W,HARBOUR")).fixes.isEmpty)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try WPL(line("GPWPL,4917.16,N,12310.64,W"))
        }
    }
}

@Suite(.timeLimit(.generous)) struct XTETests {
    @Test func `reads the error and the side to steer to`() throws {
        let xte = try XTE("$GPXTE,A,A,0.67,L,N,D*07")
        #expect(xte.crossTrackErrorNauticalMiles == 0.67)
        #expect(xte.steer == UInt8(ascii: "L"))
        #expect(xte.mode == .differential)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try XTE(line("GPXTE,A,A,0.67,L")) }
    }
}
