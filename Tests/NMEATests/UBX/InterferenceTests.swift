// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing
import UBX

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
