// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing
import UBX

/// The values in UBX are those of the observation, and of the sentences.
@Suite(.timeLimit(.generous))
struct UBXSolutionTests {
    @Test(arguments: Personality.pvt)
    func `the frames give the solution`(_ personality: Personality) throws {
        for epoch in UBXRun(.ubx(personality), epochs: 10).epochs {
            let solution = try #require(epoch.observation.solution)
            let pvt = try #require(epoch.first(NavPVT.self))
            #expect(pvt.hasPosition && pvt.fixType == .threeD)
            #expect(abs(pvt.latitude - solution.coordinate.latitude) <= 0.51e-7)
            #expect(abs(pvt.longitude - solution.coordinate.longitude) <= 0.51e-7)
            #expect(abs(pvt.altitude - solution.altitude) <= 0.00051)
            #expect(abs(pvt.ellipsoidalAltitude - pvt.altitude - 43.4) <= 0.0011)
            #expect(abs(pvt.groundSpeed - solution.speed) <= 0.00051)
            #expect(abs(pvt.course - (solution.course ?? pvt.course)) <= 0.00001)
            let speed =
                (pvt.velocityNorth * pvt.velocityNorth
                + pvt.velocityEast * pvt.velocityEast).squareRoot()
            #expect(abs(speed - pvt.groundSpeed) <= 0.002)
            #expect(Int(pvt.satellitesUsed) == epoch.observation.satellites.count(where: \.isUsed))
            let deviations = solution.deviations
            let horizontal =
                (deviations.north * deviations.north
                + deviations.east * deviations.east).squareRoot()
            #expect(abs(try #require(pvt.horizontalAccuracy) - horizontal) <= 0.001)
            let dop = try #require(epoch.first(NavDOP.self))
            #expect(abs(try #require(dop.horizontal) - solution.dilution.hdop) <= 0.0051)
            #expect(dop.position == pvt.positionDilution)
        }
    }

    @Test(arguments: Personality.pvt)
    func `the frames give the truth of a receiver without errors`(
        _ personality: Personality
    ) throws {
        var configuration = SimulatedReceiver.Configuration.ubx(personality)
        configuration.errors = ErrorModel().scaled(by: 0)
        for epoch in UBXRun(configuration, epochs: 5).epochs {
            let truth = epoch.epoch.truth
            let pvt = try #require(epoch.first(NavPVT.self))
            #expect(abs(pvt.latitude - truth.state.coordinate.latitude) <= 0.51e-7)
            #expect(abs(pvt.longitude - truth.state.coordinate.longitude) <= 0.51e-7)
            #expect(abs(pvt.altitude - truth.state.altitude) <= 0.00051)
        }
    }

    @Test func `a u-blox 6 gives the solution in parts, in coordinates of both kinds`() throws {
        for epoch in UBXRun(.ubx(.ublox6), epochs: 5).epochs {
            let solution = try #require(epoch.observation.solution)
            let position = try #require(epoch.first(NavPOSLLH.self))
            #expect(abs(position.latitude - solution.coordinate.latitude) <= 0.51e-7)
            #expect(abs(position.longitude - solution.coordinate.longitude) <= 0.51e-7)
            #expect(abs(position.altitude - solution.altitude) <= 0.00051)
            let sol = try #require(epoch.first(NavSOL.self))
            #expect(sol.fixType == .threeD && sol.flags.isFixOK && sol.flags.hasWeek)
            #expect(Int(sol.satellitesUsed) == epoch.observation.satellites.count(where: \.isUsed))
            let point = Vector(x: sol.x, y: sol.y, z: sol.z)
            let fixed = WGS84.position(
                of: solution.coordinate, height: position.ellipsoidalAltitude)
            #expect(abs(point.x - fixed.x) <= 0.02 && abs(point.y - fixed.y) <= 0.02)
            #expect(abs(point.z - fixed.z) <= 0.02)
            let velocity = try #require(epoch.first(NavVELNED.self))
            #expect(abs(velocity.groundSpeed - solution.speed) <= 0.0051)
            let local = WGS84.local(
                Vector(x: sol.velocityX, y: sol.velocityY, z: sol.velocityZ),
                at: solution.coordinate)
            #expect(abs(local.north - velocity.velocityNorth) <= 0.02)
            #expect(abs(local.east - velocity.velocityEast) <= 0.02)
            #expect(abs(local.up + velocity.velocityDown) <= 0.02)
            let time = try #require(epoch.first(NavTIMEUTC.self))
            #expect(time.validity.isUTC && time.year == 2026 && time.hour == 12)
        }
    }

    @Test func `an F9P gives nanodegrees, and covariances and levels that fit its accuracies`()
        throws
    {
        for epoch in UBXRun(.ubx(.f9p), epochs: 5).epochs {
            let solution = try #require(epoch.observation.solution)
            let pvt = try #require(epoch.first(NavPVT.self))
            let precise = try #require(epoch.first(NavHPPOSLLH.self))
            #expect(!precise.flags.isPositionInvalid)
            #expect(abs(precise.latitude - solution.coordinate.latitude) <= 0.51e-9)
            #expect(abs(precise.longitude - solution.coordinate.longitude) <= 0.51e-9)
            #expect(abs(precise.altitude - solution.altitude) <= 0.000051)
            #expect(Double(precise.coarseLatitude) / 1e7 == pvt.latitude)
            let cov = try #require(epoch.first(NavCOV.self))
            let drms = Double(cov.positionNN + cov.positionEE).squareRoot()
            #expect(abs(drms - (pvt.horizontalAccuracy ?? 0)) <= 0.001)
            #expect(
                cov.positionNE * cov.positionNE <= cov.positionNN * cov.positionEE * 1.001)
            let pl = try #require(epoch.first(NavPL.self))
            #expect(pl.isPositionValid == 1 && pl.position3 > (pvt.verticalAccuracy ?? 0))
            let status = try #require(epoch.first(NavSTATUS.self))
            #expect(status.fixType == pvt.fixType && status.flags.isFixOK)
        }
    }

    @Test(arguments: Personality.ubx)
    func `the satellites are those observed`(_ personality: Personality) throws {
        for epoch in UBXRun(.ubx(personality), epochs: 3).epochs {
            let sat = epoch.first(NavSAT.self)?.satellites.map {
                Entry($0.satellite, $0.elevation, $0.azimuth, $0.cn0, $0.flags.isUsed)
            }
            let svinfo = epoch.first(NavSVINFO.self)?.satellites.map {
                Entry($0.satellite, $0.elevation, $0.azimuth, $0.cn0, $0.flags.isUsed)
            }
            let entries = try #require(sat ?? svinfo)
            #expect(entries.count == epoch.observation.satellites.count)
            for (entry, satellite) in zip(entries, epoch.observation.satellites) {
                #expect(entry.id == satellite.id)
                #expect(entry.elevation == satellite.elevation.rounded())
                #expect(Double(entry.azimuth) == satellite.azimuth.rounded().wrappedDegrees)
                #expect(Double(entry.cn0) == satellite.signals.first?.cn0.rounded() ?? 0)
                #expect(entry.isUsed == satellite.isUsed)
            }
        }
    }

    /// A satellite of either list.
    private struct Entry {
        var id: SatelliteID?
        var elevation: Double?
        var azimuth: Int16
        var cn0: UInt8
        var isUsed: Bool

        init(
            _ id: SatelliteID?, _ elevation: Double?, _ azimuth: Int16, _ cn0: UInt8, _ used: Bool
        ) {
            (self.id, self.elevation, self.azimuth, self.cn0) = (id, elevation, azimuth, cn0)
            isUsed = used
        }
    }

    @Test(arguments: [Personality.ublox10, .f9p])
    func `the signals keep their numbers`(_ personality: Personality) throws {
        let epoch = try #require(UBXRun(.ubx(personality), epochs: 1).epochs.first)
        let sig = try #require(epoch.first(NavSIG.self))
        let observed = epoch.observation.satellites.flatMap { satellite in
            satellite.signals.map { "\(satellite.id) \($0.signal)" }
        }
        let sent = try sig.signals.map { signal in
            let id = try #require(signal.satellite)
            let number = try #require(id.constellation.nmeaSignal(ofUBX: signal.signalID))
            return "\(id) \(number)"
        }
        #expect(sent == observed)
        let glonass = sig.signals.filter { $0.gnssID == 6 }
        #expect(!glonass.isEmpty && glonass.allSatisfy { $0.frequencyID <= 13 })
    }
}
