// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSReceivers
import GPSTestSupport
import Testing

/// Receivers whose messages the server does not store, although it stores those of others.
extension DeliveryTests {
    /// Does the work that is due, and answers the messages: with a failure those of the receiver
    /// that the server does not accept, if there is one.
    private func answer(
        _ delivery: inout Delivery, failing: Spool.Stream?, _ failure: EngineFailure,
        at time: MonotonicInstant
    ) throws {
        _ = try delivery.work(spool, now: time)
        for message in try engine.take() {
            if message.batch.member == failing?.member {
                delivery.handle(.failed(id: message.id, failure), now: time)
            } else {
                delivery.handle(.stored(id: message.id, nil), now: time)
            }
        }
        try delivery.acknowledge(spool)
    }

    /// `isGeneral` is `true` if no stream contains the subject, and `false` if the user may not
    /// publish on it.
    @Test(arguments: [true, false])
    func `a receiver whose messages are never stored does not hold up the others`(
        isGeneral: Bool
    ) throws {
        let (old, new) = (try spool.sampleStream("old"), try spool.sampleStream("new"))
        _ = try spool.appendSamples(3, to: old, new)
        var delivery = try delivery()
        delivery.handle(.connected, now: now)
        let failure = EngineFailure("not stored", isGeneral: isGeneral)
        // The pause of the receiver begins after a few seconds, and takes at least 7.5 s.
        for second in 0..<12 {
            let time = now + .seconds(second)
            delivery.offer(try spool.appendSamples(1, to: new), now: time)
            try answer(&delivery, failing: old, failure, at: time)
        }
        #expect(spool.count == 3)
        let text = "no message of f/b/old is accepted"
        #expect(delivery.drainNotes().filter { $0.text.contains(text) }.count == 1)
        // After the pause, the server accepts its messages.
        for second in 60..<70 {
            try answer(&delivery, failing: nil, failure, at: now + .seconds(second))
        }
        #expect(spool.count == 0 && delivery.isIdle)
        let again = "messages of f/b/old are accepted again"
        #expect(delivery.drainNotes().contains { $0.text.contains(again) })
    }
}
