// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous), .leavesNothing)
struct TransformedEventTests {
    let log = Log<String>()

    @Test func `map converts, compactMap leaves out nil, filter selects`() {
        let event = Event<Int>()
        event.map { "\($0 * 2)" }.observe { [log] in log.append($0) }
        event.compactMap { Int("\($0)1") }.filter { $0 > 20 }.map { "big \($0)" }
            .observe { [log] in log.append($0) }
        event.send(1)
        event.send(3)
        #expect(log.entries == ["2", "6", "big 31"])
    }

    @MainActor @Test func `a delegate method is bound to a property of another type`() async throws
    {
        var manager: Manager? = Manager()
        let model = TitleModel()
        let end = Promise<Void>()
        manager?.events.picked.map { "button \($0)" }.bind(
            to: Binder(
                model, on: .main, { $0.title = $1 }, onCompletion: { _ in end.fulfill(()) }))
        manager?.pick(7)
        manager = nil
        try await end.value
        #expect(model.title == "button 7")
    }

    @Test func `a stream and a promise of converted values end with the event`() async throws {
        let event = Event<Int>()
        let stream = event.map { $0 + 1 }.values()
        let promise = event.filter { $0 > 1 }.first()
        let never = event.filter { $0 > 10 }.first { $0 > 20 }
        for value in 1...3 { event.send(value) }
        event.complete()
        var seen: [Int] = []
        for await value in stream { seen.append(value) }
        #expect(seen == [2, 3, 4])
        #expect(try await promise.value == 2)
        await #expect(throws: PromiseError.self) { try await never.value }
    }

    @Test func `a converted event does not keep its event alive`() {
        var event: Event<Int>? = Event()
        let converted = event?.map { $0 }
        converted?.observe({ _ in }, onCompletion: { [log] in log.append("end") })
        event = nil
        #expect(log.entries == ["end"])
        converted?.observe({ _ in }, onCompletion: { [log] in log.append("late") })
        #expect(log.entries == ["end", "late"])
    }

    @Test func `disposing a subscription detaches it from the event`() {
        let event = Event<Int>()
        let subscription = event.map { $0 }.filter { _ in true }.observe { _ in }
        #expect(event.hasObservers)
        subscription.dispose()
        #expect(!event.hasObservers)
    }

    @Test func `a control's converted values come on the owner's executor`() {
        let dial = Dial()
        dial.level = 1
        // The dial delivers on the thread that turns it.
        dial.levelControl.map { "level \($0)" }.subscribe { [log] in log.append($0) }
        dial.levelControl.changed.filter { $0 > 2 }.map { "loud \($0)" }
            .subscribe { [log] in log.append($0) }
        dial.turn(to: 2)
        dial.turn(to: 3)
        #expect(log.entries == ["level 1", "level 2", "level 3", "loud 3"])
    }

    @Test func `a closure is called once for each observer, on the sender's thread`() {
        let event = Event<Int>()
        let queue = DispatchQueue(label: "sender")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let converted = event.map { [log] in
            log.append(DispatchQueue.getSpecific(key: key) == true ? "sender" : "elsewhere")
            return $0
        }
        converted.observe { _ in }
        converted.observe { _ in }
        queue.sync { event.send(1) }
        #expect(log.entries == ["sender", "sender"])
    }

    /// A source with only the required members of the protocol.
    private struct Countdown: EventSource {
        func observe(
            _ body: @escaping @Sendable (Int) -> Void,
            onCompletion: @escaping @Sendable () -> Void
        ) -> Subscription {
            for number in [3, 2, 1] { body(number) }
            onCompletion()
            return Subscription()
        }
    }

    @Test func `a custom event source is converted and streamed like any other`() async throws {
        var seen: [String] = []
        for await text in Countdown().map({ "\($0)!" }).values() { seen.append(text) }
        #expect(seen == ["3!", "2!", "1!"])
        #expect(try await Countdown().first { $0 < 3 }.value == 2)
        let end = Promise<Void>()
        Countdown().filter { $0 != 2 }.subscribe { [log] in
            log.append("\($0)")
        } onCompletion: {
            end.fulfill(())
        }
        try await end.value
        #expect(log.entries == ["3", "1"])
    }
}
