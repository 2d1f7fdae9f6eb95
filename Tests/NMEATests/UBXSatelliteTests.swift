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

    @Test func `a list of satellites has residuals, the quality of the signals and their health`()
        throws
    {
        var list = UBXStream.satellites()
        list.satellites[0].residual = -2.3
        list.satellites[0].flags = NavSAT.Satellite.Flags(rawValue: 0b10_1111)
        let bytes = UBXStream.pvt().frame + list.frame + UBXStream.end()
        let view = try #require(views(bytes).first)
        let (gps, galileo) = (view.signals[0].state, view.signals[1].state)
        #expect((gps.residual, gps.quality, gps.isHealthy) == (-2.3, 7, false))
        #expect((galileo.residual, galileo.quality, galileo.isHealthy) == (0, 0, nil))
        #expect((gps.number, gps.frequency) == (nil, nil))
        #expect(MemoryLayout<SatelliteSignal>.stride == 56)
    }

    @Test func `signals have their own states, which replace those of their satellites`() throws {
        var bytes: [UInt8] = []
        for index in 0..<3 {
            var list = UBXStream.signals(after: index * 1000)
            list.signals[1].residualTenths = 15
            list.signals[1].quality = .carrierLocked
            var glonass = NavSIG.Signal()
            (glonass.gnssID, glonass.svid, glonass.signalID, glonass.frequencyID) = (6, 3, 2, 12)
            list.signals.append(glonass)
            bytes += UBXStream.pvt(after: index * 1000).frame
            bytes += UBXStream.satellites(after: index * 1000).frame + list.frame
            bytes += UBXStream.end(after: index * 1000)
        }
        let view = try #require(views(bytes).last)
        #expect(view.signals.map(\.state.number) == [0, 7, nil, 2])
        #expect(view.signals.map(\.state.residual) == [0, 1.5, 0, 0])
        #expect(view.signals.map(\.state.quality) == [0, 5, 0, 0])
        #expect(view.signals.map(\.state.isHealthy) == [true, true, nil, nil])
        #expect(view.signals.map(\.state.frequency) == [nil, nil, nil, 12])
        var index = 0
        let strongest = try #require(view.nextCombinedSignal(after: &index))
        #expect(strongest.signal == 8 && strongest.state == view.signals[1].state)
    }

    @Test func `satellites of a GSV sentence have no state`() throws {
        let gsv = line("GPGSV,1,1,02,05,60,120,40,07,30,200,33").bytes
        let view = try #require(views(UBXStream.pvt().frame + gsv + UBXStream.end()).first)
        #expect(view.signals.map(\.state) == [SignalState(), SignalState()])
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

@Suite(.timeLimit(.generous)) struct InterferenceTests {
    private func radio(_ states: UInt8...) -> [UInt8] {
        var message = MonRF()
        message.blocks = states.map { state in
            var block = MonRF.Block()
            (block.flags, block.continuousWave) = (state, 17)
            return block
        }
        return message.frame
    }

    private func security(jamming: UBXJammingState, spoofing: UBXSpoofingState) -> [UInt8] {
        var message = SecSIG()
        (message.isJammingDetectorOn, message.jamming) = (true, jamming)
        (message.isSpoofingDetectorOn, message.spoofing) = (true, spoofing)
        return message.frame
    }

    private func fix(after reports: [UInt8]...) -> Fix? {
        UBXStream.decode(reports.flatMap(\.self), UBXStream.pvt().frame).fixes.first
    }

    @Test func `a state of 0 is unknown, not good`() {
        let fix = fix(after: radio(0, 0))
        #expect(fix?.jamming == nil && fix?.interferenceLevel == 17)
    }

    @Test func `the worst band counts`() {
        #expect(fix(after: radio(1, 2))?.jamming == .warning)
        #expect(fix(after: radio(1, 0))?.jamming == JammingState.none)
    }

    @Test func `the security report counts before that of the radio`() {
        let fix = fix(after: security(jamming: .critical, spoofing: .indicated), radio(1))
        #expect(fix?.jamming == .critical && fix?.spoofing == .indicated)
        let off = self.fix(after: SecSIG().frame, radio(2))
        #expect(off?.jamming == .warning && off?.spoofing == nil)
    }

    @Test(arguments: [
        (SecOSNMA(isOn: true, authenticated: 6), FixAuthentication.State.authenticated),
        (SecOSNMA(isOn: true, authenticated: 0), .unknown),
        (SecOSNMA(isOn: true, authenticated: 6, isKeyWrong: true), .failed),
        (SecOSNMA(isOn: true, authenticated: 6, hasWrongData: true), .failed),
        (SecOSNMA(isOn: false, authenticated: 6), nil),
    ])
    func `the chip's own check of Galileo's signatures is reported, if it is on`(
        _ message: SecOSNMA, _ state: FixAuthentication.State?
    ) {
        #expect(fix(after: message.frame)?.receiverAuthentication == state)
    }

    @Test func `the first jammed frequency is reported, in hertz`() {
        var message = SecSIG()
        (message.isJammingDetectorOn, message.jamming) = (true, .warning)
        message.frequencies = [1_602_000, 1_575_420 | 1 << 24, 1_561_098 | 1 << 24].map {
            var frequency = SecSIG.Frequency()
            frequency.word = $0
            return frequency
        }
        #expect(fix(after: message.frame)?.jammedFrequency == 1_575_420_000)
        message.frequencies.removeLast(2)
        #expect(fix(after: message.frame)?.jammedFrequency == nil)
        #expect(fix(after: security(jamming: .warning, spoofing: .none))?.jamming == .warning)
    }

    @Test func `a jammed frequency that is too high is not reported`() {
        var message = SecSIG()
        var frequency = SecSIG.Frequency()
        frequency.word = 5_000_000 | 1 << 24
        message.frequencies = [frequency]
        #expect(fix(after: message.frame)?.jammedFrequency == nil)
    }

    @Test func `the gain is taken from the first band`() {
        var message = MonRF()
        message.blocks = [(UInt8(1), UInt16(100)), (0, 4096)].map { number, gain in
            var block = MonRF.Block()
            (block.number, block.gain) = (number, gain)
            return block
        }
        #expect(fix(after: message.frame)?.gain == Float(4096) / 8191)
        var hardware = MonHW()
        hardware.gain = 8191
        #expect(fix(after: hardware.frame)?.gain == 1)
    }

    @Test func `the antenna has the state of the worst band, and none without a supervisor`() {
        func radio(_ states: UBXAntennaState...) -> AntennaState? {
            var message = MonRF()
            message.blocks = states.map { state in
                var block = MonRF.Block()
                block.antenna = state
                return block
            }
            return fix(after: message.frame)?.antenna
        }
        #expect(radio(.ok) == .ok && radio(.ok, .open) == .open && radio(.short, .ok) == .short)
        #expect(radio(.unknown) == nil && radio(.initializing) == nil)
        var hardware = MonHW()
        hardware.antenna = .short
        #expect(fix(after: hardware.frame)?.antenna == .short)
    }

    @Test func `the temperature is that of MON-SYS, and unknown if it is 0`() {
        func temperature(_ value: Int8) -> Int8? {
            var system = MonSYS()
            system.temperature = value
            return fix(after: system.frame)?.temperature
        }
        #expect(temperature(41) == 41 && temperature(-7) == -7)
        // Firmware that does not measure it sends 0.
        #expect(temperature(0) == nil)
        #expect(MonSYS().frame.count == 24 + 8)
    }

    @Test func `the compact form of a radio report has no state`() {
        var message = MonRF()
        var block = MonRF.Block()
        (block.isCompact, block.suppression) = (true, 9)
        message.blocks = [block, block]
        let fix = fix(after: message.frame)
        #expect(fix?.jamming == nil && fix?.interferenceLevel == 9)
    }

    @Test func `a report is valid for ten seconds`() {
        var bytes = UBXStream.pvt().frame + UBXStream.end() + radio(2)
        for seconds in [1, 5, 12] {
            bytes += UBXStream.pvt(after: seconds * 1000).frame
            bytes += UBXStream.end(after: seconds * 1000)
        }
        let states = Transcript([ArraySlice(bytes)]).fixes.map(\.jamming)
        #expect(states == [nil, .warning, .warning, nil])
    }

    @Test func `a report after a fix is valid for the next fix, up to two minutes later`() {
        let cases: [(interval: Int, state: JammingState?)] = [
            (30, .critical), (120, .critical), (121, nil),
        ]
        for (interval, state) in cases {
            var bytes: [UInt8] = []
            for index in 0..<3 {
                let time = index * interval * 1000
                bytes += UBXStream.pvt(after: time).frame + UBXStream.end(after: time)
                if index == 0 { bytes += radio(3) }
            }
            let states: [JammingState?] = Transcript([ArraySlice(bytes)]).fixes.map(\.jamming)
            #expect(states == [nil, state, nil], "every \(interval) s")
        }
    }

    @Test func `spoofing is reported without a fix, too`() {
        let decoded = UBXStream.decode(
            security(jamming: .critical, spoofing: .affirmed), UBXStream.noFix().frame)
        #expect(decoded.fixes.first?.spoofing == .affirmed && decoded.fixes.first?.mode == .noFix)
    }
}

/// A u-blox receiver near Vienna on 21 March 2026, a Saturday: 12:00:00 UTC is 12:00:18 GPS time.
enum UBXStream {
    /// Milliseconds of the GPS week at 12:00:00 UTC.
    static let noon: UInt32 = (6 * 86_400 + 12 * 3600 + 18) * 1000

    /// Returns the solution of the epoch `milliseconds` after noon.
    static func pvt(after milliseconds: Int = 0, _ change: (inout NavPVT) -> Void = { _ in })
        -> NavPVT
    {
        var message = NavPVT()
        message.timeOfWeekMilliseconds = noon + UInt32(milliseconds)
        (message.year, message.month, message.day) = (2026, 3, 21)
        let seconds = 12 * 3600 + milliseconds / 1000
        message.hour = UInt8(seconds / 3600)
        message.minute = UInt8(seconds / 60 % 60)
        message.second = UInt8(seconds % 60)
        message.nanoseconds = Int32(milliseconds % 1000) * 1_000_000
        message.validity = NavPVT.Validity(rawValue: 0b0111)
        message.timeAccuracy = 20e-9
        message.fixType = .threeD
        message.flags = NavPVT.Flags(rawValue: 1)
        message.satellitesUsed = 12
        (message.latitude, message.longitude) = (48.2082001, 16.3738001)
        (message.ellipsoidalAltitude, message.altitude) = (214.5, 170.5)
        (message.horizontalAccuracy, message.verticalAccuracy) = (2, 3)
        (message.velocityNorth, message.velocityEast, message.velocityDown) = (0, 10, -1)
        (message.groundSpeed, message.course) = (10, 90)
        (message.speedAccuracy, message.courseAccuracy) = (0.2, 1.5)
        message.positionDilution = 1.5
        change(&message)
        return message
    }

    /// Returns a solution without a fix, as receivers send it.
    static func noFix(after milliseconds: Int = 0) -> NavPVT {
        pvt(after: milliseconds) {
            $0.fixType = .none
            $0.flags = NavPVT.Flags(rawValue: 0)
            ($0.latitude, $0.longitude, $0.ellipsoidalAltitude, $0.altitude) = (0, 0, 0, -17)
            ($0.horizontalAccuracy, $0.verticalAccuracy) = (nil, nil)
            ($0.groundSpeed, $0.course, $0.courseAccuracy) = (0, 0, 180)
            ($0.satellitesUsed, $0.positionDilution) = (0, nil)
        }
    }

    /// Returns the end of the epoch.
    static func end(after milliseconds: Int = 0) -> [UInt8] {
        var message = NavEOE()
        message.timeOfWeekMilliseconds = noon + UInt32(milliseconds)
        return message.frame
    }

    /// Returns a list of satellites: GPS 5 used at 40 dB-Hz, Galileo 11 without an elevation.
    static func satellites(after milliseconds: Int = 0) -> NavSAT {
        var message = NavSAT()
        message.timeOfWeekMilliseconds = noon + UInt32(milliseconds)
        var gps = NavSAT.Satellite()
        (gps.gnssID, gps.svid, gps.cn0, gps.elevation, gps.azimuth) = (0, 5, 40, 60, 120)
        gps.flags = NavSAT.Satellite.Flags(rawValue: 0b1_1100)
        var galileo = NavSAT.Satellite()
        (galileo.gnssID, galileo.svid) = (2, 11)
        message.satellites = [gps, galileo]
        return message
    }

    /// Returns the signals of these satellites: L1 C/A and L5 of GPS 5.
    static func signals(after milliseconds: Int = 0) -> NavSIG {
        var message = NavSIG()
        message.timeOfWeekMilliseconds = noon + UInt32(milliseconds)
        message.signals = [(UInt8(0), UInt8(40)), (7, 44)].map { number, cn0 in
            var signal = NavSIG.Signal()
            (signal.gnssID, signal.svid, signal.signalID, signal.cn0) = (0, 5, number, cn0)
            signal.flags = NavSIG.Signal.Flags(rawValue: 0b1001)
            return signal
        }
        return message
    }

    /// Decodes frames and sentences as one stream.
    static func decode(_ pieces: [UInt8]...) -> Transcript {
        Transcript([ArraySlice(pieces.flatMap(\.self))])
    }

    /// Decodes frames and sentences without ending the stream.
    static func decodeUnfinished(_ pieces: [UInt8]...) -> [Fix] {
        var decoder = NMEADecoder()
        var fixes: [Fix] = []
        for piece in pieces {
            decoder.push(piece.span) { if case .fix(let fix, _) = $0 { fixes.append(fix) } }
        }
        return fixes
    }
}
