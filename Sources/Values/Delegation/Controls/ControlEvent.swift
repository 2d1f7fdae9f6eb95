// SPDX-License-Identifier: MIT

/// An event that an object reports. It completes when the object is deallocated.
///
/// Subscribers are called on the executor that was selected when the control event was created.
public struct ControlEvent<Payload: Sendable>: EventSource {
    /// A route that calls subscribers on the executor of the control event.
    public let route: EventRoute<Payload>

    /// Creates a control event that calls subscribers of `source`, such as an event, a
    /// `MethodEvent` or a route, on `executor`.
    ///
    /// It does not keep an event alive. So if an object owns the event, both complete when the
    /// object is deallocated.
    public init(_ source: some EventSource<Payload>, on executor: some CallbackExecutor) {
        self.init(source.route.on(executor))
    }

    /// Creates a control event of a control that you don't own, as RxCocoa's `controlEvent` does.
    ///
    /// `attach` is called for each observer, on the thread that subscribes. It attaches `event` to
    /// the control, and returns the closure that detaches it:
    ///
    ///     ControlEvent(knob, on: .immediate) { knob, event in
    ///         let id = knob.addCallback { event.send($0) }
    ///         return { knob in knob.removeCallback(id) }
    ///     }
    ///
    /// The control is held weakly. Its class determines the threads that may use it. An observer
    /// completes when the control releases `event`, and otherwise as the events of a proxy of this
    /// class do: when the control is deallocated if it is a `DelegateProxyHost`, or at the next
    /// `ProxyStorage.sweep()`.
    @_disfavoredOverload
    public init<Control: AnyObject>(
        _ control: Control, on executor: some CallbackExecutor,
        attach:
            @escaping @Sendable (_ control: Control, _ event: Event<Payload>) ->
            @Sendable (Control) -> Void
    ) {
        self.init(EventRoute(of: control, on: executor as any CallbackExecutor, attach: attach))
    }

    /// Creates a control event of a control of the main actor that you don't own.
    ///
    /// Both closures run on the main actor, even if a program subscribes or disposes on another
    /// thread. In other respects, this is the same as with another executor.
    public init<Control: AnyObject>(
        _ control: Control, on executor: MainExecutor,
        attach:
            @escaping @MainActor @Sendable (_ control: Control, _ event: Event<Payload>) ->
            @MainActor @Sendable (Control) -> Void
    ) {
        self.init(EventRoute(of: control, on: executor, attach: attach))
    }

    init(_ route: EventRoute<Payload>) { self.route = route }

    /// Attaches an observer that is called on the sender's thread, not on the executor of the
    /// control event.
    @discardableResult
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        route.connect(body, onCompletion)
    }
}
