// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

/// The members of satellites in a `SKY`, and those of a `TPV` that few receivers report.
@Suite(.timeLimit(.generous)) struct SatelliteReportsTests {
    private func satellites(_ signals: [SatelliteSignal]) -> Substring {
        var reports = GPSDReports(device: "/dev/a")
        reports.report(SatelliteView(signals: signals))
        let bytes = reports.bytes
        let text = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        return text.split(separator: #""satellites":["#).last?.dropLast(3) ?? ""
    }

    @Test func `what a binary receiver reports is written in gpsd's order`() throws {
        let id = try #require(SatelliteID(.glonass, 3))
        var signal = SatelliteSignal(id: id, signal: 3, elevation: 77, azimuth: 26, cn0: 27)
        (signal.state.residual, signal.state.quality, signal.state.isHealthy) = (-12.34, 7, true)
        (signal.state.number, signal.state.frequency) = (2, 12)
        #expect(
            satellites([signal])
                == #"{"PRN":67,"gnssid":6,"svid":3,"sigid":2,"freqid":12,"az":26.0,"el":77.0,"#
                + #""prRes":-12.3,"qual":7,"ss":27.0,"used":false,"health":1}"#)
    }

    @Test func `what is not reported is absent`() throws {
        let id = try #require(SatelliteID(.gps, 5))
        #expect(
            satellites([SatelliteSignal(id: id)])
                == #"{"PRN":5,"gnssid":0,"svid":5,"used":false}"#)
        var signal = SatelliteSignal(id: id)
        signal.state.isHealthy = false
        // Impossible values cost only themselves.
        (signal.state.residual, signal.state.quality, signal.state.number) = (.nan, 8, -1)
        #expect(
            satellites([signal])
                == #"{"PRN":5,"gnssid":0,"svid":5,"used":false,"health":2}"#)
    }

    @Test(arguments: [
        (Constellation.gps, UInt8(1), Int?.none), (.gps, 6, 3), (.gps, 5, 4), (.gps, 8, 7),
        (.galileo, 7, nil), (.galileo, 2, 5), (.galileo, 1, 3), (.beiDou, 0xB, 2),
        (.glonass, 3, 2), (.glonass, 1, nil), (.navIC, 9, nil),
    ])
    func `signals of sentences have u-blox's number, and the main signal none`(
        _ constellation: Constellation, _ signal: UInt8, _ number: Int?
    ) throws {
        let id = try #require(SatelliteID(constellation, 5))
        let text = satellites([SatelliteSignal(id: id, signal: signal)])
        #expect(text.contains("sigid") == (number != nil))
        if let number { #expect(text.contains(#","sigid":\#(number),"used""#)) }
    }

    @Test func `the values of a satellite are those of its strongest signal`() throws {
        let id = try #require(SatelliteID(.gps, 5))
        var signals = [(UInt8(1), 33.0), (6, 41), (8, 40)].map { signal, cn0 in
            SatelliteSignal(id: id, signal: signal, cn0: cn0)
        }
        for index in signals.indices { signals[index].state.quality = index + 4 }
        #expect(
            satellites(signals)
                == #"{"PRN":5,"gnssid":0,"svid":5,"sigid":3,"qual":5,"ss":41.0,"used":false}"#)
    }

    private func report(_ fix: Fix) -> String {
        var reports = GPSDReports(device: "/dev/a")
        reports.report(fix)
        let bytes = reports.bytes
        return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }

    @Test func `an Earth-centred position, the clock and the datum are written with a position`() {
        var fix = Fix()
        fix.details.x = 4_158_801.17
        fix.details.velocityZ = -0.82
        fix.details.positionAccuracy = 13.34
        fix.details.datum = "WGS84"
        fix.receiverClock = ReceiverClock(bias: 3, drift: -333)
        fix.receiverClock?.reportedBias = -108_868
        #expect(!report(fix).contains("ecef") && !report(fix).contains("clock"))
        fix.coordinate = Coordinate(latitude: 48, longitude: 16)
        fix.complete(mode: .threeD, quality: nil)
        #expect(
            report(fix).contains(
                #","ecefx":4158801.1700,"ecefvz":-0.82,"ecefpAcc":13.3400,"datum":"WGS84","#
                    + #""clockbias":-108868,"clockdrift":-333"#))
        fix.solutionDetails = nil
        fix.receiverClock?.drift = nil
        #expect(!report(fix).contains("ecef") && !report(fix).contains("clock"))
    }
}
