// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

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
