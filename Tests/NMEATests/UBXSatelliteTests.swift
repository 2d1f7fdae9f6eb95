// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing
import UBX

@Suite(.timeLimit(.generous)) struct UBXSatelliteTests {
    private func views(_ bytes: [UInt8]) -> [SatelliteView] {
        Transcript([ArraySlice(bytes)]).events.compactMap {
            if case .satellites(let view) = $0 { view } else { nil }
        }
    }

    @Test func `a list of satellites becomes a view of its epoch`() throws {
        let bytes = UBXStream.pvt().frame + UBXStream.satellites().frame + UBXStream.end()
        let view = try #require(views(bytes).first)
        #expect(view.time?.description == "2026-03-21T12:00:00.000Z")
        #expect(view.satellites.map(\.id.description) == ["G05", "E11"])
        let gps = try #require(view.satellites.first)
        #expect(gps.elevation == 60 && gps.azimuth == 120 && gps.cn0 == 40 && gps.isUsed)
        let galileo = try #require(view.satellites.last)
        #expect(galileo.elevation == nil && galileo.azimuth == nil && galileo.cn0 == nil)
        #expect(!galileo.isUsed)
    }

    @Test func `signals have the elevations of their satellites, and satellites without one stay`()
        throws
    {
        var bytes: [UInt8] = []
        for index in 0..<3 {
            bytes += UBXStream.pvt(after: index * 1000).frame
            bytes += UBXStream.satellites(after: index * 1000).frame
            bytes += UBXStream.signals(after: index * 1000).frame
            bytes += UBXStream.end(after: index * 1000)
        }
        let all = views(bytes)
        #expect(all.count == 3)
        let view = try #require(all.last)
        #expect(view.signals.map(\.signal) == [1, 8, 0])
        #expect(view.signals.map(\.elevation) == [60, 60, nil])
        #expect(view.satellites.map(\.cn0) == [44, nil])
        #expect(view.counts.used == 1)
    }

    @Test func `a list replaces the one before, also satellites that have set`() throws {
        var later = UBXStream.satellites(after: 1000)
        later.satellites.removeLast()
        let bytes =
            UBXStream.pvt().frame + UBXStream.satellites().frame + UBXStream.end()
            + UBXStream.pvt(after: 1000).frame + later.frame + UBXStream.end(after: 1000)
        #expect(views(bytes).map { $0.counts.inView } == [2, 1])
    }

    @Test func `lists in sentences are ignored while complete lists are received`() throws {
        let gsv = line("GPGSV,1,1,02,05,60,120,40,07,30,200,33").bytes
        var bytes: [UInt8] = []
        for index in 0..<3 {
            bytes += UBXStream.pvt(after: index * 1000).frame
            bytes += UBXStream.satellites(after: index * 1000).frame + gsv
            bytes += UBXStream.end(after: index * 1000)
        }
        let decoded = Transcript([ArraySlice(bytes)])
        #expect(decoded.rejections.isEmpty)
        #expect(views(bytes).allSatisfy { $0.satellites.map(\.id.description) == ["G05", "E11"] })
    }

    @Test func `signals without a list of satellites do not hide the elevations of GSV`() throws {
        let gsv = line("GPGSV,1,1,02,05,60,120,40,07,30,200,33").bytes
        var bytes: [UInt8] = []
        for index in 0..<3 {
            bytes += UBXStream.pvt(after: index * 1000).frame
            bytes += UBXStream.signals(after: index * 1000).frame + gsv
            bytes += UBXStream.end(after: index * 1000)
        }
        let view = try #require(views(bytes).last)
        #expect(view.satellites.map(\.elevation) == [60, 30])
        #expect(view.satellites.map(\.isUsed) == [true, false])
    }

    @Test func `lists in sentences are not ignored after another receiver was plugged in`() {
        var decoder = NMEADecoder()
        let former = UBXStream.pvt().frame + UBXStream.satellites().frame + UBXStream.end()
        decoder.push(former.span) { _ in }
        decoder.restart { _ in }
        var views: [[String]] = []
        decoder.push(line("GPGSV,1,1,02,05,60,120,40,07,30,200,33").bytes.span) { _ in }
        decoder.silence {
            if case .satellites(let view) = $0 { views.append(view.satellites.map { "\($0.id)" }) }
        }
        #expect(views == [["G05", "G07"]])
    }

    @Test func `a list that is cut off contributes nothing`() {
        let whole = UBXStream.satellites().payload
        let frame = UBXFrame.bytes(NavSAT.id, payload: Array(whole.dropLast(3)))
        let decoded = UBXStream.decode(UBXStream.pvt().frame, frame)
        #expect(decoded.fixes.count == 1 && decoded.fixes.first?.satellitesInView == nil)
        #expect(decoded.statistics.ubxFrames == 2 && decoded.statistics.ubxDecoded == 1)
    }

    @Test func `the most precise corrections of the used satellites are the fix's source`() {
        var list = UBXStream.satellites()
        list.satellites[0].flags = NavSAT.Satellite.Flags(rawValue: 1 << 3 | 1 << 16 | 1 << 17)
        let fix = UBXStream.decode(UBXStream.pvt().frame, list.frame).fixes.first
        #expect(fix?.correctionSource == .rtcm)
        list.satellites[0].flags = NavSAT.Satellite.Flags(rawValue: 1 << 3 | 1 << 25)
        let galileo = UBXStream.decode(UBXStream.pvt().frame, list.frame).fixes.first
        #expect(galileo?.correctionSource == .has)
    }

    @Test func `a list that opens an epoch does not replace the view of the previous one`() {
        var bytes: [UInt8] = []
        for index in 0..<4 {
            var list = UBXStream.satellites(after: index * 1000)
            list.satellites[0].cn0 = UInt8(40 + index)
            bytes += list.frame + UBXStream.pvt(after: index * 1000).frame
        }
        let all = views(bytes)
        #expect(all.map { $0.time?.time.second } == [0, 1, 2, 3])
        #expect(all.map { $0.satellites.first?.cn0 } == [40, 41, 42, 43])
    }

    @Test(arguments: [true, false])
    func `signals before their satellites are one view with both`(isAfterFix: Bool) {
        var bytes: [UInt8] = []
        for index in 0..<6 {
            let solution = UBXStream.pvt(after: index * 1000).frame
            if isAfterFix { bytes += solution }
            bytes += UBXStream.signals(after: index * 1000).frame
            if !isAfterFix { bytes += solution }
            bytes += UBXStream.satellites(after: index * 1000).frame
        }
        let all = views(bytes)
        #expect(all.map { $0.time?.time.second } == [0, 1, 2, 3, 4, 5])
        for view in all {
            #expect(view.signals.map(\.signal) == [1, 8, 0])
            #expect(view.signals.map(\.elevation) == [60, 60, nil])
        }
    }

    @Test func `a list whose signals are missing is shown when its epoch is over`() {
        var bytes: [UInt8] = []
        for index in 0..<4 {
            bytes += UBXStream.pvt(after: index * 1000).frame
            bytes += UBXStream.satellites(after: index * 1000).frame
            if index != 2 { bytes += UBXStream.signals(after: index * 1000).frame }
        }
        #expect(views(bytes).map { $0.time?.time.second } == [0, 1, 2, 3])
    }

    @Test func `a satellite without signals does not keep the signal of an older list`() {
        var none = UBXStream.signals(after: 1000)
        none.signals = []
        var bytes = UBXStream.pvt().frame + UBXStream.satellites().frame
        bytes += UBXStream.signals().frame + UBXStream.end()
        bytes += UBXStream.pvt(after: 1000).frame + none.frame + UBXStream.end(after: 1000)
        let all = views(bytes)
        #expect(all.map { $0.satellites.first?.cn0 } == [44, nil])
        #expect(all.map { $0.satellites.first?.elevation } == [60, 60])
    }

    @Test func `signals keep the elevations of their satellites when the week begins`() {
        var list = UBXStream.satellites()
        list.timeOfWeekMilliseconds = 604_798_000
        var bytes = list.frame
        for time in [604_798_000, 604_799_000, 0, 1000] as [UInt32] {
            var signals = UBXStream.signals()
            signals.timeOfWeekMilliseconds = time
            bytes += signals.frame
        }
        #expect(views(bytes).last?.signals.first?.elevation == 60)
    }

    @Test func `all of two hundred signals are in the view`() throws {
        var message = UBXStream.signals()
        message.signals = []
        let systems: [(id: UInt8, count: UInt8, signals: [UInt8])] = [
            (0, 32, [0, 3, 7]), (2, 36, [0, 3, 5]),
        ]
        for system in systems {
            for svid in 1...system.count {
                for number in system.signals {
                    var signal = NavSIG.Signal()
                    (signal.gnssID, signal.svid, signal.signalID) = (system.id, svid, number)
                    signal.cn0 = 40
                    message.signals.append(signal)
                }
            }
        }
        let bytes = UBXStream.pvt().frame + message.frame + UBXStream.end()
        let view = try #require(views(bytes).last)
        #expect(view.signals.count == 204)
        #expect(view.satellites.count == 68)
    }
}
