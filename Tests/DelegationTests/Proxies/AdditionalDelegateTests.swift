// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// Delegates added to a proxy of a host with one delegate.
@Suite(.timeLimit(.generous), .leavesNothing)
struct AdditionalDelegateTests {
    let manager = Manager()
    let stages = Log<String>()
    var proxy: ManagerProxy { .proxy(for: manager) }

    func mock(_ name: String) -> Mock { Mock(onInvoked: { [stages] in stages.append(name) }) }

    @Test func `added delegates are called once each, in order, after the user's delegate`() {
        let mocks = [mock("user"), mock("a"), mock("b")]
        for mock in [mocks[1], mocks[2], mocks[1], mocks[0]] { proxy.addDelegate(mock) }
        manager.delegate = mocks[0]
        proxy.learned.sentMessage.observe { [stages] _ in stages.append("sent") }
        proxy.learned.methodInvoked.observe { [stages] _ in stages.append("invoked") }
        manager.learn("x")
        #expect(stages.entries == ["sent", "user", "a", "b", "invoked"])
    }

    @Test func `added delegates are called until they are removed, even without the user's`() {
        let added = mock("added")
        proxy.addDelegate(added)
        manager.learn("x")
        proxy.removeDelegate(added)
        manager.learn("y")
        #expect(added.calls.entries == ["x"])
        #expect(manager.delegate == nil)
    }

    @Test func `added delegates are not called by methods with a result`() {
        let added = mock("added")
        proxy.addDelegate(added)
        #expect(manager.height(at: 0) == 7)
        #expect(stages.count == 0)
    }

    @Test func `added delegates contribute to the interests`() {
        let added = mock("added")
        proxy.addDelegate(added)
        #expect(proxy.panelInterests == [.learned, .height])
        proxy.removeDelegate(added)
        #expect(proxy.panelInterests == [])
        #expect(manager.seenInterests.entries == [[.learned, .height], []])
    }

    @Test func `added delegates are held weakly`() {
        weak var seen: Mock?
        do {
            let added = mock("added")
            seen = added
            proxy.addDelegate(added)
        }
        #expect(seen == nil)
        manager.learn("x")
        #expect(stages.count == 0)
    }
}
