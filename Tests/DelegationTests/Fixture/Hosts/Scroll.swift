// SPDX-License-Identifier: MIT
import Delegation

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
