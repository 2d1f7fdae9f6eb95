// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import NMEA
import Synchronization
import Testing

/// The silence of a source that can wait, such as a pipe. Its bytes may wait for the consumers.
@Suite(.timeLimit(.generous))
struct PipeSilenceTests {
    private let start = MonotonicInstant.now

    /// A receiver that reads a pipe, and its fixes so far.
    private final class Run {
        var receiver: Receiver
        var now: MonotonicInstant
        var fixes: [Fix] = []

        init(at start: MonotonicInstant) {
            receiver = Receiver(canWait: true, at: start)
            now = start
            let origin = OriginDetector(origin: .unknown, mayBeOld: true)
            receive(.opened(Receiver.Opening(device: "pipe", origin: origin)))
        }

        func receive(_ input: consuming Receiver.Input) {
            receiver.receive(input, at: now, date: nil)
            while let output = receiver.next() {
                if case .update(.epoch(let epoch)) = output { fixes.append(epoch.fix) }
            }
        }

        /// Advances the time while the driver waits for the consumers.
        func waitForConsumers(_ duration: Duration) {
            now = now + duration
            receiver.restartSilence(at: now)
        }

        /// Advances the time while the driver waits for bytes.
        func waitForBytes(_ duration: Duration) {
            let end = now + duration
            while let wake = receiver.wakeAt, wake <= end {
                now = max(now, wake)
                receive(.woke)
            }
            now = end
        }
    }

    @Test func `a fix is complete although its consumers were not ready for seconds within it`() {
        let run = Run(at: start)
        let second = ScriptedReceiver.epoch(1)
        // RMC and a part of GGA.
        let count = second.prefix { $0 != 0x0A }.count + 20
        run.receive(.bytes(ScriptedReceiver.epoch(0) + Array(second.prefix(count))))
        run.waitForConsumers(.seconds(5))
        run.receive(.bytes(Array(second.dropFirst(count)) + ScriptedReceiver.epoch(2)))
        run.receive(.ended(nil))
        #expect(run.fixes.map(\.altitude) == [171, 171, 171])
    }

    @Test func `a pipe is silent only while the driver waits for its bytes`() {
        let run = Run(at: start)
        run.receive(.bytes(ScriptedReceiver.epoch(0)))
        run.waitForConsumers(.seconds(5))
        run.waitForBytes(.milliseconds(199))
        #expect(run.fixes.isEmpty)
        run.waitForBytes(.milliseconds(1))
        #expect(run.fixes.count == 1)
    }

    @Test func `sentences after the silence of a pipe belong to the next epoch`() {
        let run = Run(at: start)
        for second in 0..<6 {
            var writer = SentenceWriter()
            writer.write(body: "GNGSA,A,3,05,07,13,14,,,,,,,,,1.\(second),1.0,1.6")
            run.receive(.bytes(writer.bytes + ScriptedReceiver.epoch(second)))
            run.waitForBytes(.seconds(1))
        }
        #expect(run.fixes.map(\.dilution.pdop) == [1.0, 1.1, 1.2, 1.3, 1.4, 1.5])
    }

    /// A pipe that contains one epoch. It notes how long its second read waits for bytes.
    private struct OneEpochSource: DeviceSource {
        final class Connection: DeviceConnection {
            let name = "pipe"
            private let isFirst = Atomic(true)
            private let poller: Poller
            private let waits: Witness<Duration?>

            init(_ poller: Poller, _ waits: Witness<Duration?>) {
                (self.poller, self.waits) = (poller, waits)
            }

            func read(until deadline: MonotonicInstant?) throws(DeviceError) -> DeviceInput {
                guard !isFirst.exchange(false, ordering: .relaxed) else {
                    return .bytes(ScriptedReceiver.epoch(0))
                }
                waits.note(deadline.map { poller.now.duration(to: $0) })
                return .end
            }

            func close() {}
        }

        let name = "pipe"
        let identity = SourceIdentity.unique()
        let poller: Poller
        let waits = Witness<Duration?>()
        var capabilities: SourceCapabilities { .pausing }

        func open() async throws(DeviceError) -> any DeviceConnection { Connection(poller, waits) }
    }

    @Test func `the silence of a pipe begins when the driver has waited for its consumers`() async {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let source = OneEpochSource(poller: poller)
        let member = SessionMember()
        member.flow.setFull(true)
        let subscription = ReceiverPool(poller: poller).join(source, as: member) { _ in }
        // The driver waits for the consumers, with a time limit.
        await until { poller.waiterCount > 0 }
        clock.advance(by: .seconds(5))
        member.flow.setFull(false)
        #expect(await source.waits.first(1) == [.milliseconds(200)])
        withExtendedLifetime(subscription) {}
    }
}
