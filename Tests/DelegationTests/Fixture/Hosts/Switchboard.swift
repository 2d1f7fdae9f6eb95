// SPDX-License-Identifier: MIT
import Delegation

/// A host with several delegates, called in the order they were added.
final class Switchboard: HasMulticastDelegate, DelegateProxyHost, Sendable {
    let proxyStorage = ProxyStorage()
    private let live = LiveToken()
    private let delegates = MulticastDelegate<any PanelDelegate>()

    func addDelegate(_ delegate: any PanelDelegate) { delegates.add(delegate) }
    func removeDelegate(_ delegate: any PanelDelegate) { delegates.remove(delegate) }
    var count: Int { delegates.count }

    func pick(_ index: Int) { delegates.forEach { $0.panel(self, picked: index) } }
    func learn(_ text: String) { delegates.forEach { $0.panel(self, learned: text) } }
}

final class SwitchboardProxy: DelegateProxyType, PanelDelegate {
    let base: DelegateProxy<Switchboard, any PanelDelegate>
    let learned: MethodEvent<String>
    let picked: MethodEvent<Int>
    private let live = LiveToken()

    init(_ base: DelegateProxy<Switchboard, any PanelDelegate>) {
        self.base = base
        learned = base.event("learned")
        picked = base.event("picked")
    }

    static func registerKnownImplementations() { register { SwitchboardProxy($0) } }

    func panel(_ panel: AnyObject, learned text: String) {
        relay(learned, text) { $0.panel(panel, learned: text) }
    }
    func panel(_ panel: AnyObject, picked index: Int) {
        relay(picked, index) { $0.panel(panel, picked: index) }
    }
}
