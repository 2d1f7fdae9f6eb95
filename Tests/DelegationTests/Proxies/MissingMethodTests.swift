// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// Proxies that lack a method of a protocol whose methods are all optional.
@Suite(.timeLimit(.generous), .leavesNothing)
struct MissingMethodTests {
    let messages = Log<String>()

    private func reporting(_ body: () -> Void) {
        MissingMethod.$report.withValue({ [messages] in messages.append($0) }, operation: body)
    }

    @Test func `a delegate receives the calls of methods that its proxy lacks`() {
        enum Case {}
        let (tuner, listener) = (Tuner(), Listener())
        let proxy = TunerProxy<Case>(DelegateProxy(host: tuner))
        tuner.delegate = proxy
        proxy.setForwardToDelegate(listener)
        reporting {
            tuner.find(1)
            tuner.lose(2)
            tuner.lose(3)
            #expect(tuner.mayTune(to: 4) == false)
        }
        #expect(listener.log.entries == ["find 1", "lose 2", "lose 3", "mayTune 4"])
    }

    @Test func `a proxy that lacks a method says so once, if the delegate implements it`() {
        enum Case {}
        let (tuner, listener) = (Tuner(), Listener())
        let proxy = TunerProxy<Case>(DelegateProxy(host: tuner))
        tuner.delegate = proxy
        reporting {
            tuner.lose(1)
            #expect(messages.count == 0, "no delegate")
            proxy.setForwardToDelegate(listener)
            tuner.lose(2)
            tuner.lose(3)
            tuner.rename("x")
        }
        #expect(messages.count == 1)
        let message = messages.entries.first ?? ""
        #expect(
            message.contains(" lacks tuner(_:didLose:), which Listener implements"))
        #expect(message.contains("relay(didLose, …) { $0.tuner(…, didLose: …) }"))
    }

    @Test func `a delegate that lacks the method, too, causes no message`() {
        enum Case {}
        final class Deaf: TunerDelegate {}
        let (tuner, deaf) = (Tuner(), Deaf())
        let proxy = TunerProxy<Case>(DelegateProxy(host: tuner))
        tuner.delegate = proxy
        proxy.setForwardToDelegate(deaf)
        reporting {
            tuner.lose(1)
            tuner.rename("x")
            #expect(tuner.mayTune(to: 2) == true)
        }
        #expect(messages.count == 0)
    }

    @Test func `a default that calls an older method calls either once`() {
        enum Case {}
        final class Old: TunerDelegate {
            let log = Log<String>()
            func tuner(_ tuner: Tuner, hasOldName name: String) { log.append("old \(name)") }
        }
        final class Both: TunerDelegate {
            let log = Log<String>()
            func tuner(_ tuner: Tuner, hasOldName name: String) { log.append("old \(name)") }
            func tuner(_ tuner: Tuner, hasName name: String) { log.append("new \(name)") }
        }
        let (tuner, old, both) = (Tuner(), Old(), Both())
        let proxy = TunerProxy<Case>(DelegateProxy(host: tuner))
        tuner.delegate = proxy
        reporting {
            proxy.setForwardToDelegate(old)
            tuner.rename("a")
            proxy.setForwardToDelegate(both)
            tuner.rename("b")
        }
        #expect(old.log.entries == ["old a"] && both.log.entries == ["new b"])
    }

    @Test func `delegates that a program adds receive the calls, too`() {
        enum Case {}
        let (tuner, first, second) = (Tuner(), Listener(), Listener())
        let proxy = TunerProxy<Case>(DelegateProxy(host: tuner))
        tuner.delegate = proxy
        proxy.addDelegate(first)
        proxy.addDelegate(second)
        reporting { tuner.lose(5) }
        #expect(first.log.entries == ["lose 5"] && second.log.entries == ["lose 5"])
        #expect(messages.count == 1)
    }
}

private protocol TunerDelegate: AnyObject, Sendable {
    func tuner(_ tuner: Tuner, didFind station: Int)
    func tuner(_ tuner: Tuner, didLose station: Int)
    func tuner(_ tuner: Tuner, hasName name: String)
    func tuner(_ tuner: Tuner, hasOldName name: String)
    func tuner(_ tuner: Tuner, mayTuneTo station: Int) -> Bool
}

extension TunerDelegate {
    func tuner(_ tuner: Tuner, didFind station: Int) {
        relayMissing(self) { (delegate: any TunerDelegate) in
            delegate.tuner(tuner, didFind: station)
        }
    }
    func tuner(_ tuner: Tuner, didLose station: Int) {
        relayMissing(self) { (delegate: any TunerDelegate) in
            delegate.tuner(tuner, didLose: station)
        }
    }
    func tuner(_ tuner: Tuner, hasName name: String) {
        relayMissing(self) { (delegate: any TunerDelegate) in
            delegate.tuner(tuner, hasName: name)
        } orElse: {
            self.tuner(tuner, hasOldName: name)
        }
    }
    func tuner(_ tuner: Tuner, hasOldName name: String) {
        relayMissing(self) { (delegate: any TunerDelegate) in
            delegate.tuner(tuner, hasOldName: name)
        }
    }
    func tuner(_ tuner: Tuner, mayTuneTo station: Int) -> Bool {
        relayMissing(self, default: true) { (delegate: any TunerDelegate) in
            delegate.tuner(tuner, mayTuneTo: station)
        }
    }
}

private final class Tuner: Sendable {
    private let stored = Shared<(any TunerDelegate)?>(nil)
    private let live = LiveToken()

    var delegate: (any TunerDelegate)? {
        get { stored.value }
        set { stored.value = newValue }
    }

    func find(_ station: Int) { delegate?.tuner(self, didFind: station) }
    func lose(_ station: Int) { delegate?.tuner(self, didLose: station) }
    func rename(_ name: String) { delegate?.tuner(self, hasName: name) }
    func mayTune(to station: Int) -> Bool? { delegate?.tuner(self, mayTuneTo: station) }
}

/// A proxy that lists one method, as tutorials do. Each test has its own type, because a message is
/// printed once for each.
private final class TunerProxy<Case>: DelegateRelay, TunerDelegate {
    let base: DelegateProxy<Tuner, any TunerDelegate>
    let didFind: MethodEvent<Int>

    init(_ base: DelegateProxy<Tuner, any TunerDelegate>) {
        self.base = base
        didFind = base.event("didFind")
    }

    func tuner(_ tuner: Tuner, didFind station: Int) {
        relay(didFind, station) { $0.tuner(tuner, didFind: station) }
    }
}

private final class Listener: TunerDelegate {
    let log = Log<String>()
    func tuner(_ tuner: Tuner, didFind station: Int) { log.append("find \(station)") }
    func tuner(_ tuner: Tuner, didLose station: Int) { log.append("lose \(station)") }
    func tuner(_ tuner: Tuner, mayTuneTo station: Int) -> Bool {
        log.append("mayTune \(station)")
        return false
    }
}
