// SPDX-License-Identifier: MIT

/// A namespace for an object's events, separate from the object's own members.
///
///     extension EventNamespace where Base: Picker {
///         var didSelectContact: MethodEvent<Contact> { PickerProxy.proxy(for: base).didSelectContact }
///     }
///     picker.events.didSelectContact.subscribe { … }
///
/// Every writable property of a `Sendable` class is also a member: a `Binder` that writes it on the
/// main actor. `@MainActor` classes are `Sendable`.
@dynamicMemberLookup
public struct EventNamespace<Base> {
    /// The object or value with the events.
    public let base: Base

    /// Creates the namespace of `base`.
    public init(_ base: Base) {
        self.base = base
    }
}

extension EventNamespace: Sendable where Base: Sendable {}

extension EventNamespace where Base: AnyObject & Sendable {
    /// A binder that writes a property on the main actor.
    public subscript<Value: Sendable>(
        dynamicMember property: any ReferenceWritableKeyPath<Base, Value> & Sendable
    ) -> Binder<Value> {
        self[binding: property, on: MainExecutor()]
    }

    /// A binder that writes a property on `executor`; any thread must be allowed to write it.
    public subscript<Value: Sendable>(
        binding property: any ReferenceWritableKeyPath<Base, Value> & Sendable,
        on executor: some CallbackExecutor
    ) -> Binder<Value> {
        Binder(base, on: executor) { $0[keyPath: property] = $1 }
    }
}

/// A type whose instances have an `events` namespace.
public protocol HasEvents {}

extension HasEvents {
    /// This object's events and binders.
    public var events: EventNamespace<Self> { EventNamespace(self) }
}
