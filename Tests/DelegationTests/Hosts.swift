// SPDX-License-Identifier: MIT
import Delegation
import Dispatch

/// A control of another library: neither it nor its targets know this module.
final class Knob: Sendable {
    private let targets = Shared<[Int: @Sendable (Int) -> Void]>([:])
    private let stored = Shared(0)
    private let live = LiveToken()

    var level: Int {
        get { stored.value }
        set { stored.value = newValue }
    }
    var targetCount: Int { targets.value.count }

    func addTarget(_ target: @escaping @Sendable (Int) -> Void) -> Int {
        var id = 0
        targets.update {
            id = ($0.keys.max() ?? 0) + 1
            $0[id] = target
        }
        return id
    }
    func removeTarget(_ id: Int) { targets.update { $0[id] = nil } }

    /// Turns the knob as the user would.
    func turn(to level: Int) {
        stored.value = level
        for target in targets.value.values { target(level) }
    }
}

extension Knob: HasEvents {}

extension EventNamespace where Base == Knob {
    var turned: ControlEvent<Int> {
        ControlEvent(base, on: .immediate) { knob, event in
            let id = knob.addTarget { event.send($0) }
            return { $0.removeTarget(id) }
        }
    }
    var level: ControlProperty<Int> {
        ControlProperty(base, on: .immediate) {
            $0.level
        } set: {
            $0.level = $1
        } attach: { knob, event in
            let id = knob.addTarget { event.send($0) }
            return { $0.removeTarget(id) }
        }
    }
}

/// A control whose targets are objects that it does not retain, as UIKit's are.
final class WeakKnob: Sendable {
    final class Target: Sendable {
        let action: @Sendable (Int) -> Void
        private let live = LiveToken()
        init(_ action: @escaping @Sendable (Int) -> Void) { self.action = action }
    }

    private let targets = MulticastDelegate<Target>()
    private let live = LiveToken()

    func add(_ target: Target) { targets.add(target) }
    func remove(_ target: Target) { targets.remove(target) }
    func turn(to level: Int) { targets.forEach { $0.action(level) } }

    var turned: ControlEvent<Int> {
        ControlEvent(self, on: .immediate) { knob, event in
            let target = Target { event.send($0) }
            knob.add(target)
            return { $0.remove(target) }
        }
    }
}

/// A control of the main actor.
@MainActor final class Slider: HasEvents {
    var position = 0
    private(set) var targets: [Int: () -> Void] = [:]
    private let live = LiveToken()

    func addTarget(_ target: @escaping () -> Void) -> Int {
        let id = (targets.keys.max() ?? 0) + 1
        targets[id] = target
        return id
    }
    func removeTarget(_ id: Int) { targets[id] = nil }
    func slide(to position: Int) {
        self.position = position
        for target in targets.values { target() }
    }
}

extension EventNamespace where Base == Slider {
    var slid: ControlProperty<Int> {
        ControlProperty(base, on: .main) {
            $0.position
        } set: {
            $0.position = $1
        } attach: { slider, event in
            let id = slider.addTarget { [weak slider] in
                if let slider { event.send(slider.position) }
            }
            return { $0.removeTarget(id) }
        }
    }
}

/// An object with a property that the program and the user change.
final class Dial: HasEvents, Sendable {
    private let stored = Shared(0)
    private let changes = Event<Int>()
    private let presses = Event<Void>()
    private let caption = Shared<String?>(nil)
    private let captions = Event<String?>()
    private let executor: DispatchQueue?
    private let live = LiveToken()

    init(on executor: DispatchQueue? = nil) { self.executor = executor }

    var level: Int {
        get { stored.value }
        set { stored.value = newValue }
    }

    /// Changes the level as the user would.
    func turn(to level: Int) {
        stored.value = level
        changes.send(level)
    }
    func press() { presses.send(()) }
    func write(_ text: String?) { captions.send(text) }

    var levelControl: ControlProperty<Int> {
        guard let executor else {
            return ControlProperty(
                changes: changes, on: .immediate, get: { [weak self] in self?.level },
                set: { [weak self] in self?.level = $0 })
        }
        return ControlProperty(
            changes: changes, on: executor, get: { [weak self] in self?.level },
            set: { [weak self] in self?.level = $0 })
    }
    var pressed: ControlEvent<Void> {
        if let executor {
            ControlEvent(presses, on: executor)
        } else {
            ControlEvent(presses, on: .immediate)
        }
    }
    var captionControl: ControlProperty<String?> {
        ControlProperty(
            changes: captions, on: .immediate, get: { [caption] in .some(caption.value) },
            set: { [caption] in caption.value = $0 })
    }
    var text: String? { caption.value }
}

/// The superclass of families of hosts; one test registers the proxies of each family.
class PlainHost: HasDelegate, DelegateProxyHost {
    let proxyStorage = ProxyStorage()
    weak var delegate: (any PanelDelegate)?
}

class Tool: PlainHost {}
class LoudTool: Tool {}
final class LouderTool: LoudTool {}
// Safety, here and below: the only stored property is an immutable Sendable.
class ToolProxy: DelegateProxyType, PanelDelegate, @unchecked Sendable {
    let base: DelegateProxy<Tool, any PanelDelegate>
    init(_ base: DelegateProxy<Tool, any PanelDelegate>) { self.base = base }
    static func registerKnownImplementations() { register { ToolProxy($0) } }
}
// Safety: as its superclass.
final class LoudToolProxy: ToolProxy, @unchecked Sendable {}

class Plain: PlainHost {}
class MiddlePlain: Plain {}
final class LeafPlain: MiddlePlain {}
// Safety: as above.
class PlainProxy: DelegateProxyType, PanelDelegate, @unchecked Sendable {
    let base: DelegateProxy<Plain, any PanelDelegate>
    init(_ base: DelegateProxy<Plain, any PanelDelegate>) { self.base = base }
    static func registerKnownImplementations() { register { PlainProxy($0) } }
}
// Safety: as its superclass.
final class LeafPlainProxy: PlainProxy, @unchecked Sendable {}

final class Orphan: PlainHost {}
final class OrphanProxy: DelegateProxyType, PanelDelegate {
    let base: DelegateProxy<Orphan, any PanelDelegate>
    init(_ base: DelegateProxy<Orphan, any PanelDelegate>) { self.base = base }
    static func registerKnownImplementations() {}
}

/// A family for each `Tag`, so that a test has any number of unused families.
class Fresh<Tag>: PlainHost {}
final class FreshTable<Tag>: Fresh<Tag> {}
// Safety: as above.
class FreshProxy<Tag>: DelegateProxyType, PanelDelegate, @unchecked Sendable {
    let base: DelegateProxy<Fresh<Tag>, any PanelDelegate>
    init(_ base: DelegateProxy<Fresh<Tag>, any PanelDelegate>) { self.base = base }
    static func registerKnownImplementations() {
        freshRegistrations.append(ObjectIdentifier(Tag.self))
        register { FreshProxy($0) }
        register(for: FreshTable<Tag>.self) { FreshTableProxy($0) }
    }
}
// Safety: as its superclass.
final class FreshTableProxy<Tag>: FreshProxy<Tag>, @unchecked Sendable {}

// Outlives the test that uses it first.
let freshRegistrations = LiveCounts.$current.withValue(nil) { Log<ObjectIdentifier>() }

/// A class that stores no proxies and whose delegate property has another name.
class Gadget {
    weak var listener: (any GadgetListener)?
    private let live = LiveToken()

    func beep(_ volume: Int?) { listener?.gadget(self, beeped: volume) }
}

protocol GadgetListener: AnyObject {
    func gadget(_ gadget: Gadget, beeped volume: Int?)
}

// Safety: every stored property is an immutable Sendable.
class GadgetProxy: DelegateProxyType, GadgetListener, @unchecked Sendable {
    let base: DelegateProxy<Gadget, any GadgetListener>
    let beeped: MethodEvent<Int?>
    private let live = LiveToken()

    init(_ base: DelegateProxy<Gadget, any GadgetListener>) {
        self.base = base
        beeped = base.event("beeped")
    }

    class func registerKnownImplementations() { register { GadgetProxy($0) } }
    static func currentDelegate(for host: Gadget) -> (any GadgetListener)? { host.listener }
    static func setCurrentDelegate(_ delegate: (any GadgetListener)?, for host: Gadget) {
        host.listener = delegate
    }

    func gadget(_ gadget: Gadget, beeped volume: Int?) {
        relay(beeped, volume) { $0.gadget(gadget, beeped: volume) }
    }
}

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

/// A user's delegate that wants everything except `picked`.
final class Mock: PanelDelegate, Sendable {
    let calls = Log<String>()
    let onInvoked: @Sendable () -> Void

    init(onInvoked: @escaping @Sendable () -> Void = {}) {
        self.onInvoked = onInvoked
    }

    var panelInterests: PanelInterests { [.learned, .height] }

    func panel(_ panel: AnyObject, learned text: String) {
        calls.append(text)
        onInvoked()
    }

    func panel(_ panel: AnyObject, heightAt index: Int) -> Double {
        calls.append("height \(index)")
        onInvoked()
        return 3
    }
}

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

/// The delegate of the hosts in these tests: two notifications and a method with a result.
protocol PanelDelegate: AnyObject {
    var panelInterests: PanelInterests { get }

    func panel(_ panel: AnyObject, learned text: String)
    func panel(_ panel: AnyObject, picked index: Int)
    func panel(_ panel: AnyObject, heightAt index: Int) -> Double
}

extension PanelDelegate {
    var panelInterests: PanelInterests { .all }

    func panel(_ panel: AnyObject, learned text: String) {}
    func panel(_ panel: AnyObject, picked index: Int) {}
    func panel(_ panel: AnyObject, heightAt index: Int) -> Double { 1 }
}

struct PanelInterests: OptionSet, Sendable {
    let rawValue: UInt64

    static let learned = Self(rawValue: 1)
    static let picked = Self(rawValue: 2)
    static let height = Self(rawValue: 4)
    static let all: Self = [.learned, .picked, .height]
}

/// A host whose subclass has a delegate protocol that refines its own.
class Scroll: DelegateProxyHost {
    let proxyStorage = ProxyStorage()
    weak var delegate: (any ScrollDelegate)?

    func scroll(to offset: Int) { delegate?.scroll(self, didScrollTo: offset) }
}

final class Table: Scroll {
    func pick(_ row: Int) { (delegate as? any TableDelegate)?.table(self, picked: row) }
}

protocol ScrollDelegate: AnyObject {
    func scroll(_ scroll: Scroll, didScrollTo offset: Int)
}

protocol TableDelegate: ScrollDelegate {
    func table(_ table: Table, picked row: Int)
}

// Safety: every stored property, here and in the subclass, is an immutable Sendable.
class ScrollProxy: DelegateProxyType, ScrollDelegate, @unchecked Sendable {
    let base: DelegateProxy<Scroll, any ScrollDelegate>
    let didScroll: MethodEvent<Int>

    init(_ base: DelegateProxy<Scroll, any ScrollDelegate>) {
        self.base = base
        didScroll = base.event("didScroll")
    }

    static func registerKnownImplementations() {
        register { ScrollProxy($0) }
        register(for: Table.self) { TableProxy($0) }
    }
    static func currentDelegate(for host: Scroll) -> (any ScrollDelegate)? { host.delegate }
    static func setCurrentDelegate(_ delegate: (any ScrollDelegate)?, for host: Scroll) {
        host.delegate = delegate
    }

    func scroll(_ scroll: Scroll, didScrollTo offset: Int) {
        relay(didScroll, offset) { $0.scroll(scroll, didScrollTo: offset) }
    }
}

// Safety: as its superclass.
final class TableProxy: ScrollProxy, TableDelegate, @unchecked Sendable {
    let picked: MethodEvent<Int>

    override init(_ base: DelegateProxy<Scroll, any ScrollDelegate>) {
        picked = base.event("picked")
        super.init(base)
    }

    func table(_ table: Table, picked row: Int) {
        relay(picked, row) { ($0 as? any TableDelegate)?.table(table, picked: row) }
    }
}

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

/// A view model, which belongs to the main actor.
@MainActor final class TitleModel: HasEvents {
    var title = "" { didSet { MainActor.preconditionIsolated() } }
    var caption: String? { didSet { MainActor.preconditionIsolated() } }
}
