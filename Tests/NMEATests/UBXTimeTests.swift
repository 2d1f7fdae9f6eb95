// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSTestTraits
import NMEA
import Testing
import UBX

@Suite(.timeLimit(.generous)) struct UBXTimeTests {
    private func time(_ change: (inout NavPVT) -> Void) -> String? {
        UBXStream.decode(UBXStream.pvt(change).frame).fixes.first?.time?.description
    }

    @Test func `a fraction that is negative belongs to the second before, also at midnight`() {
        #expect(time { $0.nanoseconds = -300_000 } == "2026-03-21T12:00:00.000Z")
        #expect(time { $0.nanoseconds = -200_000_000 } == "2026-03-21T11:59:59.800Z")
        let midnight = time {
            ($0.hour, $0.nanoseconds) = (0, -5_000_000)
        }
        #expect(midnight == "2026-03-20T23:59:59.995Z")
    }

    @Test
    func
        `a fraction of more than half a second belongs to the second before, also in a leap second`()
    {
        func leap(_ nanoseconds: Int32) -> String? {
            time {
                ($0.year, $0.month, $0.day) = (2016, 12, 31)
                ($0.hour, $0.minute, $0.second) = (23, 59, 60)
                $0.nanoseconds = nanoseconds
            }
        }
        #expect(leap(-600_000_000) == "2016-12-31T23:59:59.400Z")
        #expect(leap(-1_000_000_000) == "2016-12-31T23:59:59.000Z")
        #expect(leap(-400_000) == "2016-12-31T23:59:60.000Z")
        #expect(leap(999_400_000) == "2016-12-31T23:59:60.999Z")
        #expect(leap(999_900_000) == "2017-01-01T00:00:00.000Z")
        for milliseconds: Int32 in [501, 600, 750, 999] {
            let read = time { $0.nanoseconds = -milliseconds * 1_000_000 }
            #expect(read == "2026-03-21T11:59:59.\(String(2000 - milliseconds).suffix(3))Z")
        }
    }

    @Test(arguments: [1_000_000_001, -1_000_000_001, .max, .min] as [Int32])
    func `with an impossible fraction, the time is known to the second`(_ nanoseconds: Int32) throws
    {
        let frame = UBXStream.pvt { $0.nanoseconds = nanoseconds }.frame
        let fix = try #require(UBXStream.decode(frame).fixes.first)
        #expect(fix.time?.description == "2026-03-21T12:00:00.000Z")
        #expect(fix.receiverClock?.bias == nil)
        var solution = NavSOL()
        solution.timeOfWeekMilliseconds = UBXStream.noon
        (solution.week, solution.fixType) = (2410, .threeD)
        solution.flags = NavSOL.Flags(rawValue: 0b1101)
        solution.nanoseconds = nanoseconds
        let old = try #require(UBXStream.decode(solution.frame).fixes.first)
        #expect(old.time?.time.nanosecond == 0)
    }

    @Test func `a year out of range is not a time, and decoding continues`() {
        for year in [UInt16(2263), 9999, 65_535] {
            let bytes = UBXStream.pvt {
                ($0.year, $0.nanoseconds) = (year, 600_000_000)
            }.frame
            let fixes = UBXStream.decode(bytes, UBXStream.pvt(after: 1000).frame).fixes
            #expect(fixes.last?.time?.date.year == 2026)
        }
    }

    @Test func `a leap second is a time`() {
        let leap = time {
            ($0.hour, $0.minute, $0.second) = (23, 59, 60)
            $0.nanoseconds = 500_000_000
        }
        #expect(leap == "2026-03-21T23:59:60.500Z")
    }

    @Test(arguments: [true, false])
    func `a list before its solution has its time, also after a leap second`(isDated: Bool) {
        var bytes: [UInt8] = []
        for (index, second) in [0, 250, 500, 750, 1000, 1250].enumerated() {
            let solution = UBXStream.pvt {
                $0.timeOfWeekMilliseconds += UInt32(second)
                ($0.hour, $0.minute, $0.second) = (23, 59, 60)
                $0.nanoseconds = Int32(second % 1000) * 1_000_000
                if second >= 1000 { ($0.day, $0.hour, $0.minute, $0.second) = (22, 0, 0, 0) }
                if !isDated { $0.validity = NavPVT.Validity(rawValue: 2) }
            }
            let list = UBXStream.satellites(after: second).frame
            bytes += index == 0 ? solution.frame : list + solution.frame
        }
        let fixes = UBXStream.decode(bytes).fixes
        #expect(fixes.map(\.timeOfDay?.second) == [60, 60, 60, 60, 0, 0])
        #expect(fixes.allSatisfy { $0.coordinate != nil })
    }

    @Test func `a time that the receiver does not know yet is absent`() throws {
        let message = UBXStream.pvt { $0.validity = NavPVT.Validity(rawValue: 0) }
        let fix = try #require(UBXStream.decode(message.frame).fixes.first)
        #expect(fix.time == nil && fix.timeOfDay == nil)
        let undated = UBXStream.pvt { $0.validity = NavPVT.Validity(rawValue: 2) }
        let timed = try #require(UBXStream.decode(undated.frame).fixes.first)
        #expect(timed.time == nil && timed.timeOfDay?.hour == 12)
    }

    @Test func `a time without leap seconds may be a second off`() throws {
        let known = try #require(UBXStream.decode(UBXStream.pvt().frame).fixes.first)
        #expect(known.accuracy.time == 20e-9)
        let message = UBXStream.pvt { $0.validity = NavPVT.Validity(rawValue: 0b011) }
        let unknown = try #require(UBXStream.decode(message.frame).fixes.first)
        #expect(unknown.accuracy.time == 1 && unknown.time == known.time)
    }

    @Test func `messages with only a time of week belong to the epoch with the same time`() throws {
        var dilutions = NavDOP()
        dilutions.timeOfWeekMilliseconds = UBXStream.noon + 1000
        dilutions.horizontal = 0.7
        // The DOPs of the second epoch precede its solution.
        let fixes = UBXStream.decode(
            UBXStream.pvt().frame, dilutions.frame, UBXStream.pvt(after: 1000).frame
        ).fixes
        #expect(fixes.map(\.dilution.hdop) == [nil, 0.7])
        #expect(fixes.map { $0.time?.time.second } == [0, 1])
    }

    @Test func `messages of two epochs are not mixed while the time is not known`() {
        var dilutions = NavDOP()
        dilutions.timeOfWeekMilliseconds = UBXStream.noon + 1000
        dilutions.horizontal = 0.7
        let solutions = [0, 1000].map { after in
            UBXStream.pvt(after: after) { $0.validity = NavPVT.Validity(rawValue: 0) }.frame
        }
        let fixes = UBXStream.decode(solutions[0], dilutions.frame, solutions[1]).fixes
        #expect(fixes.map(\.dilution.hdop) == [nil, 0.7])
    }

    @Test func `a late message does not describe the current epoch`() {
        var dilutions = NavDOP()
        dilutions.timeOfWeekMilliseconds = UBXStream.noon
        dilutions.horizontal = 0.7
        let fixes = UBXStream.decode(
            UBXStream.pvt().frame, UBXStream.pvt(after: 1000).frame, dilutions.frame
        ).fixes
        #expect(fixes.map(\.dilution.hdop) == [nil, nil])
    }

    @Test func `a receiver without UTC that sets its clock back by seconds loses one epoch`() {
        let seconds = Array(0..<6) + Array(1..<4)
        let bytes = seconds.flatMap { second in
            var (position, status) = (NavPOSLLH(), NavSTATUS())
            position.timeOfWeekMilliseconds = UBXStream.noon + UInt32(second * 1000)
            (position.latitude, position.longitude, position.horizontalAccuracy) = (48, 16, 5)
            position.altitude = Double(second)
            status.timeOfWeekMilliseconds = position.timeOfWeekMilliseconds
            (status.fixType, status.flags) = (.threeD, NavSTATUS.Flags(rawValue: 1))
            return position.frame + status.frame
        }
        #expect(UBXStream.decode(bytes).fixes.map(\.altitude) == [0, 1, 2, 3, 4, 5, 2, 3])
    }

    @Test func `the time of NAV-SOL dates the messages of later epochs, too`() {
        var bytes: [UInt8] = []
        for second in 0..<20 {
            var solution = NavSOL()
            solution.timeOfWeekMilliseconds = UBXStream.noon + UInt32(second * 1000)
            (solution.week, solution.fixType) = (2410, .threeD)
            solution.flags = NavSOL.Flags(rawValue: 0b1101)
            (solution.x, solution.y, solution.z) = (4_085_896, 1_200_385, 4_732_884)
            var position = NavPOSLLH()
            position.timeOfWeekMilliseconds = solution.timeOfWeekMilliseconds
            (position.latitude, position.longitude, position.horizontalAccuracy) = (48, 16, 5)
            position.altitude = Double(second)
            if second % 2 == 0 { bytes += position.frame }
            bytes += solution.frame
        }
        let altitudes: [Double?] = (0..<20).map { $0 % 2 == 0 ? Double($0) : nil }
        #expect(Transcript([ArraySlice(bytes)]).fixes.map(\.altitude) == altitudes)
    }

    @Test func `the time of a sentence does not replace the more precise one of a message`() {
        let sentence = line("GNRMC,120000.12,A,4812.4900,N,01622.4300,E,0.0,,210326,,,A").bytes
        let message = UBXStream.pvt(after: 125).frame
        for bytes in [message + sentence, sentence + message] {
            let fixes = UBXStream.decode(bytes).fixes
            #expect(fixes.map { $0.time?.description } == ["2026-03-21T12:00:00.125Z"])
        }
    }

    @Test func `a sentence whose time is rounded to the next day does not change the day`() {
        let solution = UBXStream.pvt {
            ($0.hour, $0.minute, $0.second, $0.nanoseconds) = (23, 59, 59, 999_000_000)
        }
        let sentence = line("GNRMC,000000.00,A,4812.4900,N,01622.4300,E,0.0,,220326,,,A").bytes
        for bytes in [solution.frame + sentence, sentence + solution.frame] {
            let fixes = UBXStream.decode(bytes).fixes
            #expect(fixes.map { $0.time?.description } == ["2026-03-21T23:59:59.999Z"])
        }
    }

    @Test func `epochs continue when the week begins`() {
        var bytes: [UInt8] = []
        for second in 0..<4 {
            // The week begins at 23:59:42 UTC on Saturday.
            let message = UBXStream.pvt {
                ($0.hour, $0.minute, $0.second) = (23, 59, UInt8(40 + second))
                $0.timeOfWeekMilliseconds = UInt32((604_798 + second) % 604_800 * 1000)
            }
            var list = UBXStream.satellites()
            list.timeOfWeekMilliseconds = message.timeOfWeekMilliseconds
            bytes += message.frame + list.frame
        }
        let decoded = Transcript([ArraySlice(bytes)])
        #expect(decoded.fixes.map { $0.time?.time.second } == [40, 41, 42, 43])
        #expect(decoded.fixes.allSatisfy { $0.satellitesInView == 2 })
    }

    @Test func `steps of 999 and 1001 milliseconds lose and repeat no epoch`() {
        let times = [0, 1000, 1999, 3000, 4000]
        let bytes = times.flatMap { UBXStream.pvt(after: $0).frame + UBXStream.end(after: $0) }
        #expect(Transcript([ArraySlice(bytes)]).fixes.count == times.count)
    }

    @Test func `leap seconds that the receiver reports replace the built-in ones`() throws {
        var message = NavTIMEGPS()
        (message.timeOfWeekMilliseconds, message.week) = (UBXStream.noon, 2410)
        (message.leapSeconds, message.validity) = (19, NavTIMEGPS.Validity(rawValue: 7))
        let fix = try #require(UBXStream.decode(message.frame).fixes.first)
        #expect(fix.time?.description == "2026-03-21T11:59:59.000Z")
    }

    @Test func `a time of week of another recording does not belong to the last epoch`() throws {
        var (position, status, time) = (NavPOSLLH(), NavSTATUS(), NavTIMEGPS())
        position.timeOfWeekMilliseconds = UBXStream.noon
        (position.latitude, position.longitude, position.horizontalAccuracy) = (48, 16, 5)
        (status.timeOfWeekMilliseconds, status.fixType) = (UBXStream.noon, .threeD)
        status.flags = NavSTATUS.Flags(rawValue: 1)
        (time.timeOfWeekMilliseconds, time.week) = (UBXStream.noon, 2410)
        (time.leapSeconds, time.validity) = (18, NavTIMEGPS.Validity(rawValue: 7))
        var earlier = time
        earlier.timeOfWeekMilliseconds -= 3_600_000
        let first = position.frame + status.frame + time.frame
        for last in [line("GNZDA,110000.00,21,03,2026,00,00").bytes, earlier.frame] {
            let fixes = UBXStream.decode(last, first).fixes
            let fix = try #require(fixes.first { $0.coordinate != nil })
            #expect(fix.time?.description == "2026-03-21T12:00:00.000Z")
        }
        // Sentences of the same instant are of the same epoch.
        let same = UBXStream.decode(line("GNZDA,120000.00,21,03,2026,00,00").bytes, first).fixes
        #expect(same.count == 1)
    }

    @Test func `valid leap seconds are reported`() {
        var message = NavTIMEGPS()
        message.timeOfWeekMilliseconds = UBXStream.noon
        (message.leapSeconds, message.validity) = (18, NavTIMEGPS.Validity(rawValue: 7))
        #expect(
            UBXStream.decode(UBXStream.pvt().frame, message.frame).fixes.first?.leapSeconds == 18)
        message.validity = NavTIMEGPS.Validity(rawValue: 3)
        #expect(
            UBXStream.decode(UBXStream.pvt().frame, message.frame).fixes.first?.leapSeconds == nil)
    }

    @Test func `the receiver's clock has a bias below a millisecond, and a drift`() {
        var clock = NavCLOCK()
        (clock.timeOfWeekMilliseconds, clock.drift) = (UBXStream.noon, -370)
        clock.bias = 112_233
        let solution = UBXStream.pvt { $0.nanoseconds = -2_000_250 }
        let fix = UBXStream.decode(solution.frame, clock.frame).fixes.first
        #expect(fix?.receiverClock?.bias == -250 && fix?.receiverClock?.drift == -370)
        #expect(fix?.receiverClock?.reportedBias == 112_233)
        let unknown = UBXStream.pvt { $0.validity = NavPVT.Validity(rawValue: 1) }
        #expect(UBXStream.decode(unknown.frame).fixes.first?.receiverClock == nil)
    }

    @Test func `a solution at the same time of the next day is another epoch`() {
        let days: [[UInt8]] = (0..<4).map { day in
            let milliseconds = day * 86_400_000
            return UBXStream.pvt {
                $0.day += UInt8(day)
                $0.timeOfWeekMilliseconds =
                    (UBXStream.noon + UInt32(milliseconds)) % 604_800_000
            }.frame
        }
        let fixes = UBXStream.decode(days.flatMap { $0 }).fixes
        #expect(fixes.map { $0.time?.date.day } == [21, 22, 23, 24])
    }
}

@Suite(.timeLimit(.generous)) struct UBXEpochTests {
    private func dilutions(after milliseconds: Int) -> [UInt8] {
        var message = NavDOP()
        message.timeOfWeekMilliseconds = UBXStream.noon + UInt32(milliseconds)
        message.horizontal = 0.9
        return message.frame
    }

    @Test func `every message that contributes is in the list`() throws {
        let list = try PackageFile.text("Sources/Values/NMEA/UBX/EpochMessage.swift")
        let folder = PackageFile.folder + "/Sources/Values/NMEA/UBX"
        var messages: [String] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            messages += try PackageFile.text("Sources/Values/NMEA/UBX/\(file)")
                .matches(of: /(?m)^extension (\w+): (Timed|Epoch)Message\b/).map { String($0.1) }
        }
        #expect(messages.count > 20)
        for name in messages {
            #expect(list.contains("\(name).self"), "add to EpochMessage.swift: \(name).self,")
        }
    }

    @Test func `answers to polls repeat messages of their epoch, and do not split it`() {
        var bytes: [UInt8] = []
        for after in stride(from: 0, to: 4000, by: 1000) {
            let solution = UBXStream.pvt(after: after).frame
            let list = UBXStream.satellites(after: after).frame
            bytes += solution + solution + list + list + solution + list
            bytes += dilutions(after: after) + dilutions(after: after)
            bytes += UBXStream.end(after: after) + UBXStream.end(after: after)
        }
        let decoded = Transcript([ArraySlice(bytes)])
        #expect(decoded.fixes.count == 4)
        #expect(decoded.fixes.allSatisfy { $0.mode == .threeD && $0.dilution.hdop == 0.9 })
        let views: [SatelliteView] = decoded.events.compactMap {
            if case .satellites(let view) = $0 { view } else { nil }
        }
        #expect(views.count == 4)
        #expect(views.allSatisfy { $0.counts.used == 1 })
    }

    /// Returns epochs of one second. Those in `solutions` have a solution, all have satellites.
    private func epochs(_ count: Int, solutions: Set<Int>) -> Transcript {
        let bytes = (0..<count).flatMap { second -> [UInt8] in
            (solutions.contains(second) ? UBXStream.pvt(after: second * 1000).frame : [])
                + UBXStream.satellites(after: second * 1000).frame
                + UBXStream.end(after: second * 1000)
        }
        return Transcript([ArraySlice(bytes)])
    }

    @Test func `an epoch whose solution is missing is not a lost fix`() {
        let decoded = epochs(6, solutions: [0, 1, 3, 5])
        #expect(decoded.fixes.map { $0.time?.time.second } == [0, 1, 3, 5])
        #expect(decoded.fixes.allSatisfy { $0.mode == .threeD })
        let views: [SatelliteView] = decoded.events.compactMap {
            if case .satellites(let view) = $0 { view } else { nil }
        }
        #expect(views.map { $0.time?.time.second } == [0, 1, 2, 3, 4, 5])
        #expect(views.allSatisfy { $0.counts.used == 1 })
    }

    @Test func `a stream that begins within an epoch loses only the fix of that epoch`() {
        let fixes = epochs(3, solutions: [1, 2]).fixes.filter { $0.mode == .threeD }
        #expect(fixes.map { $0.time?.time.second } == [1, 2])
    }

    @Test func `after three seconds without a solution the fix is lost`() {
        let fixes = epochs(7, solutions: [0, 1]).fixes
        #expect(fixes.map { $0.time?.time.second } == [0, 1, 5, 6])
        #expect(fixes.map(\.mode) == [.threeD, .threeD, .noFix, .noFix])
    }

    @Test func `an epoch with only the report of a fix is not a lost fix`() {
        var bytes: [UInt8] = []
        for second in 0..<5 {
            var status = NavSTATUS()
            status.timeOfWeekMilliseconds = UBXStream.noon + UInt32(second * 1000)
            (status.fixType, status.flags) = (.threeD, NavSTATUS.Flags(rawValue: 1))
            if second != 3 { bytes += UBXStream.pvt(after: second * 1000).frame }
            bytes += status.frame + UBXStream.end(after: second * 1000)
        }
        let fixes = Transcript([ArraySlice(bytes)]).fixes
        #expect(fixes.map { $0.time?.time.second } == [0, 1, 2, 4])
        #expect(fixes.allSatisfy { $0.mode == .threeD })
    }

    @Test func `a solution after the other messages is found, also if it was missing at first`() {
        var bytes: [UInt8] = []
        for second in 0..<12 {
            var time = NavTIMEGPS()
            time.timeOfWeekMilliseconds = UBXStream.noon + UInt32(second * 1000)
            (time.week, time.leapSeconds) = (2410, 18)
            time.validity = NavTIMEGPS.Validity(rawValue: 7)
            bytes += time.frame + UBXStream.satellites(after: second * 1000).frame
            if second >= 6 { bytes += UBXStream.pvt(after: second * 1000).frame }
        }
        let fixes = Transcript([ArraySlice(bytes)]).fixes.filter { $0.mode == .threeD }
        #expect(fixes.compactMap { $0.time?.time.second } == Array(6..<12))
    }

    @Test func `the satellites of an epoch without a solution have its time`() {
        let decoded = UBXStream.decode(
            UBXStream.pvt().frame, UBXStream.satellites(after: 2000).frame,
            UBXStream.pvt(after: 3000).frame)
        let views: [SatelliteView] = decoded.events.compactMap {
            if case .satellites(let view) = $0 { view } else { nil }
        }
        #expect(views.map { $0.time?.time.second } == [2])
        #expect(decoded.fixes.map { $0.time?.time.second } == [0, 3])
    }

    @Test func `a message sent twice before the time is known does not split its epoch`() {
        let list = UBXStream.satellites().frame
        let fixes = UBXStream.decode(
            list + list, UBXStream.pvt().frame, UBXStream.end(), UBXStream.pvt(after: 1000).frame
        ).fixes
        #expect(fixes.map { $0.time?.time.second } == [0, 1])
        #expect(fixes.first?.satellitesInView == 2)
    }
}
