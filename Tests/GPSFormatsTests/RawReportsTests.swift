// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSFormats
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous)) struct RawReportsTests {
    private static func epoch(_ count: Int = 2) -> [UInt8] {
        var epoch = RxmRAWX()
        (epoch.week, epoch.timeOfWeek) = (2400, 100.001)
        for index in 0..<count {
            var measurement = RxmRAWX.Measurement()
            (measurement.svid, measurement.cn0, measurement.lockTime) = (UInt8(1 + index), 45, 640)
            (measurement.pseudorange, measurement.carrierPhase) = (21_000_000.0625, 110_000_000.25)
            measurement.doppler = -1234.5
            measurement.tracking = RxmRAWX.Measurement.Tracking(rawValue: index == 1 ? 0 : 7)
            if index == 1 { (measurement.gnssID, measurement.frequencyID) = (6, 3) }
            epoch.measurements.append(measurement)
        }
        return epoch.frame
    }

    @Test func `measurements have gpsd's names, and what is not valid is left out`() {
        var reports = RawReports()
        var lines: [String] = []
        // In two pieces, after a sentence.
        let bytes = Array("$GPGGA,1\r\n".utf8) + Self.epoch()
        for part in [bytes.prefix(40), bytes.dropFirst(40)] {
            reports.push(Array(part), device: "/dev/a") {
                lines.append(String(decoding: $0, as: UTF8.self))
            }
        }
        #expect(
            lines == [
                #"{"class":"RAW","device":"/dev/a","time":1767484900,"nsec":1000000,"rawdata":["#
                    + #"{"gnssid":0,"svid":1,"sigid":0,"snr":45,"obs":"L1C","lli":0,"locktime":640,"#
                    + #""carrierphase":110000000.250,"pseudorange":21000000.063,"doppler":-1234.500},"#
                    + #"{"gnssid":6,"svid":2,"sigid":0,"freqid":3,"snr":45,"obs":"L1C","lli":2,"#
                    + #""locktime":640,"doppler":-1234.500}]}"# + "\r\n"
            ])
    }

    @Test func `an object is short enough for libgps, and without measurements there is none`()
        throws
    {
        var reports = RawReports()
        var lines: [[UInt8]] = []
        reports.push(Self.epoch(60) + Self.epoch(0), device: "/dev/a") { lines.append($0) }
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        #expect(line.count < 10_240)
        let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        #expect((object?["rawdata"] as? [Any])?.count ?? 0 > 50)
    }
}
