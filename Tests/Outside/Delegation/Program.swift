// SPDX-License-Identifier: MIT
import Delegation

/// A host that calls its delegate on any thread. It is not isolated to an actor, and its delegate
/// is Sendable, so that the compiler rejects a delegate that is not thread-safe.
nonisolated protocol PickerDelegate: AnyObject, Sendable {
    func picker(_ picker: Picker, didSelect index: Int)
}

final class Picker: HasRoutedDelegate, HasEvents, Sendable {
    let proxyStorage = ProxyStorage()
    let delegateSlot = DelegateSlot<any PickerDelegate>()
    var delegate: (any PickerDelegate)? {
        get { delegateSlot.delegate }
        set { delegateSlot.delegate = newValue }
    }

    func select(_ index: Int) { delegateSlot.sink?.picker(self, didSelect: index) }
}

final class PickerProxy: DelegateProxyType, PickerDelegate {
    let base: DelegateProxy<Picker, any PickerDelegate>
    let didSelect: MethodEvent<Int>

    init(_ base: DelegateProxy<Picker, any PickerDelegate>) {
        self.base = base
        didSelect = base.event("didSelect")
    }

    static func registerKnownImplementations() { register { PickerProxy($0) } }

    func picker(_ picker: Picker, didSelect index: Int) {
        relay(didSelect, index) { $0.picker(picker, didSelect: index) }
    }
}

nonisolated extension EventNamespace where Base == Picker {
    var didSelect: MethodEvent<Int> { PickerProxy.proxy(for: base).didSelect }
}

/// A host on the main actor, like user interface classes. Only its proxy is nonisolated.
@MainActor protocol DialogDelegate: AnyObject {
    func dialog(_ dialog: Dialog, didPress button: Int)
}

@MainActor final class Dialog: HasEvents {
    weak var delegate: (any DialogDelegate)?

    func press(_ button: Int) { delegate?.dialog(self, didPress: button) }
}

extension Dialog: HasMainActorDelegate {}

nonisolated final class DialogProxy: DelegateProxyType, DialogDelegate {
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

@MainActor extension EventNamespace where Base == Dialog {
    var didPress: MethodEvent<Int> { DialogProxy.proxy(for: base).didPress }
}

/// A host that belongs to no actor and isn't Sendable, as a class of another module may be: neither the
/// extension nor the proxy is annotated.
nonisolated protocol LampDelegate: AnyObject {
    func lamp(_ lamp: Lamp, didSwitch isOn: Bool)
}

nonisolated final class Lamp {
    weak var delegate: (any LampDelegate)?

    func flip() { delegate?.lamp(self, didSwitch: true) }
}

extension Lamp: HasDelegate {}

final class LampProxy: DelegateProxyType, LampDelegate {
    let base: DelegateProxy<Lamp, any LampDelegate>
    let didSwitch: MethodEvent<Bool>

    init(_ base: DelegateProxy<Lamp, any LampDelegate>) {
        self.base = base
        didSwitch = base.event("didSwitch")
    }

    static func registerKnownImplementations() { register { LampProxy($0) } }

    func lamp(_ lamp: Lamp, didSwitch isOn: Bool) {
        relay(didSwitch, isOn) { $0.lamp(lamp, didSwitch: isOn) }
    }
}

/// A host of the same kind that has several delegates.
nonisolated final class Hub {
    private let delegates = MulticastDelegate<any HubDelegate>()

    func addDelegate(_ delegate: any HubDelegate) { delegates.add(delegate) }
    func removeDelegate(_ delegate: any HubDelegate) { delegates.remove(delegate) }
    func connect(_ name: String) { delegates.forEach { $0.hub(self, didConnect: name) } }
}

nonisolated protocol HubDelegate: AnyObject {
    func hub(_ hub: Hub, didConnect name: String)
}

extension Hub: HasMulticastDelegate {}

final class HubProxy: DelegateProxyType, HubDelegate {
    let base: DelegateProxy<Hub, any HubDelegate>
    let didConnect: MethodEvent<String>

    init(_ base: DelegateProxy<Hub, any HubDelegate>) {
        self.base = base
        didConnect = base.event("didConnect")
    }

    static func registerKnownImplementations() { register { HubProxy($0) } }

    func hub(_ hub: Hub, didConnect name: String) {
        relay(didConnect, name) { $0.hub(hub, didConnect: name) }
    }
}

/// A view model of the main actor, which is the delegate of the first two hosts.
@MainActor final class ViewModel: HasEvents {
    var title = "" { didSet { MainActor.preconditionIsolated() } }
    var selected: [Int] = []
    var pressed: [Int] = []
}

extension ViewModel: PickerDelegate {
    nonisolated func picker(_ picker: Picker, didSelect index: Int) {
        Task { @MainActor in selected.append(index) }
    }
}

extension ViewModel: DialogDelegate {
    func dialog(_ dialog: Dialog, didPress button: Int) {
        MainActor.preconditionIsolated()
        pressed.append(button)
    }
}

@main struct Program {
    @MainActor static func main() async {
        let viewModel = ViewModel()
        let picker = Picker()
        let dialog = Dialog()
        picker.delegate = viewModel
        dialog.delegate = viewModel
        var presses: [Int] = []
        dialog.events.didPress.subscribe(on: .main) { presses.append($0) }
        let titles = Event<String>()
        titles.bind(to: viewModel.events.title)
        titles.bind(to: Binder(viewModel, on: .main) { $0.title = $1 })
        let selections = picker.events.didSelect.values()
        await Task.detached {
            picker.select(3)
            titles.send("three")
        }.value
        for await selection in selections.prefix(1) { precondition(selection == 3) }
        dialog.press(1)
        let (lamp, hub) = (Lamp(), Hub())
        let switches = LampProxy.proxy(for: lamp).didSwitch.values()
        let connections = HubProxy.proxy(for: hub).didConnect.values()
        lamp.flip()
        hub.connect("usb")
        for await isOn in switches.prefix(1) { precondition(isOn) }
        for await name in connections.prefix(1) { precondition(name == "usb") }
        while viewModel.title != "three" || viewModel.selected != [3] || presses != [1] {
            await Task.yield()
        }
        precondition(viewModel.pressed == [1])
        print("ok")
    }
}
