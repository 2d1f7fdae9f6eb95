// SPDX-License-Identifier: MIT
// The names that the rows of the tables in docs/delegation.md use. scripts/tests/outside compiles each row as a
// function after this text.
import Delegation

protocol PanelDelegate: AnyObject, Sendable {
    func panel(_ panel: Panel, didPress button: Int)
}

final class Panel: HasRoutedDelegate, HasEvents, Sendable {
    let proxyStorage = ProxyStorage()
    let delegateSlot = DelegateSlot<any PanelDelegate>()
}

final class PanelProxy: DelegateProxyType, PanelDelegate {
    let base: DelegateProxy<Panel, any PanelDelegate>
    let didPress: MethodEvent<Int>

    init(_ base: DelegateProxy<Panel, any PanelDelegate>) {
        self.base = base
        didPress = base.event("didPress")
    }

    static func registerKnownImplementations() { register { PanelProxy($0) } }

    func panel(_ panel: Panel, didPress button: Int) {
        relay(didPress, button) { $0.panel(panel, didPress: button) }
    }
}

extension EventNamespace where Base == Panel {
    var didPress: MethodEvent<Int> { PanelProxy.proxy(for: base).didPress }
}

final class Printer: PanelDelegate {
    func panel(_ panel: Panel, didPress button: Int) { print(button) }
}

/// A control of another library.
final class Knob: Sendable {
    var level: Int {
        get { 0 }
        set {}
    }
    func addTarget(_ target: @escaping @Sendable (Int) -> Void) -> Int { 0 }
    func removeTarget(_ id: Int) {}
}

@MainActor final class Model: HasEvents {
    var title = ""
}

let (panel, printer, knob, model) = (Panel(), Printer(), Knob(), Model())
let (numbers, texts) = (Event<Int>(), Event<String>())
let (number, text) = (Promise<Int>(), Promise<String>())
let property = ControlProperty<String?>(
    changes: Event<String?>(), on: .immediate, get: { nil }, set: { _ in })
let delegates = MulticastDelegate<any PanelDelegate>()
var bag: [ScopedSubscription] = []
