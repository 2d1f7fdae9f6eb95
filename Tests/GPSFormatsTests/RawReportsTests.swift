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
            reports.push(Array(part), device: "/dev/a", subframes: true) {
                #expect(!$1)
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

    private static func inertial(_ payload: [UInt8], number: UInt8 = 0x02) -> [String] {
        var reports = RawReports()
        var lines: [String] = []
        reports.push(
            UBXFrame.bytes(UBXMessageID(0x10, number), payload: payload), device: "/dev/a",
            subframes: false
        ) { line, _ in
            lines.append(String(decoding: line, as: UTF8.self))
        }
        return lines
    }

    // Frames of ublox-neo-m8l.log; the values are those that gpsd writes.
    @Test func `accelerations and rates of a receiver's sensors have gpsd's names`() {
        let acceleration = Self.inertial(
            [79, 94, 17, 0, 0x18, 0x18, 0, 0, 190, 2, 0, 16, 225, 0, 0, 17, 26, 47, 0, 18]
                + [79, 94, 17, 0])
        let head = #"{"class":"IMU","device":"/dev/a","msg":"UBX-ESF-MEAS","timeTag":"#
        #expect(
            acceleration == [
                head + #"1138255,"acc_x":0.68555,"acc_y":0.21973,"acc_z":11.77539}"# + "\r\n"
            ])
        let rates: [UInt8] =
            [74, 94, 17, 0, 0x18, 0x20, 0, 0, 0x98, 0xFF, 0xFF, 14, 0x6D, 0xB4, 0, 13]
            + [0x62, 0xE1, 0xFF, 5, 0x31, 12, 0, 12, 74, 94, 17, 0]
        let written =
            head + #"1138250,"gyro_temp":31.21,"gyro_x":-0.02539,"gyro_y":11.27661,"#
            + #""gyro_z":-1.91357}"# + "\r\n"
        #expect(Self.inertial(rates) == [written])
        // Without the number of measurements.
        var old = rates
        old[5] = 0
        #expect(Self.inertial(old) == [written])
    }

    // The values are those that gpsdecode 3.25 writes.
    @Test func `raw measurements are divided by their times`() {
        func block(_ type: UInt8, _ value: Int, _ time: UInt8) -> [UInt8] {
            [0, 8, 16].map { UInt8(truncatingIfNeeded: value >> $0) } + [type, time, 0, 0, 0]
        }
        let first = block(16, 1024, 100) + block(17, -2048, 100) + block(12, 2550, 100)
        let second = block(16, 1030, 110) + block(14, 4100, 110)
        let head = #"{"class":"IMU","device":"/dev/a","msg":"UBX-ESF-RAW","timeTag":"#
        let lines = [
            head + #"100,"acc_x":1.00000,"acc_y":-2.00000,"gyro_temp":25.50}"# + "\r\n",
            head + #"110,"acc_x":1.00586,"gyro_x":1.00098}"# + "\r\n",
        ]
        let payload = [0, 0, 0, 0] + first + second
        #expect(Self.inertial(payload, number: 0x03) == lines)
        // Cut off within the last measurement.
        #expect(Self.inertial(payload.dropLast(1), number: 0x03).first == lines[0])
        #expect(Self.inertial([0, 0, 0, 0, 1], number: 0x03).isEmpty)
    }

    @Test(
        arguments: [
            [0x8F, 0x5E, 0x11, 0, 0x18, 8, 0, 0, 0, 0, 0, 10, 0x8F, 0x5E, 0x11, 0], [1, 0, 0, 0],
            [1, 0, 0, 0, 8, 0xF8, 0, 0], [1, 0, 0, 0, 8, 0, 0, 0], [],
        ] as [[UInt8]])
    func `ticks of a wheel and damaged messages are no inertial measurements`(payload: [UInt8]) {
        #expect(Self.inertial(payload).isEmpty)
    }

    @Test func `an object is short enough for libgps, and without measurements there is none`()
        throws
    {
        var reports = RawReports()
        var lines: [[UInt8]] = []
        let bytes = Self.epoch(60) + Self.epoch(0)
        reports.push(bytes, device: "/dev/a", subframes: false) { line, _ in lines.append(line) }
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        #expect(line.count < 10_240)
        let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        #expect((object?["rawdata"] as? [Any])?.count ?? 0 > 50)
    }
}
