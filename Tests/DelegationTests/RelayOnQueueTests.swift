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

/// Observers created in an isolated context and called on a producer's thread.
@Suite(.timeLimit(.generous), .leavesNothing)
struct IsolationTests {
    @MainActor @Test func `a closure formed on the main actor may be called on any thread`()
        async throws
    {
        let manager = Manager()
        let log = Log<Int>()
        manager.events.picked.observe { log.append($0) }
        let request = manager.events.picked.sentMessage.first().then { $0 + 1 }
        let executor = Task.detached { onThreads(2) { _ in manager.pick(1) } }
        await executor.value
        #expect(log.entries == [1, 1])
        #expect(try await request.value == 2)
    }

    @MainActor private final class Label {
        var texts: [String] = []
    }

    @MainActor @Test func `the closures of a chain use the main actor's objects`() async throws {
        struct Failure: Error {}
        let (label, good, bad) = (Label(), Promise<Int>(), Promise<Int>())
        let end = good.then(on: .main) { number in
            label.texts.append("value \(number)")
            return number + 1
        }.then(on: .main) { number in
            label.texts.append("next \(number)")
            return bad
        }.catch(on: .main) { error in
            label.texts.append("\(error)")
            return 0
        }.finally(on: .main) { label.texts.append("end") }
        let executor = Task.detached {
            good.fulfill(1)
            bad.reject(Failure())
        }
        await executor.value
        #expect(try await end.value == 0)
        #expect(label.texts == ["value 1", "next 2", "Failure()", "end"])
    }

    @MainActor @Test func `a stream is read on the main actor while another thread sends`() async {
        let manager = Manager()
        let stream = manager.events.picked.values()
        let producer = Task.detached { for value in 1...100 { manager.pick(value) } }
        var seen: [Int] = []
        for await value in stream {
            MainActor.assertIsolated()
            seen.append(value)
            if seen.count == 100 { break }
        }
        await producer.value
        #expect(seen == Array(1...100))
    }

    @MainActor @Test func `a main-actor class with a slot has its delegate assigned at any time`() {
        let (dialog, log) = (Dialog(), Log<String>())
        DialogProxy.proxy(for: dialog).didPress.observe { log.append("observer: \($0)") }
        let printer = DialogPrinter(log)
        dialog.delegateSlot.delegate = printer
        dialog.press(1)
        #expect(log.entries == ["observer: 1", "delegate: 1"])
    }
}

@MainActor private protocol DialogDelegate: AnyObject {
    func dialog(_ dialog: Dialog, didPress button: Int)
}

@MainActor private final class Dialog: HasRoutedDelegate {
    nonisolated let proxyStorage = ProxyStorage()
    nonisolated let delegateSlot = DelegateSlot<any DialogDelegate>()

    func press(_ button: Int) { delegateSlot.sink?.dialog(self, didPress: button) }
}

nonisolated private final class DialogProxy: DelegateProxyType, DialogDelegate {
    let base: DelegateProxy<Dialog, any DialogDelegate>
    let didPress: MethodEvent<Int>

    init(_ base: DelegateProxy<Dialog, any DialogDelegate>) {
        self.base = base
        didPress = base.event("didPress")
    }

    static func registerKnownImplementations() { register { DialogProxy($0) } }

    @MainActor func dialog(_ dialog: Dialog, didPress button: Int) {
        relay(didPress, button) { $0.dialog(dialog, didPress: button) }
    }
}

private final class DialogPrinter: DialogDelegate {
    let log: Log<String>
    init(_ log: Log<String>) { self.log = log }
    func dialog(_ dialog: Dialog, didPress button: Int) { log.append("delegate: \(button)") }
}
