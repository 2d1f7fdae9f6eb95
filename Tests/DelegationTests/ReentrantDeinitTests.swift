// SPDX-License-Identifier: MIT
import Delegation
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
