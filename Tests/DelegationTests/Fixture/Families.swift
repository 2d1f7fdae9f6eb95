// SPDX-License-Identifier: MIT
import Delegation

/// Families of hosts whose proxies are registered by one test each.
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

class Fresh: PlainHost {}
final class FreshTable: Fresh {}
// Safety: as above.
class FreshProxy: DelegateProxyType, PanelDelegate, @unchecked Sendable {
    static let registrations = Shared(0)
    let base: DelegateProxy<Fresh, any PanelDelegate>
    init(_ base: DelegateProxy<Fresh, any PanelDelegate>) { self.base = base }
    static func registerKnownImplementations() {
        registrations.value += 1
        register { FreshProxy($0) }
        register(for: FreshTable.self) { FreshTableProxy($0) }
    }
}
// Safety: as its superclass.
final class FreshTableProxy: FreshProxy, @unchecked Sendable {}
