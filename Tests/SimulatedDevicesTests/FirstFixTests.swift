// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing

/// The first fix of a line that is opened in the middle of a cycle.
@Suite(.timeLimit(.generous)) struct FirstFixTests {
    private struct Fixes: DecoderListener {
        var wantsSentences: Bool { false }
        var fixes: [Fix] = []

        mutating func didReceive(fix: Fix, satellites view: SatelliteView) { fixes.append(fix) }
    }

    /// Whether the line is silent between two cycles.
    enum Line: CaseIterable {
        case silentBetweenCycles, neverSilent
    }

    private static func cycles(
        _ personality: Personality, _ protocols: OutputProtocols
    ) -> [[UInt8]] {
        var configuration = SimulatedReceiver.Configuration.noon(personality)
        configuration.protocols = protocols
        var receiver = SimulatedReceiver(configuration)
        // The first epochs may contain a greeting.
        return Array((0..<7).map { _ in receiver.next().bytes }.suffix(4))
    }

    /// Decodes cycles from an offset in the first one. `isJoined` is `false` for a recording, which
    /// begins at the beginning of a cycle.
    private static func decode(
        _ cycles: [[UInt8]], from offset: Int = 0, isJoined: Bool, _ line: Line
    ) -> Fixes {
        var decoder = NMEADecoder()
        var result = Fixes()
        if isJoined { decoder.join(to: &result) }
        for (index, cycle) in cycles.enumerated() {
            let bytes = Array(cycle.dropFirst(index == 0 ? offset : 0))
            decoder.push(bytes.span, to: &result)
            if line == .silentBetweenCycles { decoder.silence(to: &result) }
        }
        decoder.finish(to: &result)
        return result
    }

    private static func check(
        _ personality: Personality, _ protocols: OutputProtocols, _ line: Line, step: Int
    ) {
        let cycles = cycles(personality, protocols)
        let whole = decode(cycles, isJoined: false, line).fixes
        for start in 0..<2 {
            for offset in stride(from: 0, to: cycles[start].count, by: step) {
                let joined = decode(
                    Array(cycles[start..<start + 3]), from: offset, isJoined: true, line)
                var known = whole.first { $0.time == joined.fixes.first?.time }
                if let first = joined.fixes.first { known?.leaveOutEarlierValues(than: first) }
                guard joined.fixes.first != known || known == nil else { continue }
                Issue.record(
                    """
                    \(personality.name) from byte \(offset) of cycle \(start): \
                    \(joined.fixes.first.debugDescription), not \(known.debugDescription)
                    """)
                return
            }
        }
    }

    private static let receivers = Personality.all.filter { $0.name != "compass" }

    @Test(arguments: receivers)
    func `opened anywhere in a cycle, the first fix is that of a whole cycle`(
        _ personality: Personality
    ) {
        let step = personality.name == "ublox6" ? 1 : 41
        Self.check(personality, .nmea, .silentBetweenCycles, step: step)
    }

    /// Where a line is never silent, sentences without a time belong to the time before them, also in
    /// the middle of a recording. So receivers whose cycles begin with such sentences are left out.
    @Test(arguments: receivers.filter { !["lc29h", "satcompass"].contains($0.name) })
    func `so it is on a line that is never silent`(_ personality: Personality) {
        Self.check(personality, .nmea, .neverSilent, step: 41)
    }

    @Test(arguments: [OutputProtocols.ubx, .both], Line.allCases)
    func `so it is for UBX`(_ protocols: OutputProtocols, _ line: Line) {
        for personality in Self.receivers where personality.name == "f9p" {
            Self.check(personality, protocols, line, step: protocols == .ubx ? 1 : 41)
        }
    }

    @Test func `a cycle that begins with the first byte is kept if the next cycle begins alike`() {
        let cycles = Self.cycles(.generic, .nmea)
        let joined = Self.decode(cycles, isJoined: true, .neverSilent).fixes
        #expect(joined == Self.decode(cycles, isJoined: false, .neverSilent).fixes)
        #expect(joined.count == 4)
    }

    @Test func `a cycle that begins with the first byte is kept if no other follows for seconds`() {
        var decoder = NMEADecoder()
        var result = Fixes()
        decoder.join(to: &result)
        let cycle = Self.cycles(.generic, .nmea)[0]
        decoder.push(cycle.span, to: &result)
        #expect(decoder.awaitsSilence)
        decoder.silence(to: &result)
        #expect(result.fixes.isEmpty)
        #expect(decoder.silenceTolerance == .seconds(3))
        decoder.silence(to: &result)
        #expect(result.fixes.count == 1)
    }

    @Test func `a line that was silent before the first cycle does not lose it`() {
        let cycles = Self.cycles(.generic, .nmea)
        var decoder = NMEADecoder()
        var result = Fixes()
        decoder.join(to: &result)
        #expect(decoder.silenceTolerance != nil)
        decoder.silence(to: &result)
        let cycle = cycles[0]
        decoder.push(cycle.span, to: &result)
        decoder.silence(to: &result)
        #expect(result.fixes.count == 1)
        #expect(
            result.fixes
                == Self.decode(
                    [cycles[0]], isJoined: false, .silentBetweenCycles
                ).fixes)
    }
}

extension Fix {
    /// Removes values of earlier cycles, which a reader that was not there cannot know: satellites
    /// that are listed every few seconds, interference, and the other heading of a compass.
    fileprivate mutating func leaveOutEarlierValues(than first: Fix) {
        if first.satellitesInView == nil { satellitesInView = nil }
        (interferenceLevel, gain) = (first.interferenceLevel, first.gain)
        (jamming, spoofing, antenna) = (first.jamming, first.spoofing, first.antenna)
        attitude = first.attitude
    }
}
