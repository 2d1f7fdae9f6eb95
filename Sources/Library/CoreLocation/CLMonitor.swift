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

extension CLMonitor {
    /// A change of a condition's state.
    public struct Event: Sendable {
        /// The state of a condition.
        public enum State: UInt, Hashable, Sendable {
            /// No fix has been received since the condition was added.
            case unknown = 0
            /// The condition is satisfied.
            case satisfied = 1
            /// The condition is not satisfied.
            case unsatisfied = 2
            /// The condition cannot be monitored, because it is not a circle.
            case unmonitored = 3
        }

        /// The condition's name.
        public let identifier: String
        /// The new state.
        public let state: State
        /// The time of the change according to the receiver's clock. For an event created when the
        /// condition was added, the time of the system clock.
        public let date: Date
        /// Always `nil`. On Apple's systems, it is the condition for the one beacon that was found,
        /// if the monitored condition selects several.
        public var refinement: (any CLCondition)? { nil }

        /// Whether the condition cannot be monitored.
        public var conditionUnsupported: Bool { state == .unmonitored }
    }

    /// A condition of a monitor and its last event.
    public struct Record: Sendable {
        /// The condition that the monitor observes.
        public let condition: any CLCondition
        /// The last event. While a loop handles an event, this is the event before it. Before the
        /// first change of state, this is an event with the state that was assumed when the
        /// condition was added (default: `unknown`).
        public let lastEvent: Event
    }

    /// A sequence of events. A loop also receives the events since the monitor was created or the
    /// previous loop ended, at most the newest 256. A loop that starts while another one runs
    /// receives only new events.
    public typealias Events = CoreLocationSequence<Event>
}

// Documented together.
/// Reasons for a missing event on Apple's systems. They never occur on Linux.
extension CLMonitor.Event {
    public var conditionLimitExceeded: Bool { false }
    public var persistenceUnavailable: Bool { false }
    public var accuracyLimited: Bool { false }
    public var authorizationDenied: Bool { false }
    public var authorizationDeniedGlobally: Bool { false }
    public var authorizationRestricted: Bool { false }
    public var authorizationRequestInProgress: Bool { false }
    public var insufficientlyInUse: Bool { false }
    public var serviceSessionRequired: Bool { false }
}

/// A condition that can be added to a `CLMonitor`.
public protocol CLCondition: Codable, Sendable {}

extension CLMonitor {
    /// The condition that the receiver is inside a circle.
    public struct CircularGeographicCondition: CLCondition {
        /// The coordinate of the centre.
        public let center: CLLocationCoordinate2D
        /// The radius in metres.
        public let radius: CLLocationDistance

        /// Creates the condition for a circle with a radius in metres.
        public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
            self.center = center
            self.radius = radius
        }

        var circle: Circle { Circle(center: center, radius: radius) }

        private enum CodingKeys: String, CodingKey {
            case latitude, longitude, radius
        }

        /// Reads the values that `encode(to:)` wrote.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            center = CLLocationCoordinate2D(
                latitude: try values.decode(Double.self, forKey: .latitude),
                longitude: try values.decode(Double.self, forKey: .longitude))
            radius = try values.decode(Double.self, forKey: .radius)
        }

        /// Writes all values.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(center.latitude, forKey: .latitude)
            try values.encode(center.longitude, forKey: .longitude)
            try values.encode(radius, forKey: .radius)
        }
    }

    /// The condition that a beacon is near. Linux does not support it: its only event has the state
    /// `unmonitored`.
    public struct BeaconIdentityCondition: CLCondition {
        /// The UUID that all selected beacons send.
        public let uuid: UUID
        /// The number of a group of beacons with the same UUID; `nil` for all groups.
        public let major: CLBeaconMajorValue?
        /// The number of a beacon in the group; `nil` for all beacons of the group.
        public let minor: CLBeaconMinorValue?

        // There are three initializers, so that a program can use each as a function.
        /// Creates a condition for all beacons with a UUID.
        public init(uuid: UUID) {
            self.init(uuid: uuid, anyMajor: nil, anyMinor: nil)
        }

        /// Creates a condition for the beacons with a UUID and a group number.
        public init(uuid: UUID, major: CLBeaconMajorValue) {
            self.init(uuid: uuid, anyMajor: major, anyMinor: nil)
        }

        /// Creates a condition for one beacon by its UUID, group number and number in the group.
        public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
            self.init(uuid: uuid, anyMajor: major, anyMinor: minor)
        }

        /// Creates a condition for the beacons with these values; `nil` matches any value.
        init(uuid: UUID, anyMajor: CLBeaconMajorValue?, anyMinor: CLBeaconMinorValue?) {
            self.uuid = uuid
            major = anyMajor
            minor = anyMinor
        }
    }
}
