// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import Testing

/// The baud rate search of a receiver whose line a dialogue uses.
@Suite(.timeLimit(.generous))
struct HeldRateTests {
    /// A receiver, and the rates that it has requested.
    private final class Run {
        private var receiver: Receiver
        private var now = MonotonicInstant.now
        private(set) var rates: [BaudRate] = []
        var knownBaudRate: BaudRate? { receiver.knownBaudRate }

        init(_ rates: [BaudRate]) {
            receiver = Receiver(canWait: false, at: now)
            var opening = Receiver.Opening(
                device: "gps", origin: OriginDetector(origin: .live, mayBeOld: false))
            opening.isSerialLine = true
            opening.search = RateSearch(rates: rates)
            receive(.opened(opening))
        }

        func receive(_ input: consuming Receiver.Input) {
            receiver.receive(input, at: now, date: nil)
            while let output = receiver.next() {
                if case .set(let settings) = output { rates.append(settings.baudRate) }
            }
        }

        /// Receives two bursts without a message. They rule out a rate.
        func receiveNoise() {
            for _ in 0..<2 {
                receive(.bytes([UInt8](repeating: 0xF8, count: 300)))
                let end = now + .milliseconds(100)
                while let wake = receiver.wakeAt, wake <= end {
                    now = max(now, wake)
                    receive(.woke)
                }
                now = end
            }
        }
    }

    @Test func `no rate is tried during a dialogue, and the search continues at its last rate`()
        throws
    {
        let rates = try [9600, 4800, 38_400].map { try #require(BaudRate(rawValue: $0)) }
        let run = Run(rates)
        run.receive(.dialogue(isActive: true))
        run.receiveNoise()
        run.receive(.changed(rates[2]))
        #expect(run.knownBaudRate == nil)
        run.receive(.bytes(ScriptedReceiver.epoch(0)))
        #expect(run.knownBaudRate == rates[2])
        run.receive(.changed(rates[1]))
        run.receiveNoise()
        #expect(run.knownBaudRate == nil)
        #expect(run.rates == [])
        run.receive(.dialogue(isActive: false))
        run.receiveNoise()
        // The rate that was correct before the last change is tried first.
        #expect(run.rates == [rates[2]])
    }
}
