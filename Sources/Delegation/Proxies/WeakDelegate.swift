// SPDX-License-Identifier: MIT

/// A weak reference to a delegate of any protocol type.
///
/// `Delegate` is usually `any SomeDelegate`. A generic type can't declare it `weak`, and casting an
/// object back to a protocol takes ten times as long as a call. So the bits of the existential are
/// stored next to a weak reference to the object, and are read only while the object is held.
// Safety: nothing changes after `init`, and weak references may be read from any thread. The
// delegate protocol defines the threads that may call it.
@usableFromInline
final class WeakDelegate<Delegate>: @unchecked Sendable {
    @usableFromInline weak let object: AnyObject?
    @usableFromInline let bits: UnsafeMutablePointer<Delegate>
    let identity: ObjectIdentifier

    init(_ delegate: Delegate) {
        precondition(
            type(of: delegate as Any) is AnyClass,
            "a delegate must be an object: \(Delegate.self)")
        object = delegate as AnyObject
        identity = ObjectIdentifier(delegate as AnyObject)
        bits = .allocate(capacity: 1)
        // Safety: the copy isn't retained. `value` reads it only while the object is alive, and it
        // is deallocated without being deinitialized.
        withUnsafePointer(to: delegate) {
            UnsafeMutableRawPointer(bits).copyMemory(
                from: $0, byteCount: MemoryLayout<Delegate>.size)
        }
    }

    deinit {
        bits.deallocate()
    }

    /// The delegate; `nil` after it has been deallocated.
    @inlinable var value: Delegate? {
        guard let object else { return nil }
        // Safety: the value moved out of the copy owns the reference retained here; `object` and
        // `bits` refer to the same object.
        _ = Unmanaged.passRetained(object)
        return withUnsafeTemporaryAllocation(of: Delegate.self, capacity: 1) { copy in
            UnsafeMutableRawBufferPointer(copy)
                .copyMemory(
                    from: UnsafeRawBufferPointer(start: bits, count: MemoryLayout<Delegate>.size))
            return copy.moveElement(from: 0)
        }
    }

    /// Whether this refers to `other`, which the caller holds.
    ///
    /// Identifiers are reused, so an equal identifier may belong to a deallocated object. Only
    /// `other` is retained here, so this runs no deinit and may be called with a lock held.
    func refers(to other: AnyObject) -> Bool {
        identity == ObjectIdentifier(other) && object === other
    }
}

/// A weak reference to any object.
// Safety: the reference never changes and may be read from any thread. Its users only compare the
// object, or return it to the code that stored it.
final class WeakObject: @unchecked Sendable {
    weak let object: AnyObject?

    init(_ object: AnyObject) { self.object = object }
}
