// SPDX-License-Identifier: MIT
import Delegation

/// A host with a routed delegate: assigning it never detaches observers.
final class Manager: HasRoutedDelegate, Sendable {
    let proxyStorage = ProxyStorage()
    private let live = LiveToken()
    let delegateSlot = DelegateSlot<any PanelDelegate>()
    let seenInterests = Log<PanelInterests>()

    var delegate: (any PanelDelegate)? {
        get { delegateSlot.delegate }
        set { delegateSlot.delegate = newValue }
    }

    func delegateInterestsDidChange(to interests: UInt64, slot: String) {
        seenInterests.append(PanelInterests(rawValue: interests))
    }

    func learn(_ text: String) { delegateSlot.sink?.panel(self, learned: text) }
    func pick(_ index: Int) { delegateSlot.sink?.panel(self, picked: index) }
    func height(at index: Int) -> Double? { delegateSlot.sink?.panel(self, heightAt: index) }
}

final class ManagerProxy: DelegateProxyType, PanelDelegate {
    let base: DelegateProxy<Manager, any PanelDelegate>
    let learned: MethodEvent<String>
    let picked: MethodEvent<Int>
    let height: MethodEvent<Int>
    private let live = LiveToken()

    init(_ base: DelegateProxy<Manager, any PanelDelegate>) {
        self.base = base
        learned = base.event("learned", interests: PanelInterests.learned.rawValue)
        picked = base.event("picked", interests: PanelInterests.picked.rawValue)
        height = base.event("height", interests: PanelInterests.height.rawValue)
    }

    static func registerKnownImplementations() { register { ManagerProxy($0) } }
    static func interests(of delegate: any PanelDelegate) -> UInt64 {
        delegate.panelInterests.rawValue
    }

    var panelInterests: PanelInterests { PanelInterests(rawValue: base.interests) }

    func panel(_ panel: AnyObject, learned text: String) {
        relay(learned, text) { $0.panel(panel, learned: text) }
    }
    func panel(_ panel: AnyObject, picked index: Int) {
        relay(picked, index) { $0.panel(panel, picked: index) }
    }
    func panel(_ panel: AnyObject, heightAt index: Int) -> Double {
        relay(height, index, default: 7) { $0.panel(panel, heightAt: index) }
    }
}

extension Manager: HasEvents {}

extension EventNamespace where Base == Manager {
    var learned: MethodEvent<String> { ManagerProxy.proxy(for: base).learned }
    var picked: MethodEvent<Int> { ManagerProxy.proxy(for: base).picked }
}
