// SPDX-License-Identifier: MIT

/// A type whose instances have an `events` namespace.
public protocol HasEvents {}

extension HasEvents {
    /// This object's events and binders.
    public var events: EventNamespace<Self> { EventNamespace(self) }
}
