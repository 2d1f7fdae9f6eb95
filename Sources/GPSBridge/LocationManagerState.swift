// SPDX-License-Identifier: MIT
import Delegation
import Devices

/// What a location manager knows, and how it changes. It calls nobody: it returns what to tell.
struct LocationManagerState {
    /// What there is to tell after a change.
    enum Event: Sendable {
        case location(Location)
        case failure(LocationError)
        case authorization
        case paused
        case resumed
        case asked(LocationRequest, Location)
        case fulfilled(LocationRequest, Location)
        case rejected(LocationRequest, any Error)
        case ended
    }

    /// How the receiver is doing.
    private enum Receiver {
        case unknown
        case searching(DeviceError)
        case open(hasFix: Bool, since: ContinuousClock.Instant)
        case lost(DeviceError)
        case ended(DeviceError)
    }

    /// A receiver may take so long for its first fix before that is called a failure.
    static let patience = Duration.seconds(60)

    var location: Location?
    var distanceFilter = LocationManager.distanceFilterNone
    var desiredAccuracy = LocationManager.accuracyBest
    private(set) var authorizationStatus = AuthorizationStatus.notDetermined

    private let source: any DeviceSource
    private var receiver = Receiver.unknown
    private var isUpdating = false
    private var lastTold: Location?
    private var requests: [LocationRequest] = []
    private var nextRequest: UInt64 = 0
    private var subscription: ScopedSubscription?
    private var isAttaching = false

    init(source: any DeviceSource) {
        self.source = source
    }

    // MARK: Who wants to know

    mutating func startUpdating() {
        guard !isUpdating else { return }
        isUpdating = true
        lastTold = nil
    }

    /// Returns what is to be released outside the lock.
    mutating func stopUpdating() -> [Any] {
        isUpdating = false
        let dropped = requests.filter(\.isForDelegate)
        requests.removeAll(where: \.isForDelegate)
        return [dropped, detachIfIdle() as Any]
    }

    /// Adds a request for who asked.
    mutating func add(_ criterion: LocationRequest.Criterion) -> LocationRequest {
        add(criterion, isForDelegate: false)
    }

    /// Adds a request for the delegate, unless one is pending.
    mutating func addDelegateRequest(_ criterion: LocationRequest.Criterion) -> LocationRequest? {
        guard !requests.contains(where: \.isForDelegate) else { return nil }
        return add(criterion, isForDelegate: true)
    }

    private mutating func add(
        _ criterion: LocationRequest.Criterion, isForDelegate: Bool
    ) -> LocationRequest {
        nextRequest += 1
        let request = LocationRequest(
            id: nextRequest, criterion, isForDelegate: isForDelegate)
        requests.append(request)
        return request
    }

    /// The answer to a request that cannot be fulfilled as things are.
    func refusal(of id: UInt64) -> Event? {
        guard let request = requests.first(where: { $0.id == id }) else { return nil }
        switch receiver {
        case .ended(let error):
            return .rejected(request, LocationError(.locationUnknown, cause: error))
        case .searching(let error) where error.code == .permissionDenied:
            return .rejected(request, LocationError(.denied, cause: error))
        default: return nil
        }
    }

    /// Takes a request out; returns what is to be released outside the lock.
    mutating func remove(_ id: UInt64) -> [Any] {
        let dropped = requests.filter { $0.id == id }
        requests.removeAll { $0.id == id }
        return [dropped, detachIfIdle() as Any]
    }

    /// Ends a request whose time is up.
    mutating func expire(_ id: UInt64) -> Event? {
        guard let request = requests.first(where: { $0.id == id }) else { return nil }
        if let best = request.best { return .fulfilled(request, best) }
        return .rejected(request, LocationError(.locationUnknown, cause: cause))
    }

    // MARK: Listening

    private var isWanted: Bool { isUpdating || !requests.isEmpty }

    /// The source to listen to, where that is wanted and nobody does yet.
    mutating func sourceToAttach() -> (any DeviceSource)? {
        guard isWanted, subscription == nil, !isAttaching else { return nil }
        isAttaching = true
        return source
    }

    /// Keeps the subscription, or returns it where nobody wants to know any more.
    mutating func attached(_ new: ScopedSubscription) -> ScopedSubscription? {
        isAttaching = false
        guard isWanted else { return new }
        subscription = new
        return nil
    }

    private mutating func detachIfIdle() -> ScopedSubscription? {
        guard !isWanted else { return nil }
        defer { subscription = nil }
        if case .ended = receiver {} else { receiver = .unknown }
        return subscription
    }

    // MARK: The receiver

    private var cause: DeviceError? {
        switch receiver {
        case .searching(let error), .lost(let error): error
        case .ended(let error): error
        case .unknown, .open: nil
        }
    }

    mutating func receive(_ update: ReceiverUpdate) -> [Event] {
        switch update {
        case .opened: return opened()
        case .unavailable(let error): return unavailable(error)
        case .lost(let error):
            receiver = .lost(error)
            return [.paused, .failure(LocationError(.locationUnknown, cause: error))]
        case .epoch(let epoch): return received(epoch)
        case .satellites, .unheard: return []
        case .ended(_, let error):
            let end = error ?? DeviceError(.ended, device: source.name)
            receiver = .ended(end)
            let reason = LocationError(.locationUnknown, cause: end)
            let failure = error.map { _ in [Event.failure(reason)] } ?? []
            return requests.map { .rejected($0, reason) } + failure + [.ended]
        }
    }

    private mutating func opened() -> [Event] {
        var events: [Event] = []
        if case .lost = receiver { events.append(.resumed) }
        receiver = .open(hasFix: false, since: .now)
        return authorize(.authorizedAlways) + events
    }

    private mutating func unavailable(_ error: DeviceError) -> [Event] {
        // While it is gone, "not there" is no news.
        if case .lost = receiver, error.code == .notFound || error.code == .noReceiver { return [] }
        if case .lost = receiver {} else { receiver = .searching(error) }
        guard error.code == .permissionDenied else {
            return [.failure(LocationError(.locationUnknown, cause: error))]
        }
        let denied = LocationError(.denied, cause: error)
        return authorize(.denied) + requests.map { .rejected($0, denied) } + [.failure(denied)]
    }

    private mutating func authorize(_ status: AuthorizationStatus) -> [Event] {
        guard status != authorizationStatus else { return [] }
        authorizationStatus = status
        return [.authorization]
    }

    private mutating func received(_ epoch: ReceiverEpoch) -> [Event] {
        guard case .open(let hadFix, let since) = receiver else { return [] }
        guard epoch.fix.mode > .noFix else {
            guard hadFix || since.duration(to: .now) > Self.patience else { return [] }
            // Told once, and without a fix in between not again for a day.
            receiver = .open(hasFix: false, since: .now + .seconds(86_400))
            return [.failure(LocationError(.locationUnknown))]
        }
        receiver = .open(hasFix: true, since: since)
        guard let new = epoch.location else { return [] }
        location = new
        return answer(new) + update(new)
    }

    private mutating func answer(_ new: Location) -> [Event] {
        requests.indices.map { index in
            switch requests[index].criterion {
            case .predicate: return .asked(requests[index], new)
            case .accuracy(let accuracy) where accuracy > 0 && new.horizontalAccuracy > accuracy:
                requests[index].keep(new)
                return nil
            case .accuracy: return .fulfilled(requests[index], new)
            }
        }.compactMap(\.self)
    }

    /// Whether a request's location is not what updates have told anyway.
    func isNews(_ location: Location) -> Bool {
        lastTold != location
    }

    private mutating func update(_ new: Location) -> [Event] {
        guard isUpdating else { return [] }
        if let lastTold, distanceFilter > 0, new.distance(from: lastTold) < distanceFilter {
            return []
        }
        lastTold = new
        return [.location(new)]
    }
}
