// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

/// The climb of a receiver that does not report it.
@Suite(.timeLimit(.generous))
struct AltitudeTrendTests {
    private func fix(_ seconds: Double, _ altitude: Double?) -> Fix {
        var fix = Fix()
        fix.mode = altitude == nil ? .twoD : .threeD
        fix.coordinate = Coordinate(latitude: 48, longitude: 16)
        fix.time = UTCTime(unixNanoseconds: 1_774_094_400_000_000_000 + Int64(seconds * 1e9))
        fix.altitude = altitude
        return fix
    }

    private func slopes(_ fixes: [Fix]) -> [Double?] {
        var trend = AltitudeTrend()
        return fixes.map {
            trend.add($0)
            return trend.slope
        }
    }

    @Test(arguments: [0.02, 0.1, 1])
    func `the climb is known after five seconds and follows the last ten`(_ step: Double) throws {
        let count = Int(40 / step)
        // 2 m/s up, from the 20th second on 1 m/s down.
        let fixes = (0..<count).map { index in
            let seconds = Double(index) * step
            return fix(seconds, seconds <= 20 ? 100 + 2 * seconds : 160 - seconds)
        }
        let slopes = slopes(fixes)
        #expect(slopes[Int(4.5 / step)] == nil)
        let early = try #require(slopes[Int(6 / step)])
        let late = try #require(slopes[Int(35 / step)])
        #expect(abs(early - 2) < 1e-6)
        #expect(abs(late + 1) < 1e-6)
    }

    @Test func `the climb keeps its precision over a day`() throws {
        var trend = AltitudeTrend()
        for second in 0..<86_400 { trend.add(fix(Double(second), 8000 - Double(second) / 16)) }
        #expect(abs(try #require(trend.slope) + 0.0625) < 1e-6)
    }

    @Test func `two altitudes far apart are enough, up to a minute`() throws {
        let slopes = slopes([fix(0, 100), fix(30, 130), fix(60, 100), fix(150, 400)])
        #expect(slopes == [nil, 1, -1, nil])
    }

    @Test func `a missing altitude or a step back in time restarts the measurement of climb`() {
        let climb = (0..<10).map { fix(Double($0), 100 + Double($0)) }
        #expect(slopes(climb + [fix(10, nil), fix(11, 300)]).suffix(2) == [nil, nil])
        #expect(slopes(climb + [fix(3, 300)]).last == .some(nil))
    }

    @Test func `gpsd's reports have the computed climb if the receiver does not send one`() {
        var reports = GPSDReports(device: "gps")
        for second in 0..<9 {
            var fix = fix(Double(second), 100 + Double(second) / 2)
            if second == 8 { fix.climb = 0.25 }
            reports.report(fix)
        }
        let bytes = reports.bytes
        let text = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.prefix(5).allSatisfy { !$0.contains("climb") })
        #expect(lines[5...7].allSatisfy { $0.contains(#""climb":0.500,"#) }, "\(lines)")
        #expect(lines[8].contains(#""climb":0.250,"#))
    }
}
