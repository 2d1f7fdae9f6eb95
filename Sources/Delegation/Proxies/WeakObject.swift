// SPDX-License-Identifier: MIT

/// A weak reference to any object.
// Safety: the reference never changes and may be read from any thread; it is compared, or handed
// back to code that knows which threads may use the object.
final class WeakObject: @unchecked Sendable {
    weak let object: AnyObject?

    init(_ object: AnyObject) { self.object = object }
}
