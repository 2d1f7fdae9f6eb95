// SPDX-License-Identifier: MIT

/// A namespace for an object's events, separate from the object's own members.
///
///     extension EventNamespace where Base: Picker {
///         var didSelectContact: MethodEvent<Contact> { PickerProxy.proxy(for: base).didSelectContact }
///     }
///     picker.events.didSelectContact.subscribe { … }
///
/// For a `Sendable` class, which includes every `@MainActor` class, the namespace also has a member
/// for each writable property: a `Binder` that writes the property on the main actor.
@dynamicMemberLookup
public struct EventNamespace<Base> {
    /// The object or value that has the events.
    public let base: Base

    /// Creates the namespace of `base`.
    public init(_ base: Base) {
        self.base = base
    }
}

extension EventNamespace: Sendable where Base: Sendable {}

extension EventNamespace where Base: AnyObject & Sendable {
    /// Returns a binder that writes a property on the main actor.
    public subscript<Value: Sendable>(
        dynamicMember property: any ReferenceWritableKeyPath<Base, Value> & Sendable
    ) -> Binder<Value> {
        self[binding: property, on: MainExecutor()]
    }

    /// Returns a binder that writes a property on `executor`. The property must be writable from
    /// any thread.
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
