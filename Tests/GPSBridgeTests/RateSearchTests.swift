// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge
import GPSReceivers
import GPSTestSupport
import SimulatedDevices
import Testing

/// A receiver's line in simulated time: a burst per second with exact bit lengths.
private struct InventedLine {
    var baudRate: Int
    var burst: [UInt8]
    /// Seconds from opening to the first burst; negative within a burst.
    var phase: Double
    var period = 1.0
    var hasEighthBit = false

    /// Returns the duration of the search and the settings found; `nil` after a minute.
    func search(
        _ rates: [BaudRate] = BaudRate.common
    ) -> (seconds: Double, settings: LineSettings)? {
        let start = MonotonicInstant.now
        var listener = RateDetection(RateSearch(rates: rates), at: start)
        for piece in pieces(for: 60) {
            let time = start + .seconds(piece.due)
            while let deadline = listener.deadline, deadline < time {
                _ = listener.silence(at: deadline)
            }
            let heard = MisreadLine.read(
                piece.bytes, sentAt: baudRate, readAt: listener.settings.baudRate.rawValue)
            guard !heard.isEmpty else { continue }
            if listener.received(heard, at: time).step == .found {
                return (piece.due, listener.settings)
            }
        }
        return nil
    }

    /// The bytes of every ten milliseconds, as delivered by converters.
    private func pieces(for seconds: Double) -> [(due: Double, bytes: [UInt8])] {
        let size = max(1, baudRate / 1000)
        let bytes = hasEighthBit ? burst.map { $0 | 0x80 } : burst
        return stride(from: phase, to: seconds, by: period).flatMap { begin in
            stride(from: 0, to: bytes.count, by: size).map { first in
                let end = min(bytes.count, first + size)
                return (begin + Double(end * 10) / Double(baudRate), Array(bytes[first..<end]))
            }
        }.filter { $0.due >= 0 }
    }
}

/// RMC and GGA, about 140 bytes.
private let shortBurst = ScriptedReceiver.epoch(0)
/// The sentences that most receivers send.
private let longBurst =
    shortBurst
    + Array(
        """
        $GPGSA,A,3,07,02,26,27,09,04,15,,,,,,1.8,1.0,1.5*33\r
        $GPGSV,3,1,11,29,36,029,42,21,46,314,43,26,44,020,43,15,21,321,39*7D\r
        $GPGSV,3,2,11,18,26,314,40,09,57,170,44,06,20,229,37,10,26,084,37*77\r
        $GPGSV,3,3,11,07,,,26,02,30,190,41,04,22,158,40*44\r\n
        """.utf8)

@Suite(.timeLimit(.generous))
struct RateSearchTests {
    @Test(arguments: BaudRate.common)
    func `every common rate is found within ten seconds for any timing of the bursts`(
        rate: BaudRate
    ) throws {
        for burst in [shortBurst, longBurst] {
            for step in 0..<20 {
                let line = InventedLine(
                    baudRate: rate.rawValue, burst: burst, phase: Double(step) / 20 - 1)
                let found = try #require(line.search(), "phase \(line.phase)")
                #expect(found.settings == LineSettings(rate))
                #expect(found.seconds < 9.5, "phase \(line.phase), \(burst.count) bytes")
            }
        }
    }

    @Test(arguments: BaudRate.common)
    func `seven data bits and two stop bits are found in the same round`(rate: BaudRate) throws {
        for step in 0..<10 {
            let line = InventedLine(
                baudRate: rate.rawValue, burst: longBurst, phase: Double(step) / 10 - 1,
                hasEighthBit: true)
            let found = try #require(line.search())
            #expect(found.settings == LineSettings(rate, .sevenN2))
            #expect(found.seconds < 10)
        }
    }

    @Test func `seven data bits are found at a given rate`() throws {
        let line = InventedLine(
            baudRate: 4800, burst: longBurst, phase: -0.3, hasEighthBit: true)
        let found = try #require(line.search([.nmea]))
        #expect(found.settings == LineSettings(.nmea, .sevenN2))
    }

    @Test func `a false frame header before sentences does not show seven data bits`() {
        let start = MonotonicInstant.now
        var listener = RateDetection(RateSearch(rates: [.default]), at: start)
        // The rest of a frame whose beginning was missed looks like the header of an RTCM frame,
        // for whose end the sentences wait.
        let rest: [UInt8] = [0xD3, 0x00, 0xC8]
        #expect(listener.received(rest + shortBurst, at: start).bytes == rest + shortBurst)
        #expect(listener.received(shortBurst, at: start + .seconds(1)).step == .found)
        #expect(listener.settings == LineSettings(.default))
        let header: [UInt8] = [0xB5, 0x62, 0x01, 0x07]
        #expect(listener.received(header, at: start + .seconds(2)).bytes == header)
    }

    @Test func `a given rate is kept when the search starts again`() {
        let start = MonotonicInstant.now
        var listener = RateDetection(RateSearch(rates: [.nmea]), at: start)
        #expect(listener.received(shortBurst, at: start).step == .found)
        listener.restartSearch(at: start)
        for step in 0..<1000 {
            let noise = MisreadLine.read(shortBurst, sentAt: 9600, readAt: 4800)
            _ = listener.received(noise, at: start + .milliseconds(100 * step))
            #expect(listener.settings.baudRate == .nmea)
        }
    }

    @Test func `a saved rate is detected immediately`() throws {
        let rate = try #require(BaudRate(rawValue: 19_200))
        let line = InventedLine(baudRate: 19_200, burst: shortBurst, phase: 0.3)
        let found = try #require(line.search([rate] + BaudRate.common))
        #expect(found.seconds < 0.5)
    }

    @Test(arguments: [2.0, 5, 10])
    func `the rate of a slow receiver is found`(period: Double) throws {
        let line = InventedLine(
            baudRate: 4800, burst: shortBurst, phase: 0.7, period: period)
        let found = try #require(line.search())
        #expect(found.settings == LineSettings(.nmea))
    }

    @Test(arguments: [8.0, 10])
    func `the silence before the first burst shows that a receiver is slow`(phase: Double) throws {
        let line = InventedLine(
            baudRate: 38_400, burst: longBurst, phase: phase, period: 10)
        let found = try #require(line.search())
        #expect(found.settings.baudRate.rawValue == 38_400 && found.seconds < 40)
    }

    @Test func `a rate with a message is kept until the next one, ten seconds later`() throws {
        let sentence = shortBurst.prefix { $0 != 0x0A } + [0x0A]
        let line = InventedLine(
            baudRate: 9600, burst: Array(sentence), phase: 0.7, period: 10)
        let found = try #require(line.search())
        #expect(found.settings == LineSettings(.default) && found.seconds < 11)
    }

    @Test func `the rate of a continuously busy line is found`() throws {
        let line = InventedLine(
            baudRate: 4800, burst: longBurst, phase: -0.2,
            period: Double(longBurst.count) * 10 / 4800)
        let found = try #require(line.search())
        #expect(found.settings == LineSettings(.nmea) && found.seconds < 10)
    }

    @Test func `with noise the rate changes less and less often`() {
        let start = MonotonicInstant.now
        var listener = RateDetection(RateSearch(rates: BaudRate.common), at: start)
        var changes = 0
        var random = SystemRandomNumberGenerator()
        for step in 0..<3000 {
            let noise = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
            let (_, outcome) = listener.received(noise, at: start + .milliseconds(20 * step))
            if case .change = outcome { changes += 1 }
            #expect(outcome != .found)
        }
        #expect(changes > 9 && changes < 40)
    }

    @Test func `a search continues at the same pace after the machine was suspended`() {
        let start = MonotonicInstant.now
        var listener = RateDetection(RateSearch(rates: BaudRate.common), at: start)
        _ = listener.received([0xFC, 0x80], at: start)
        var now = start + .seconds(3600)
        _ = listener.received([0xFC, 0x80], at: now)
        while listener.roundCount == 0, let deadline = listener.deadline {
            #expect(now.duration(to: deadline) < .seconds(2))
            now = deadline
            _ = listener.silence(at: now)
        }
    }

    @Test func `a search that was held tries every rate, beginning with the current one`() {
        var now = MonotonicInstant.now
        var detection = RateDetection(RateSearch(rates: BaudRate.common), at: now)
        while detection.settings == LineSettings(.default), let deadline = detection.deadline {
            now = deadline
            _ = detection.silence(at: now)
        }
        detection.hold(true, at: now)
        detection.hold(false, at: now)
        var tried = [detection.settings.baudRate]
        while detection.roundCount == 0, let deadline = detection.deadline {
            let step = detection.silence(at: deadline)
            if case .change(let rate) = step, detection.roundCount == 0 { tried.append(rate) }
        }
        #expect(tried == [BaudRate.common[1], BaudRate.common[0]] + BaudRate.common.dropFirst(2))
    }

    @Test func `silence pauses the search until bytes arrive`() throws {
        let start = MonotonicInstant.now
        var listener = RateDetection(RateSearch(rates: BaudRate.common), at: start)
        var count = 0
        while let deadline = listener.deadline {
            _ = listener.silence(at: deadline)
            count += 1
            try #require(count < 100)
        }
        #expect(listener.settings == LineSettings(.default))
        #expect(listener.received(shortBurst, at: start + .seconds(3600)).step == .found)
    }
}
