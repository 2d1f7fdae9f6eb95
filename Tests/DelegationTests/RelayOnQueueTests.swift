// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSTestTraits
import Testing

/// A host that calls the user's delegate on a queue, so that a slow delegate delays nothing else.
@Suite(.timeLimit(.generous), .leavesNothing)
struct RelayOnQueueTests {
    let queue = DispatchQueue(label: "delegate")
    let log = Log<String>()

    /// A proxy that calls its delegate through `delivery`.
    final class QueuedProxy: PanelDelegate, Sendable {
        let base: DelegateProxy<Manager, any PanelDelegate>
        let learned: MethodEvent<String>
        let picked: MethodEvent<Int>
        let delivery: DeliveryQueue

        init(_ host: Manager, _ delivery: DeliveryQueue) {
            base = DelegateProxy(host: host)
            learned = base.event("learned", essential: true)
            picked = base.event("picked")
            self.delivery = delivery
        }

        func panel(_ panel: AnyObject, learned text: String) {
            guard let host = base.host else { return }
            base.relay(learned, text, on: delivery) { $0.panel(host, learned: text) }
        }
        func panel(_ panel: AnyObject, picked index: Int) {
            guard let host = base.host else { return }
            base.relay(picked, index, on: delivery) { $0.panel(host, picked: index) }
        }
    }

    final class Listener: PanelDelegate, Sendable {
        let log: Log<String>
        let queue: DispatchQueue

        init(_ log: Log<String>, on queue: DispatchQueue) {
            self.log = log
            self.queue = queue
        }
        func panel(_ panel: AnyObject, learned text: String) {
            dispatchPrecondition(condition: .onQueue(queue))
            log.append("learned \(text)")
        }
        func panel(_ panel: AnyObject, picked index: Int) {
            dispatchPrecondition(condition: .onQueue(queue))
            log.append("picked \(index)")
        }
    }

    @Test func `observers are called at once while the delegate is stalled`() async {
        let manager = Manager()
        let proxy = QueuedProxy(manager, DeliveryQueue(on: queue))
        let listener = Listener(log, on: queue)
        let stream = proxy.picked.values()
        proxy.base.setForwardToDelegate(listener)
        proxy.picked.methodInvoked.observe { [log] in log.append("invoked \($0)") }
        queue.suspend()
        for index in 1...3 { proxy.panel(manager, picked: index) }
        #expect(await collect(3, of: stream) == [1, 2, 3])
        #expect(log.count == 0)
        queue.resume()
        await drain(queue)
        #expect(
            log.entries == [
                "picked 1", "invoked 1", "picked 2", "invoked 2", "picked 3", "invoked 3",
            ])
    }

    @Test func `calls dropped for a stalled delegate are counted and are not changes of state`()
        async
    {
        let manager = Manager()
        let delivery = DeliveryQueue(on: queue, buffering: .newest(3))
        let proxy = QueuedProxy(manager, delivery)
        let listener = Listener(log, on: queue)
        proxy.base.setForwardToDelegate(listener)
        queue.suspend()
        proxy.panel(manager, learned: "lost")
        for index in 1...10_000 { proxy.panel(manager, picked: index) }
        #expect(delivery.droppedCount == 9_998 && delivery.pendingCount == 3)
        queue.resume()
        await drain(queue)
        #expect(log.entries == ["learned lost", "picked 9999", "picked 10000"])
    }

    @Test func `the completion after the waiting calls replaces none of them`() async {
        let manager = Manager()
        let delivery = DeliveryQueue(on: queue, buffering: .newest(1))
        let proxy = QueuedProxy(manager, delivery)
        proxy.picked.methodInvoked.observe { [log] in
            log.append("invoked \($0)")
        } onCompletion: { [log] in
            log.append("completed")
        }
        queue.suspend()
        proxy.panel(manager, picked: 1)
        proxy.base.complete(afterCallsIn: delivery)
        #expect(delivery.droppedCount == 0 && delivery.pendingCount == 2)
        queue.resume()
        await drain(queue)
        #expect(log.entries == ["invoked 1", "completed"])
    }

    @Test func `a queued call reaches the delegate that is set when the call runs`() async {
        let manager = Manager()
        let proxy = QueuedProxy(manager, DeliveryQueue(on: queue))
        let listener = Listener(log, on: queue)
        proxy.base.setForwardToDelegate(listener)
        queue.suspend()
        proxy.panel(manager, picked: 1)
        proxy.base.setForwardToDelegate(nil)
        queue.resume()
        await drain(queue)
        #expect(log.count == 0)
    }

    @Test func `nothing is queued without a delegate or an observer of methodInvoked`() {
        let manager = Manager()
        let delivery = DeliveryQueue(on: queue)
        let proxy = QueuedProxy(manager, delivery)
        queue.suspend()
        proxy.panel(manager, picked: 1)
        #expect(delivery.pendingCount == 0)
        queue.resume()
    }
}
