// SPDX-License-Identifier: MIT
import Delegation

/// A host with a plain delegate property that reads its delegate's interests on assignment.
final class Panel: HasDelegate, DelegateProxyHost {
    let proxyStorage = ProxyStorage()
    private let live = LiveToken()
    private(set) var assigned: [(any PanelDelegate)?] = []
    private(set) var seenInterests: [PanelInterests] = []

    weak var delegate: (any PanelDelegate)? {
        didSet {
            assigned.append(delegate)
            if let delegate { seenInterests.append(delegate.panelInterests) }
        }
    }

    func learn(_ text: String) { delegate?.panel(self, learned: text) }
    func pick(_ index: Int) { delegate?.panel(self, picked: index) }
    func height(at index: Int) -> Double? { delegate?.panel(self, heightAt: index) }
}

final class PanelProxy: DelegateProxyType, PanelDelegate {
    let base: DelegateProxy<Panel, any PanelDelegate>
    let learned: MethodEvent<String>
    let picked: MethodEvent<Int>
    let height: MethodEvent<Int>
    private let live = LiveToken()

    init(_ base: DelegateProxy<Panel, any PanelDelegate>) {
        self.base = base
        learned = base.event("learned", interests: PanelInterests.learned.rawValue)
        picked = base.event("picked", interests: PanelInterests.picked.rawValue)
        height = base.event("height", interests: PanelInterests.height.rawValue)
    }

    static let refreshesByReassigning = true
    static func registerKnownImplementations() { register { PanelProxy($0) } }
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
