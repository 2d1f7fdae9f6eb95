// SPDX-License-Identifier: MIT
import GPSTestSupport
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct PaceTests {
    @Test func `advancing a stepped clock resumes exactly the waits that are due`() async {
        let manual = ManualClock()
        let clock = Pace.stepped(by: manual).start()
        let first = Task.immediate { await clock.wait(until: 4) }
        let second = Task.immediate { await clock.wait(until: 10) }
        #expect(manual.waiterCount == 2)
        manual.advance(by: .seconds(4))
        #expect(await first.value)
        #expect(manual.waiterCount == 1)
        #expect(clock.elapsed == 4)
        manual.advance(by: .milliseconds(6000))
        #expect(await second.value)
        #expect(manual.waiterCount == 0)
        #expect(await clock.wait(until: 10))
        manual.advance(by: .seconds(-5))
        #expect(manual.elapsed == 10)
    }

    @Test func `one step may make many epochs due`() async {
        let manual = ManualClock()
        let clock = Pace.stepped(by: manual).start()
        manual.advance(by: .seconds(1000))
        for second in 0...1000 { #expect(await clock.wait(until: Double(second))) }
    }

    @Test func `releasing the clock ends its waits`() async {
        var manual: ManualClock? = ManualClock()
        guard let pace = manual.map({ Pace.stepped(by: $0) }) else { return }
        let clock = pace.start()
        let waiting = Task.immediate { await clock.wait(until: 1) }
        manual = nil
        #expect(await waiting.value == false)
        #expect(await clock.wait(until: 0) == false)
    }

    @Test func `cancelling ends a wait, also one that has not begun`() async {
        let manual = ManualClock()
        let clock = Pace.stepped(by: manual).start()
        let waiting = Task.immediate { await clock.wait(until: 1) }
        waiting.cancel()
        #expect(await waiting.value == false)
        #expect(manual.waiterCount == 0)
        let late = Task { await clock.wait(until: 1) }
        late.cancel()
        #expect(await late.value == false)
        let real = Pace.realTime.start()
        let long = Task.immediate { await real.wait(until: 1e9) }
        long.cancel()
        #expect(await long.value == false)
    }

    @Test func `an accelerated clock waits for a proportionally shorter time`() async {
        let start = ContinuousClock.now
        let clock = Pace.accelerated(by: 10_000).start()
        #expect(await clock.wait(until: 100))
        let elapsed = clock.elapsed
        let real = (ContinuousClock.now - start) / .seconds(1)
        #expect(elapsed >= 100)
        #expect(elapsed <= real * 10_000)
    }
}
