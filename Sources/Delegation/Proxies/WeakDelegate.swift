// SPDX-License-Identifier: MIT

/// A weak reference to a delegate of any protocol type.
///
/// `Delegate` is usually `any SomeDelegate`, which a generic type can't declare `weak`, and casting
/// an object back to a protocol costs ten times a call. So the reference's bits are kept beside a
/// weak reference to the object and are only read while that object is held.
// Safety: nothing changes after `init`; weak references may be read from any thread. Which threads
// call a delegate is its protocol's contract.
@usableFromInline
final class WeakDelegate<Delegate>: @unchecked Sendable {
    @usableFromInline weak let object: AnyObject?
    @usableFromInline let bits: UnsafeMutablePointer<Delegate>
    let identity: ObjectIdentifier

    init(_ delegate: Delegate) {
        precondition(
            type(of: delegate as Any) is AnyClass,
            "a delegate has to be an object: \(Delegate.self)")
        object = delegate as AnyObject
        identity = ObjectIdentifier(delegate as AnyObject)
        bits = .allocate(capacity: 1)
        // Safety: the copy isn't retained; `value` copies it only while the object is alive, and
        // the pointer is deallocated without deinitializing it.
        withUnsafePointer(to: delegate) {
            UnsafeMutableRawPointer(bits).copyMemory(
                from: $0, byteCount: MemoryLayout<Delegate>.size)
        }
    }

    deinit {
        bits.deallocate()
    }

    /// The delegate while it is alive.
    @inlinable var value: Delegate? {
        guard let object else { return nil }
        // Safety: what is moved out of the copy owns the reference that is passed here, so one
        // retain does for both; `object` and `bits` are the same object.
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
    /// Identifiers are reused, so an equal one may be that of an object long gone. Nothing but
    /// `other` is ever held here, so no deallocation happens, whatever lock the caller is in.
    func refers(to other: AnyObject) -> Bool {
        identity == ObjectIdentifier(other) && object === other
    }
}

/// A weak reference to any object.
// Safety: the reference never changes and may be read from any thread; it is compared, or handed
// back to code that knows which threads may use the object.
final class WeakObject: @unchecked Sendable {
    weak let object: AnyObject?

    init(_ object: AnyObject) { self.object = object }
}
