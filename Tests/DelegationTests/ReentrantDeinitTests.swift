// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSTestTraits
import Testing

/// No container releases its contents with its lock held: debug builds stop if a lock is locked twice.
@Suite(.timeLimit(.generous), .leavesNothing)
struct ReentrantDeinitTests {
    /// A container and a closure that makes it release an object.
    struct Container: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: @Sendable (Log<String>) async throws -> Void

        init(_ name: String, _ body: @escaping @Sendable (Log<String>) async throws -> Void) {
            testDescription = name
            self.body = body
        }
    }

    @Test(arguments: Self.containers)
    func `an object whose deinit uses its container is released`(
        _ container: Container
    ) async throws {
        let log = Log<String>()
        try await container.body(log)
        #expect(log.entries.contains("used the container"), "the object is not released")
    }

    static let containers = streams + queues + observers + promises + delegates

    static let streams = [
        Container("stream: a full buffer drops its oldest value") { log in
            let event = Event<Returning?>()
            let stream = event.values(buffering: .newest(1))
            event.send(returning(to: event, log))
            event.send(nil)
            #expect(stream.droppedCount == 2)
        },
        Container("stream: a full buffer drops a new value") { log in
            let event = Event<Returning?>()
            let stream = event.values(buffering: .oldest(1))
            event.send(nil)
            event.send(returning(to: event, log))
            #expect(stream.droppedCount == 2)
        },
        Container("stream: a buffer without room") { log in
            let event = Event<Returning?>()
            let stream = event.values(buffering: .newest(0))
            event.send(returning(to: event, log))
            #expect(stream.droppedCount == 2)
        },
        Container("stream: a cancelled task discards the buffer") { log in
            let event = Event<Returning?>()
            let stream = event.values()
            event.send(returning(to: event, log))
            let reader = Task {
                await Task.yield()
                withUnsafeCurrentTask { $0?.cancel() }
                for await _ in stream { Issue.record("a value for a cancelled task") }
            }
            await reader.value
        },
        Container("stream: released with buffered values") { log in
            let event = Event<Returning?>()
            var stream: EventStream<Returning?>? = event.values()
            event.send(returning(to: event, log))
            stream = nil
            #expect(stream == nil)
        },
        Container("stream: a value that was read") { log in
            let event = Event<Returning?>()
            let stream = event.values()
            event.send(returning(to: event, log))
            event.complete()
            for await _ in stream {}
        },
        Container("stream: the closure that subscribes") { log in
            let event = Event<Int>()
            let object = Returning {
                log.append("used the container")
                event.send(1)
            }
            _ = EventStream(buffering: .unbounded) { [object] onValue, onCompletion in
                event.observe(
                    { value in withExtendedLifetime(object) { onValue(value) } },
                    onCompletion: onCompletion)
            }
        },
    ]

    static let queues = [
        Container("delivery queue: the oldest call is dropped") { log in
            let queue = DeliveryQueue(on: NeverExecutor(), buffering: .newest(1))
            enqueue(returningTo: queue, log)
            queue.enqueue {}
        },
        Container("delivery queue: a new call is dropped") { log in
            let queue = DeliveryQueue(on: NeverExecutor(), buffering: .oldest(1))
            queue.enqueue {}
            enqueue(returningTo: queue, log)
        },
        Container("delivery queue: an essential call takes the last place") { log in
            let queue = DeliveryQueue(on: NeverExecutor(), buffering: .oldest(1))
            enqueue(returningTo: queue, log)
            queue.enqueue(essential: true) {}
        },
        Container("delivery queue: an essential call is dropped") { log in
            let queue = DeliveryQueue(on: NeverExecutor(), buffering: .newest(1))
            enqueue(returningTo: queue, essential: true, log)
            queue.enqueue(essential: true) {}
        },
        Container("delivery queue: closed with a waiting call") { log in
            let queue = DeliveryQueue(on: NeverExecutor())
            enqueue(returningTo: queue, log)
            queue.close()
            #expect(queue.pendingCount == 0)
        },
        Container("delivery queue: a call after it has been closed") { log in
            let queue = DeliveryQueue(on: NeverExecutor())
            queue.close()
            enqueue(returningTo: queue, log)
            #expect(queue.pendingCount == 0 && queue.droppedCount == 0)
        },
        Container("delivery queue: a call that has run") { log in
            let queue = DeliveryQueue(on: .immediate)
            enqueue(returningTo: queue, log)
        },
        Container("delivery queue: released with a waiting call") { log in
            var queue: DeliveryQueue? = DeliveryQueue(on: NeverExecutor())
            let object = Returning { [weak queue] in
                log.append("used the container")
                queue?.enqueue {}
            }
            queue?.enqueue { _ = object }
            queue = nil
        },
        Container("binder: a dropped value") { log in
            let binder = Binder<Returning?>(Dial(), on: NeverExecutor()) { _, _ in }
            binder.send(
                Returning {
                    log.append("used the container")
                    binder.send(nil)
                })
            for _ in 0..<256 { binder.send(nil) }
        },
        Container("relay on a queue: a dropped call") { log in
            let base = DelegateProxy<Manager, any PanelDelegate>(host: Manager())
            let event: MethodEvent<Returning?> = base.event("method")
            let queue = DeliveryQueue(on: NeverExecutor(), buffering: .newest(1))
            let token = event.methodInvoked.observe { _ in }
            let object = Returning {
                log.append("used the container")
                base.relay(event, nil, on: queue) { _ in }
            }
            base.relay(event, object, on: queue) { _ in }
            base.relay(event, nil, on: queue) { _ in }
            token.dispose()
        },
    ]

    static let observers = [
        Container("subscription: its action") { log in
            let subscription = Shared<Subscription?>(nil)
            let object = Returning {
                log.append("used the container")
                subscription.value?.dispose()
            }
            subscription.value = Subscription { _ = object }
            subscription.value?.dispose()
            subscription.value = nil
        },
        Container("event: an observer is disposed") { log in
            let event = Event<Int>()
            observe(event, log).dispose()
        },
        Container("event: its observers when it completes") { log in
            let event = Event<Int>()
            _ = observe(event, log)
            event.complete()
        },
        Container("event: released with its observers") { log in
            var event: Event<Int>? = Event()
            if let event { _ = observe(event, log) }
            event = nil
        },
        Container("event: the closure for changes of interest") { log in
            let other = Event<Int>()
            let object = Returning {
                log.append("used the container")
                other.observe { _ in }.dispose()
            }
            _ = Event<Int>(onInterestChange: { [object] _ in _ = object })
        },
        Container("event: an observer on an executor is disposed") { log in
            let event = Event<Int>()
            let object = Returning { [weak event] in
                log.append("used the container")
                event?.send(1)
            }
            event.subscribe(on: .immediate) { [object] _ in _ = object }.dispose()
        },
        Container("control property: changes that wait for the initial value") { log in
            let changes = Event<Returning?>()
            let property = ControlProperty(
                changes: changes, on: .immediate,
                get: {
                    changes.send(returning(to: changes, log))
                    return nil
                }, set: { _ in })
            property.observe { _ in }.dispose()
        },
    ]

    static let promises = [
        Container("promise: a waiter of a settled promise") { log in
            let promise = Promise<Int>()
            let object = Returning { [weak promise] in
                log.append("used the container")
                promise?.fulfill(2)
            }
            promise.then { [object] _ in _ = object }
            promise.fulfill(1)
        },
        Container("promise: a waiter of a rejected promise") { log in
            let promise = Promise<Int>()
            let task = Task {
                await withTaskCancellationHandler {
                    _ = try? await promise.value
                } onCancel: {
                    promise.reject(PromiseError(.abandoned))
                }
                log.append("used the container")
            }
            task.cancel()
            await task.value
        },
        Container("promise: its value") { log in
            var promise: Promise<Returning>? = Promise()
            promise?.fulfill(
                Returning { [weak promise] in
                    log.append("used the container")
                    promise?.reject(CancellationError())
                })
            promise = nil
        },
        Container("promise: a second value") { log in
            let promise = Promise<Returning?>()
            promise.fulfill(nil)
            promise.fulfill(
                Returning {
                    log.append("used the container")
                    promise.fulfill(nil)
                })
        },
    ]

    static let delegates = [
        Container("proxy: a retained delegate is replaced") { log in
            let base = DelegateProxy<Manager, any PanelDelegate>(host: Manager())
            retain(in: base, log)
            base.setForwardToDelegate(nil)
        },
        Container("proxy: a retained delegate is uninstalled") { log in
            let base = DelegateProxy<Manager, any PanelDelegate>(host: Manager())
            let object = Returning { [weak base] in
                log.append("used the container")
                base?.setForwardToDelegate(nil)
            }
            try base.installForwardDelegate(object, retainDelegate: true).dispose()
        },
        Container("proxy: released with a retained delegate") { log in
            var base: DelegateProxy<Manager, any PanelDelegate>? = DelegateProxy(host: Manager())
            if let base { retain(in: base, log) }
            base = nil
        },
        Container("slot: a retained delegate that another one replaces") { log in
            let manager = Manager()
            retain(in: ManagerProxy.proxy(for: manager).base, log)
            manager.delegate = Mock()
        },
        Container("slot: a delegate whose last reference is released") { log in
            let manager = Manager()
            var object: Returning? = Returning { [weak manager] in
                log.append("used the container")
                manager?.delegate = nil
            }
            manager.delegate = object
            object = nil
            #expect(manager.delegate == nil)
        },
        Container("multicast: a delegate whose last reference is released") { log in
            let delegates = MulticastDelegate<any PanelDelegate>()
            var object: Returning? = Returning {
                log.append("used the container")
                delegates.add(Mock())
            }
            if let object { delegates.add(object) }
            object = nil
            delegates.removeAll()
        },
        Container("foreign host: an observer released by a sweep") { log in
            do {
                let object = Returning {
                    log.append("used the container")
                    ProxyStorage.sweep()
                    _ = GadgetProxy.proxy(for: Gadget())
                }
                GadgetProxy.proxy(for: Gadget()).beeped.observe { [object] _ in _ = object }
            }
            ProxyStorage.sweep()
            // Another test's sweep may be releasing it.
            while log.entries.isEmpty, !Task.isCancelled { await Task.yield() }
        },
        Container("host: an observer released with the host") { log in
            var manager: Manager? = Manager()
            let object = Returning { [weak manager] in
                log.append("used the container")
                _ = manager.map { ManagerProxy.proxy(for: $0) }
            }
            manager?.events.picked.observe { [object] _ in _ = object }
            manager = nil
        },
    ]

    private static func returning(to event: Event<Returning?>, _ log: Log<String>) -> Returning {
        Returning { [weak event] in
            log.append("used the container")
            event?.send(nil)
        }
    }

    private static func enqueue(
        returningTo queue: DeliveryQueue, essential: Bool = false, _ log: Log<String>
    ) {
        let object = Returning { [weak queue] in
            log.append("used the container")
            queue?.enqueue {}
        }
        queue.enqueue(essential: essential) { _ = object }
    }

    private static func observe(_ event: Event<Int>, _ log: Log<String>) -> Subscription {
        let object = Returning { [weak event] in
            log.append("used the container")
            event?.observe { _ in }.dispose()
            event?.send(1)
        }
        return event.observe { [object] _ in _ = object }
    }

    private static func retain(
        in base: DelegateProxy<Manager, any PanelDelegate>, _ log: Log<String>
    ) {
        let object = Returning { [weak base] in
            log.append("used the container")
            base?.setForwardToDelegate(nil)
        }
        base.setForwardToDelegate(object, retainDelegate: true)
    }
}

/// The threads that observers are called on.
@Suite(.timeLimit(.generous), .leavesNothing)
struct SubscribeTests {
    @Test func `a subscriber that blocks delays nothing else`() async {
        let manager = Manager()
        let gate = DispatchSemaphore(value: 0)
        let (slow, quick) = (Log<Int>(), Log<Int>())
        let end = Promise<Void>()
        let subscription = manager.events.picked.subscribe(buffering: .newest(10)) { value in
            gate.wait()
            slow.append(value)
            if value == 1000 { end.fulfill(()) }
        }
        manager.events.picked.observe { quick.append($0) }
        let stream = manager.events.picked.values(buffering: .unbounded)
        for value in 1...1000 { manager.pick(value) }
        #expect(quick.entries == Array(1...1000))
        #expect(await collect(1000, of: stream) == Array(1...1000))
        // The running call, if it has begun, and ten waiting ones.
        #expect((989...990).contains(subscription.droppedCount))
        for _ in 1...11 { gate.signal() }
        _ = try? await end.value
        #expect(slow.entries.suffix(10) == Array(991...1000))
        subscription.dispose()
    }

    @Test func `a subscriber is called in order, completion last`() async {
        let event = Event<Int>()
        let log = Log<Int>()
        let end = Promise<Void>()
        event.subscribe(
            buffering: .unbounded, { log.append($0) }, onCompletion: { end.fulfill(()) })
        for value in 1...10_000 { event.send(value) }
        event.complete()
        _ = try? await end.value
        #expect(log.entries == Array(1...10_000))
    }

    @Test func `a disposed subscription pauses no source, even with an idle queue`()
        async
    {
        let queue = DispatchQueue(label: "stuck")
        let flow = FlowControl()
        let event = Event<Int>(flow: flow)
        let log = Log<Int>()
        let subscription = event.subscribe(on: queue, buffering: .newest(2)) { log.append($0) }
        queue.suspend()
        for value in 1...3 { event.send(value) }
        #expect(!flow.isClear && subscription.droppedCount == 1)
        subscription.dispose()
        #expect(flow.isClear && subscription.droppedCount == 1)
        queue.resume()
        await drain(queue)
        #expect(log.count == 0 && flow.isClear)
    }

    @Test func `a subscription disposed inside its closure pauses no source`() {
        let flow = FlowControl()
        let event = Event<Int>(flow: flow)
        let log = Log<Int>()
        let subscription = Shared<Subscription?>(nil)
        subscription.value = event.subscribe(on: .immediate, buffering: .newest(2)) { value in
            log.append(value)
            event.send(value + 1)
            subscription.value?.dispose()
        }
        event.send(1)
        #expect(log.entries == [1] && flow.isClear)
        subscription.value = nil
    }

    @Test func `an observer is called before send returns`() {
        let event = Event<Int>()
        let log = Log<String>()
        event.observe { log.append("value \($0)") }
        event.subscribe(on: .immediate) { log.append("immediate \($0)") }
        event.send(1)
        log.append("sent")
        #expect(log.entries == ["value 1", "immediate 1", "sent"])
    }

    @MainActor @Test func `a main-actor subscriber may use its objects`() async {
        let model = TitleModel()
        let event = Event<String>()
        let end = Promise<Void>()
        event.subscribe(on: .main) {
            model.title = $0
        } onCompletion: {
            model.title += "."
            end.fulfill(())
        }
        await Task.detached {
            event.send("title")
            event.complete()
        }.value
        _ = try? await end.value
        #expect(model.title == "title.")
    }
}

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

    @Test func `streams and promises of converted values end with the event`() async throws {
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

    @Test func `a converted event doesn't retain its event`() {
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

    @Test func `a closure runs once for each observer`() {
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

    @Test func `a custom event source is converted and streamed, too`() async throws {
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
