// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
public import GPSReceivers

/// Monitors conditions, and reports when the receiver enters or leaves a circle. The receiver is
/// open while the monitor has a circle.
///
/// Unlike on Apple's systems, conditions are lost when the program ends, and monitors with the same
/// name are independent.
public actor CLMonitor {
    /// The monitor's name.
    public nonisolated let name: String

    private let source: (any DeviceSource)?
    private let changes = Delegation.Event<Transition>()
    private let stream: EventStream<Transition>
    private let handledEvents = HandledEvents()
    private var records: [String: Record] = [:]
    private var circles: CircleMonitor?
    /// For each identifier, the serial number of its current condition. It distinguishes the
    /// condition from earlier ones with the same identifier.
    private var additions: [String: Int] = [:]
    private var lastAddition = 0
    private var changesOfCircles: AsyncStream<CircleMonitor.Change>.Continuation?

    /// Creates a monitor without conditions that reads the configured receiver.
    public init(_ name: String) async {
        self.name = name
        source = nil
        stream = changes.values()
    }

    /// Creates a monitor without conditions that reads the given receiver. Not available on Apple's
    /// systems.
    public init(_ name: String, source: any DeviceSource) async {
        self.name = name
        self.source = source
        stream = changes.values()
    }

    deinit {
        changes.complete()
        changesOfCircles?.finish()
    }

    /// The identifiers of all conditions in alphabetical order.
    public var identifiers: [String] { records.keys.sorted() }

    /// The events of all conditions; see `Events`.
    public var events: Events {
        Events { [stream, handledEvents] in
            EventIterator(stream.makeAsyncIterator(), handledEvents: handledEvents)
        }
    }

    /// Returns a condition and its last event; `nil` for an unknown identifier.
    ///
    /// While a loop handles an event, the record still contains the event before it, so that a
    /// program can compare the two, as on Apple's systems.
    public func record(for identifier: String) -> Record? {
        guard let record = records[identifier] else { return nil }
        let previous = additions[identifier].flatMap { handledEvents.previousEvent(ofAddition: $0) }
        return Record(condition: record.condition, lastEvent: previous ?? record.lastEvent)
    }

    // There are two methods, because a method with a default argument does not satisfy a protocol
    // requirement without that argument.
    /// Adds a condition whose state is unknown; see `add(_:identifier:assuming:)`.
    public func add(_ condition: any CLCondition, identifier: String) {
        add(condition, identifier: identifier, assuming: .unknown)
    }

    /// Adds a condition, or replaces the condition with the same identifier.
    ///
    /// `state` is the assumed state. An event is sent as soon as the actual state is known and
    /// differs from it, and after each change. For a condition that is not a circle, an
    /// `unmonitored` event is sent at once.
    public func add(
        _ condition: any CLCondition, identifier: String, assuming state: Event.State
    ) {
        lastAddition += 1
        additions[identifier] = lastAddition
        let assumedEvent = Event(identifier: identifier, state: state, date: Date())
        records[identifier] = Record(condition: condition, lastEvent: assumedEvent)
        guard let circle = condition as? CircularGeographicCondition else {
            circles?.remove(identifier)
            update(Event(identifier: identifier, state: .unmonitored, date: assumedEvent.date))
            return
        }
        let assumed: CLRegionState =
            switch state {
            case .satisfied: .inside
            case .unsatisfied: .outside
            case .unknown, .unmonitored: .unknown
            }
        let circles = circles ?? makeCircles()
        self.circles = circles
        circles.add(
            circle.circle, identifier: identifier, addition: lastAddition, assuming: assumed)
    }

    /// Removes a condition. No event is sent.
    public func remove(_ identifier: String) {
        (records[identifier], additions[identifier]) = (nil, nil)
        circles?.remove(identifier)
    }

    private func makeCircles() -> CircleMonitor {
        let queue = DispatchQueue(label: "CoreLocation.monitor")
        let (stream, continuation) = AsyncStream.makeStream(of: CircleMonitor.Change.self)
        changesOfCircles = continuation
        // The task does not retain the monitor. It ends when the monitor is released, because
        // `deinit` finishes the stream.
        Task { [weak self] in
            for await change in stream { await self?.didReceive(change) }
        }
        return CircleMonitor(source: source, queue: queue) {
            continuation.yield($0)
        }
    }

    private func didReceive(_ change: CircleMonitor.Change) {
        // A change of a circle that has been removed or replaced may still be in the stream.
        guard additions[change.identifier] == change.addition else { return }
        update(
            Event(
                identifier: change.identifier,
                state: change.new == .inside ? .satisfied : .unsatisfied, date: change.date))
    }

    /// Stores an event of a current condition, and sends it.
    private func update(_ event: Event) {
        guard let record = records[event.identifier], let addition = additions[event.identifier]
        else { return }
        records[event.identifier] = Record(condition: record.condition, lastEvent: event)
        changes.send(
            Transition(event: event, previousEvent: record.lastEvent, addition: addition))
    }
}
