// SPDX-License-Identifier: MIT
import Delegation

/// Receives a number.
protocol PanelDelegate: AnyObject {
    func panel(_ panel: Panel, picked number: Int)
}

/// A class with a delegate.
final class Panel: Sendable {}

/// Adds up what it receives.
final class Adder: PanelDelegate {
    var sum = 0

    func panel(_ panel: Panel, picked number: Int) { sum &+= number }
}

/// A class with a weak delegate, as usual, and without other members.
final class WeakPanel {
    weak var delegate: (any PanelDelegate)?
}

/// Declares an event for the delegate's method.
final class PanelProxy: PanelDelegate {
    let base: DelegateProxy<Panel, any PanelDelegate>
    let picked: MethodEvent<Int>

    init(for panel: Panel) {
        base = DelegateProxy(host: panel)
        picked = base.event("picked")
    }

    func panel(_ panel: Panel, picked number: Int) {
        base.relay(picked, number) { $0.panel(panel, picked: number) }
    }
}

/// A class that does not store its proxies.
final class ForeignPanel: HasDelegate {
    weak var delegate: (any PanelDelegate)?
}

/// Declares an event for the delegate's method.
final class ForeignPanelProxy: DelegateProxyType, PanelDelegate {
    let base: DelegateProxy<ForeignPanel, any PanelDelegate>

    init(_ base: DelegateProxy<ForeignPanel, any PanelDelegate>) { self.base = base }

    static func registerKnownImplementations() { register { ForeignPanelProxy($0) } }

    func panel(_ panel: Panel, picked number: Int) {}
}
