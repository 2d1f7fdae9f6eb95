// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// Ownership and replacement of the user's delegate.
@Suite(.timeLimit(.generous), .leavesNothing)
struct ForwardDelegateTests {
    @Test func `a delegate is held weakly, also while the token is kept`() throws {
        let manager = Manager()
        weak var seen: Mock?
        var mock: Mock? = Mock()
        seen = mock
        let token = try mock.map { try ManagerProxy.setDelegate($0, for: manager) }
        #expect(ManagerProxy.proxy(for: manager).forwardToDelegate() === mock)
        mock = nil
        #expect(seen == nil)
        #expect(manager.delegate == nil)
        #expect(manager.height(at: 0) == 7)
        withExtendedLifetime(token) {}
    }

    @Test func `a retained delegate lives until the token is disposed`() throws {
        let manager = Manager()
        weak var seen: Mock?
        let token: Subscription
        do {
            let mock = Mock()
            seen = mock
            token = try ManagerProxy.installForwardDelegate(
                mock, retainDelegate: true, onProxyFor: manager)
        }
        #expect(seen != nil && manager.delegate === seen)
        token.dispose()
        #expect(seen == nil)
    }

    @Test func `a second installation throws and names the first delegate`() throws {
        let manager = Manager()
        let first = Mock()
        let second = Mock()
        let token = try ManagerProxy.setDelegate(first, for: manager)
        let error = #expect(throws: DelegationError.self) {
            try ManagerProxy.setDelegate(second, for: manager)
        }
        #expect(error?.code == .delegateAlreadySet)
        #expect(error?.description.contains("Mock") == true)
        #expect(manager.delegate === first)
        token.dispose()
        #expect(manager.delegate == nil)
    }

    @Test func `a deallocated delegate does not prevent an installation`() throws {
        let manager = Manager()
        manager.delegate = Mock()
        let mock = Mock()
        _ = try ManagerProxy.setDelegate(mock, for: manager)
        #expect(manager.delegate === mock)
    }

    @Test func `disposing an installation doesn't remove its successor`() throws {
        let manager = Manager()
        let first = Mock()
        let second = Mock()
        let token = try ManagerProxy.setDelegate(first, for: manager)
        manager.delegate = second
        token.dispose()
        #expect(manager.delegate === second)
    }

    @Test func `disposing an installation doesn't undo a later assignment of the same delegate`()
        throws
    {
        let manager = Manager()
        let mock = Mock()
        let token = try ManagerProxy.setDelegate(mock, for: manager)
        manager.delegate = nil
        manager.delegate = mock
        token.dispose()
        #expect(manager.delegate === mock)
    }

    @Test func `a proxy retains the delegate that its host retained`() {
        let owner = Owner()
        weak var seen: Mock?
        do {
            let mock = Mock()
            seen = mock
            owner.delegate = mock
        }
        let proxy = OwnerProxy.proxy(for: owner)
        #expect(seen != nil && proxy.forwardToDelegate() === seen)
        proxy.setForwardToDelegate(nil)
        #expect(seen == nil)
    }

    @Test func `a delegate released by another thread during a call finishes the call`() {
        for _ in 0..<1000 {
            let manager = Manager()
            let mock = Shared<Mock?>(Mock())
            manager.delegate = mock.value
            _ = ManagerProxy.proxy(for: manager)
            onThreads(2) { thread in
                if thread == 0 { _ = mock.take() } else { manager.learn("x") }
            }
            #expect(manager.delegate == nil)
        }
    }

    @Test func `a delegate may have any type an object can have`() {
        let object = Everything()
        check(object as any PanelDelegate, is: object)
        check(object as any PanelDelegate & GadgetListener, is: object)
        check(object as any Describing, is: object)
        check(object, is: object)
    }

    @Test func `a delegate that isn't an object stops the program`() async {
        await #expect(processExitsWith: .failure) {
            DelegateProxy<Manager, any Describing>(host: Manager()).setForwardToDelegate(Value())
        }
    }

    @Test func `a proxy ignores itself, and a proxy that forwards calls to it, as a delegate`()
        throws
    {
        let gadget = Gadget()
        let proxy = GadgetProxy.proxy(for: gadget)
        let log = Log<Int?>()
        proxy.beeped.observe { log.append($0) }
        let outer = AssignmentTests.OtherGadgetProxy.proxy(for: gadget)
        let ignored: [any GadgetListener] = [proxy, outer]
        for listener in ignored {
            proxy.addDelegate(listener)
            proxy.setForwardToDelegate(listener)
            let token = try GadgetProxy.setDelegate(listener, for: gadget)
            #expect(token.isDisposed)
        }
        #expect(proxy.forwardToDelegate() == nil)
        gadget.beep(1)
        #expect(log.entries == [1])
    }

    /// Sets, calls and releases a delegate through a slot of type `Delegate`.
    private func check<Delegate>(_ delegate: Delegate, is object: Everything) {
        let manager = Manager()
        let proxy = DelegateProxy<Manager, Delegate>(host: manager)
        let event = proxy.event("any", of: Int.self)
        proxy.setForwardToDelegate(delegate)
        for value in 1...3 {
            proxy.relay(event, value) { #expect($0 as AnyObject === object) }
        }
        #expect(proxy.forwardToDelegate().map { $0 as AnyObject } === object)
    }

    /// A protocol that value types may adopt, too.
    protocol Describing {}
    struct Value: Describing {}
    final class Everything: PanelDelegate, GadgetListener, Describing {
        func gadget(_ gadget: Gadget, beeped volume: Int?) {}
    }

    /// A host that holds its delegate strongly.
    final class Owner: HasDelegate, DelegateProxyHost {
        let proxyStorage = ProxyStorage()
        var delegate: (any PanelDelegate)?
        deinit { delegate = nil }
    }

    final class OwnerProxy: DelegateProxyType, PanelDelegate {
        let base: DelegateProxy<Owner, any PanelDelegate>
        init(_ base: DelegateProxy<Owner, any PanelDelegate>) { self.base = base }
        static let retainsPreviousDelegate = true
        static func registerKnownImplementations() { register { OwnerProxy($0) } }
    }
}
