// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DelegateProxyTests {
    protocol CounterDelegate: AnyObject {
        func counter(_ counter: Counter, reached value: Int)
        func counterShouldStop(_ counter: Counter) -> Bool
    }

    /// A host that keeps its proxy and routes its delegate to it.
    final class Counter: Sendable {
        private let built = Shared<CounterProxy?>(nil)
        var proxy: CounterProxy {
            if let proxy = built.value { return proxy }
            let proxy = CounterProxy(DelegateProxy(host: self))
            built.value = proxy
            return proxy
        }
        var delegate: (any CounterDelegate)? {
            get { proxy.base.forwardToDelegate() }
            set { proxy.base.setForwardToDelegate(newValue) }
        }
        deinit { built.value?.base.complete() }
    }

    final class CounterProxy: CounterDelegate, Sendable {
        let base: DelegateProxy<Counter, any CounterDelegate>
        let reached: MethodEvent<Int>
        let shouldStop: MethodEvent<Void>
        let queue: DeliveryQueue?

        init(_ base: DelegateProxy<Counter, any CounterDelegate>, queue: DeliveryQueue? = nil) {
            self.base = base
            self.queue = queue
            reached = base.event("reached", interests: 1)
            shouldStop = base.event("shouldStop", interests: 2)
        }
        func counter(_ counter: Counter, reached value: Int) {
            if let queue {
                base.relay(reached, value, on: queue) { $0.counter(counter, reached: value) }
            } else {
                base.relay(reached, value) { $0.counter(counter, reached: value) }
            }
        }
        func counterShouldStop(_ counter: Counter) -> Bool {
            base.relay(shouldStop, (), default: true) { $0.counterShouldStop(counter) }
        }
    }

    final class Listener: CounterDelegate, Sendable {
        let log: Log<String>
        init(_ log: Log<String>) { self.log = log }
        func counter(_ counter: Counter, reached value: Int) { log.append("delegate \(value)") }
        func counterShouldStop(_ counter: Counter) -> Bool { false }
    }

    @Test func `observers and the delegate are served in order`() {
        let counter = Counter()
        let log = Log<String>()
        let listener = Listener(log)
        counter.proxy.reached.methodInvoked.subscribe { log.append("invoked \($0)") }
        counter.proxy.reached.sentMessage.subscribe { log.append("sent \($0)") }
        counter.delegate = listener
        counter.proxy.counter(counter, reached: 1)
        #expect(log.entries == ["sent 1", "delegate 1", "invoked 1"])
        #expect(counter.delegate === listener)
    }

    @Test func `the delegate answers, and the default without one`() {
        let counter = Counter()
        let listener = Listener(Log())
        #expect(counter.proxy.counterShouldStop(counter))
        counter.delegate = listener
        #expect(!counter.proxy.counterShouldStop(counter))
        withExtendedLifetime(listener) {}
    }

    @Test func `a delegate that nobody else holds is gone`() {
        let counter = Counter()
        counter.delegate = Listener(Log())
        #expect(counter.delegate == nil)
        #expect(counter.proxy.counterShouldStop(counter))
    }

    @Test func `a delegate that takes its time does not hold observers up`() async {
        let counter = Counter()
        let queue = DispatchQueue(label: "slow delegate")
        let delivery = DeliveryQueue(on: queue, buffering: .newest(2))
        let proxy = CounterProxy(DelegateProxy(host: counter), queue: delivery)
        let log = Log<String>()
        let listener = Listener(log)
        proxy.base.setForwardToDelegate(listener)
        proxy.reached.sentMessage.subscribe { log.append("sent \($0)") }
        queue.suspend()
        for value in 1...3 { proxy.counter(counter, reached: value) }
        #expect(log.entries == ["sent 1", "sent 2", "sent 3"])
        queue.resume()
        await drain(queue)
        #expect(log.entries.suffix(2) == ["delegate 2", "delegate 3"])
        #expect(delivery.droppedCount == 1)
        withExtendedLifetime(listener) {}
    }

    @Test func `events complete with their host although the proxy is held`() {
        let log = Log<String>()
        var counter: Counter? = Counter()
        let proxy = counter?.proxy
        proxy?.reached.subscribe({ _ in }, onCompletion: { log.append("done") })
        counter = nil
        #expect(log.entries == ["done"])
        #expect(proxy?.base.host == nil)
    }

    @Test func `interests unite what the delegate wants and what is observed`() {
        let log = Log<UInt64>()
        let counter = Counter()
        let base = DelegateProxy<Counter, any CounterDelegate>(
            host: counter, interestsOfDelegate: { _ in 2 }, onInterestsChange: { log.append($0) })
        let proxy = CounterProxy(base)
        let listener = Listener(Log())
        let token = proxy.reached.subscribe { _ in }
        base.setForwardToDelegate(listener)
        let other = proxy.shouldStop.subscribe { _ in }
        token.dispose()
        other.dispose()
        base.setForwardToDelegate(nil)
        #expect(log.entries == [1, 3, 2, 0])
    }
}
