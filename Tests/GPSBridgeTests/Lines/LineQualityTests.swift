// SPDX-License-Identifier: MIT
import GPSBridge
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct LineQualityTests {
    private let start = MonotonicInstant.now

    /// The problems reported for some seconds of chunks, ten per second by default.
    private func problems(
        _ chunk: [UInt8], seconds: Int, perSecond: Int = 10, _ health: inout LineQuality
    ) -> [LineQuality.LineProblem] {
        (0..<seconds * perSecond).compactMap { step in
            health.receivedNoise(chunk, at: start + .seconds(Double(step) / Double(perSecond)))
        }
    }

    @Test func `several seconds of noise are reported as a wrong rate`() {
        var health = LineQuality(at: .now)
        let noise = (0..<50).map { UInt8($0 * 5) }
        #expect(problems(noise, seconds: 4, &health) == [])
        #expect(problems(noise, seconds: 7, &health) == [.misunderstood])
    }

    @Test func `text with wrong checksums is not reported as a wrong rate`() {
        var health = LineQuality(at: .now)
        let text = Array("$GPGGA,120000,4812.3,N,01622.9,E,1,8*00\r\n".utf8)
        #expect(problems(text, seconds: 20, &health) == [])
    }

    @Test func `one sentence in noise keeps the rate`() {
        var health = LineQuality(at: .now)
        let noise = (0..<50).map { UInt8($0 * 5) }
        for second in 0..<20 {
            for tenth in 0..<9 {
                let now = start + .milliseconds(second * 1000 + tenth * 100)
                #expect(health.receivedNoise(noise, at: now) == nil)
            }
            health.receivedMessages()
        }
    }

    @Test func `a few bytes of noise in silence are not reported`() {
        var health = LineQuality(at: .now)
        #expect(problems([0xFF], seconds: 60, perSecond: 1, &health) == [])
    }

    @Test func `a flood is reported once and read at a limited rate`() {
        var health = LineQuality(at: .now)
        let noise = [UInt8](repeating: 0x55, count: 4095)
        let all = problems(noise, seconds: 4, perSecond: 100, &health)
        #expect(all.filter { $0 == .flooded }.count == 1)
        let now = start + .seconds(4)
        #expect(health.throttleEnd(at: now).map { $0 - now <= .milliseconds(100) } != nil)
    }
}
