// SPDX-License-Identifier: MIT

/// A weak reference to a delegate of any protocol type.
///
/// `Delegate` is usually `any SomeDelegate`. A generic type cannot declare a `weak` property of
/// type `Delegate`, and casting an object to the protocol takes ten times as long as a call. So
/// `WeakDelegate` stores the bytes of the existential in addition to a weak reference to the
/// object. The bytes are read only while the object is retained.
// Safety: nothing changes after `init`, and weak references may be read from any thread. The
// delegate protocol defines the threads that may call the delegate.
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
        // Safety: the copied bytes do not retain the object. `value` reads them only while it
        // retains the object, and they are deallocated without being deinitialized.
        withUnsafePointer(to: delegate) {
            UnsafeMutableRawPointer(bits).copyMemory(
                from: $0, byteCount: MemoryLayout<Delegate>.size)
        }
    }

    deinit {
        bits.deallocate()
    }

    /// The delegate; `nil` if it has been deallocated.
    @inlinable var value: Delegate? {
        guard let object else { return nil }
        // Safety: `object` and `bits` refer to the same object. The value that is moved out of
        // `copy` owns the reference that is retained here, so the two balance.
        _ = Unmanaged.passRetained(object)
        return withUnsafeTemporaryAllocation(of: Delegate.self, capacity: 1) { copy in
            UnsafeMutableRawBufferPointer(copy)
                .copyMemory(
                    from: UnsafeRawBufferPointer(start: bits, count: MemoryLayout<Delegate>.size))
            return copy.moveElement(from: 0)
        }
    }

    /// Returns whether this refers to `other`, which the caller must retain. It may be called with
    /// a lock held, because it retains no other object and so runs no deinit.
    ///
    /// Comparing the identifiers is not enough: `other` may have the identifier of a deallocated
    /// object.
    func refers(to other: AnyObject) -> Bool {
        identity == ObjectIdentifier(other) && object === other
    }
}

/// A weak reference to any object.
// Safety: the reference never changes and may be read from any thread. The object is only compared
// or returned to the code that stored it.
final class WeakObject<Object: AnyObject>: @unchecked Sendable {
    weak let object: Object?

    init(_ object: Object) { self.object = object }
}
