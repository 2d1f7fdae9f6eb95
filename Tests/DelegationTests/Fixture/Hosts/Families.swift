// SPDX-License-Identifier: MIT
import Delegation

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
