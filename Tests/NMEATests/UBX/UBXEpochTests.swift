// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSTestTraits
import NMEA
import Testing
import UBX

@Suite(.timeLimit(.generous)) struct UBXEpochTests {
    private func dilutions(after milliseconds: Int) -> [UInt8] {
        var message = NavDOP()
        message.timeOfWeekMilliseconds = UBXStream.noon + UInt32(milliseconds)
        message.horizontal = 0.9
        return message.frame
    }

    @Test func `every message that contributes is in the list`() throws {
        let list = try PackageFile.text("Sources/NMEA/UBX/EpochMessage.swift")
        let folder = PackageFile.folder + "/Sources/NMEA/UBX"
        var messages: [String] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            messages += try PackageFile.text("Sources/NMEA/UBX/\(file)")
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
