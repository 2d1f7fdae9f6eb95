// SPDX-License-Identifier: MIT
import Delegation

/// Who is told of a number.
protocol PanelDelegate: AnyObject {
    func panel(_ panel: Panel, picked number: Int)
}

/// A class with a delegate.
final class Panel: Sendable {}

/// Adds up what it is told.
final class Adder: PanelDelegate {
    var sum = 0

    func panel(_ panel: Panel, picked number: Int) { sum &+= number }
}

/// Has its delegate as classes usually do: weakly, and nothing else.
final class WeakPanel {
    weak var delegate: (any PanelDelegate)?
}

/// Makes an event of the delegate's method.
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
