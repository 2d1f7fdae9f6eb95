// SPDX-License-Identifier: MIT

/// Where extensions put an object's events, so that they don't mix with its own members.
///
///     extension EventNamespace where Base: Picker {
///         var didSelectContact: MethodEvent<Contact> { PickerProxy.proxy(for: base).didSelectContact }
///     }
///     picker.events.didSelectContact.subscribe { … }
///
/// Every writable property of a `Sendable` class is a member too, as a `Binder` that writes on the
/// main actor; `@MainActor` classes are `Sendable`.
@dynamicMemberLookup
public struct EventNamespace<Base> {
    /// The object, or value, the events are of.
    public let base: Base

    /// Creates the namespace of `base`.
    public init(_ base: Base) {
        self.base = base
    }
}

extension EventNamespace: Sendable where Base: Sendable {}

extension EventNamespace where Base: AnyObject & Sendable {
    /// A binder onto a property, written on the main actor.
    public subscript<Value: Sendable>(
        dynamicMember property: any ReferenceWritableKeyPath<Base, Value> & Sendable
    ) -> Binder<Value> {
        self[binding: property, on: MainExecutor()]
    }

    /// A binder onto a property that may be written on any thread, written on `executor`.
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
