// SPDX-License-Identifier: MIT
import Delegation

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
