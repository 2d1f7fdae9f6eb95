// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import SimulatedDevices
import Testing
import UBX

/// The changes that attacks make to the bytes of a receiver, compared with the same receiver without them.
@Suite(.timeLimit(.generous))
struct AttackTests {
    private static let start = 5

    private func runs(
        _ fault: String, _ personality: Personality = .f9p, seconds: Int = 60
    ) throws -> (attacked: [UBXRun.Epoch], true: [UBXRun.Epoch]) {
        let faults: FaultScript = [try Fault("\(Self.start)s: \(fault)")]
        return (
            UBXRun(.ubx(personality, faults), epochs: Self.start + seconds).epochs,
            UBXRun(.ubx(personality), epochs: Self.start + seconds).epochs
        )
    }

    private func cn0(_ epoch: UBXRun.Epoch) -> [Double] {
        (epoch.first(NavSAT.self)?.satellites ?? []).map { Double($0.cn0) }.filter { $0 > 0 }
    }

    private func mean(_ values: [Double]) -> Double {
        values.reduce(0, +) / Double(max(1, values.count))
    }

    private func deviation(_ values: [Double]) -> Double {
        let mean = mean(values)
        return self.mean(values.map { ($0 - mean) * ($0 - mean) }).squareRoot()
    }

    /// Returns the offset in metres north and east of the receiver without the attack.
    private func offset(_ epoch: UBXRun.Epoch, _ other: UBXRun.Epoch) throws -> (Double, Double) {
        let place = try #require(epoch.first(NavPVT.self))
        let truth = try #require(other.first(NavPVT.self))
        let way = Coordinate(latitude: place.latitude, longitude: place.longitude)
            .offset(from: Coordinate(latitude: truth.latitude, longitude: truth.longitude))
        return (way.north, way.east)
    }

    @Test func `before an attack and after it, the bytes are those without it`() throws {
        for fault in [
            "passing-jammer 12dB for 20s", "equal-power 400n for 20s", "drag-off 1n for 20s",
            "careful-drag 1n for 20s", "time-walk 200ns for 20s", "meacon 300e for 20s",
        ] {
            let (attacked, truth) = try runs(fault, seconds: 30)
            let same = zip(attacked, truth).map { $0.epoch.bytes == $1.epoch.bytes }
            #expect(
                same.prefix(5).allSatisfy { $0 } && same.suffix(5).allSatisfy { $0 }, "\(fault)")
            #expect(same[6..<25].allSatisfy { !$0 }, "\(fault)")
        }
    }

    @Test func `a passing jammer suppresses the signals, then the fix, and both return afterwards`()
        throws
    {
        let (attacked, truth) = try runs("passing-jammer 30dB for 60s", seconds: 65)
        let falls = zip(attacked, truth).map { mean(cn0($1)) - mean(cn0($0)) }
        let counts = attacked.map { cn0($0).count }
        #expect(falls[6] < 1.5 && falls[25] > 3 && falls[45] > 3 && falls[64] < 1.5)
        #expect(counts[35] == 0 && counts[33] < counts[6])
        #expect(attacked[35].first(NavPVT.self)?.hasPosition == false)
        #expect(attacked[68].first(NavPVT.self)?.hasPosition == true)
        let states = attacked.map { $0.first(SecSIG.self)?.jamming }
        var changes: [UBXJammingState?] = []
        for state in states where changes.last != state { changes.append(state) }
        #expect(
            changes == [UBXJammingState.none, .warning, .critical, .warning, UBXJammingState.none])
        let gains = attacked.compactMap { $0.first(MonRF.self)?.blocks.first?.gain }
        #expect(gains[35] < gains[0] / 5 && gains[68] == gains[0])
        let waves = attacked.compactMap { $0.first(MonRF.self)?.blocks.first?.continuousWave }
        #expect(waves[0] < 10 && waves[35] > 150)
    }

    @Test(arguments: [("0n", 0.0), ("400e", 400.0)])
    func `false signals of equal power are within a decibel, in place or beside it`(
        _ value: String, _ metres: Double
    ) throws {
        let (attacked, truth) = try runs("equal-power \(value)", seconds: 20)
        for (epoch, other) in zip(attacked, truth).dropFirst(Self.start) {
            let strengths = cn0(epoch)
            #expect(strengths.allSatisfy { 47...49 ~= $0 })
            #expect(strengths.count >= 10)
            let (north, east) = try offset(epoch, other)
            #expect(abs(north) < 0.01 && abs(east - metres) < 0.5)
        }
        let states = attacked.compactMap { $0.first(SecSIG.self)?.spoofing }
        #expect(states.count { $0 == .indicated } == 3 && states[Self.start] == .indicated)
        let status = try #require(attacked[Self.start].first(NavSTATUS.self))
        #expect(status.detection.spoofing == .indicated)
    }

    @Test(arguments: [("drag-off", 1.5), ("careful-drag", 1.5), ("drag-off", 10)])
    func `a drag-off moves at the given speed, without a step and with the velocity`(
        _ fault: String, _ speed: Double
    ) throws {
        let (attacked, truth) = try runs("\(fault) \(speed)s")
        var last = 0.0
        for (index, (epoch, other)) in zip(attacked, truth).enumerated() {
            let (north, east) = try offset(epoch, other)
            let velocity = try #require(epoch.first(NavPVT.self)).velocityNorth
            let before = try #require(other.first(NavPVT.self)).velocityNorth
            #expect(abs(east) < 0.05)
            if index > Self.start + 10 { #expect(abs(north - last + speed) < 0.05) }
            #expect(abs(north - last) < speed + 0.1)
            // The displacement in this second equals the mean of the velocities at its start and
            // end.
            #expect(abs(north - last - (velocity - before)) < speed / 10 + 0.05)
            last = north
        }
        let isEqual = deviation(cn0(attacked[30])) < 1.7
        #expect(isEqual == (fault == "drag-off"))
        #expect(deviation(cn0(truth[30])) > 2.5)
    }

    @Test func `a time walk drifts the time, and nothing else`() throws {
        let (attacked, truth) = try runs("time-walk 200ns")
        for (index, (epoch, other)) in zip(attacked, truth).enumerated() {
            let (walked, true_) = (
                try #require(epoch.first(NavPVT.self)), try #require(other.first(NavPVT.self))
            )
            #expect(
                walked.nanoseconds - true_.nanoseconds == Int32(200 * max(0, index - Self.start)))
            #expect(walked.latitude == true_.latitude && cn0(epoch) == cn0(other))
        }
    }

    @Test func `a repeater produces the position of its antenna, at rest, and a step of the time`()
        throws
    {
        let (attacked, truth) = try runs("meacon 300e", seconds: 60)
        let place = truth[Self.start].epoch.truth.state.coordinate.moved(north: 0, east: 300)
        for (epoch, other) in zip(attacked, truth).dropFirst(Self.start) {
            let pvt = try #require(epoch.first(NavPVT.self))
            let antenna = Coordinate(latitude: pvt.latitude, longitude: pvt.longitude)
            #expect(antenna.distance(to: place) < 15)
            #expect(pvt.groundSpeed < 1)
            // 300 m of air.
            #expect(pvt.nanoseconds == 1001)
            #expect(mean(cn0(epoch)) > mean(cn0(other)) + 2)
            #expect(deviation(cn0(epoch)) < deviation(cn0(other)))
        }
        let states = attacked.compactMap { $0.first(SecSIG.self)?.spoofing }
        #expect(states.count { $0 == .indicated } == 1)
    }

    @Test func `receivers of NMEA show an attack in GSV and GGA`() throws {
        let faults = try FaultScript("5s: equal-power 400n")
        let run = DecodedRun(.noon(.generic, faults), epochs: 15)
        let clean = DecodedRun(.noon(.generic), epochs: 15)
        let (fix, other) = (try #require(run.fixes.last), try #require(clean.fixes.last))
        let (place, truth) = (try #require(fix.coordinate), try #require(other.coordinate))
        #expect(abs(place.distance(to: truth) - 400) < 1)
        let heard = try #require(run.views.last).signals.compactMap(\.cn0)
        #expect(heard.count > 8 && heard.allSatisfy { 47...49 ~= $0 })
        let late = DecodedRun(.noon(.generic, try FaultScript("5s: meacon 300n")), epochs: 15)
        #expect(late.fixes.map(\.time) == clean.fixes.map(\.time))
    }
}
