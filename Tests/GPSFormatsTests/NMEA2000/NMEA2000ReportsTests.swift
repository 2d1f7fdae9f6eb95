// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct NMEA2000ReportsTests {
    private let start = MonotonicInstant.now

    private static func fix(_ mode: FixMode = .threeD) -> Fix {
        var fix = Fix()
        (fix.mode, fix.quality) = (mode, .autonomous)
        fix.coordinate = Coordinate(latitude: 1, longitude: 2)
        return fix
    }

    /// Returns how often each group is sent for epochs at a rate, in ten seconds.
    private func counts(rate: Int, jitter: Duration = .zero) -> [UInt32: Int] {
        var reports = NMEA2000Reports()
        var counts: [UInt32: Int] = [:]
        for index in 0..<rate * 10 {
            let late = index % 2 == 0 ? Duration.zero : jitter
            let now = start + .seconds(index) / rate + late
            let messages = reports.messages(
                of: Self.fix(), SatelliteView(), origin: .live, clockTime: nil, at: now)
            for message in messages { counts[message.group.rawValue, default: 0] += 1 }
        }
        return counts
    }

    @Test func `every epoch of a receiver has a position, and every second the others`() {
        let counts = counts(rate: 5)
        #expect(counts[129025] == 50)
        #expect(counts[129026] == 50)
        // The second one is early, so that a late epoch is not left out.
        #expect(counts[129029] == 11)
        #expect(counts[129539] == 11)
        #expect(counts[129540] == 11)
    }

    @Test(arguments: [10, 20, 25, 50])
    func `positions are sent at most ten times a second`(rate: Int) {
        let count = counts(rate: rate)[129025] ?? 0
        #expect(95...101 ~= count)
    }

    @Test func `alternately late epochs are not lost`() {
        #expect(counts(rate: 1, jitter: .milliseconds(150))[129029] == 10)
        #expect(counts(rate: 10, jitter: .milliseconds(20))[129025] == 100)
    }

    @Test func `the end of a fix is sent at once, in all messages`() {
        var reports = NMEA2000Reports()
        func groups(_ fix: Fix, after milliseconds: Int) -> [UInt32] {
            reports.messages(
                of: fix, SatelliteView(), origin: .live, clockTime: nil,
                at: start + .milliseconds(milliseconds)
            ).map(\.group.rawValue)
        }
        let all: [UInt32] = [129539, 129025, 129026, 129029, 129540]
        #expect(groups(Self.fix(), after: 0) == all)
        #expect(groups(Self.fix(), after: 10) == [])
        #expect(groups(Self.fix(.noFix), after: 20) == all)
        #expect(groups(Self.fix(), after: 30) == all)
    }

    @Test func `a lost receiver has no position, which is sent once`() {
        var reports = NMEA2000Reports()
        #expect(reports.lost(at: start).isEmpty)
        _ = reports.messages(
            of: Self.fix(), SatelliteView(), origin: .live, clockTime: nil, at: start)
        let lost = reports.lost(at: start)
        let position = lost.first { $0.group == .position }
        #expect(position?.bytes == [255, 255, 255, 127, 255, 255, 255, 127])
        #expect(lost.count == 5)
        #expect(reports.lost(at: start).isEmpty)
    }

    @Test func `the complete fix is the first message about a lost receiver`() {
        var reports = NMEA2000Reports()
        _ = reports.messages(
            of: Self.fix(), SatelliteView(), origin: .simulated, clockTime: nil, at: start)
        let groups = reports.lost(at: start).map(\.group.rawValue)
        #expect(groups == [129029, 129539, 129025, 129026, 129540])
    }

    @Test func `the messages of an epoch have the same number, which counts up to 252`() {
        var reports = NMEA2000Reports()
        var numbers: [UInt8] = []
        for index in 0..<254 {
            let messages = reports.messages(
                of: Self.fix(), SatelliteView(), origin: .live, clockTime: nil,
                at: start + .seconds(index))
            let epoch = Set(messages.filter { $0.group != .position }.compactMap(\.bytes.first))
            #expect(epoch.count == 1)
            numbers += epoch
        }
        #expect(numbers == Array(1...252) + [0, 1])
    }

    @Test func `a compass has no position`() {
        var fix = Fix()
        fix.attitude.heading = 90
        var reports = NMEA2000Reports()
        let messages = reports.messages(
            of: fix, SatelliteView(), origin: .live, clockTime: nil, at: start)
        #expect(messages.isEmpty)
    }
}
