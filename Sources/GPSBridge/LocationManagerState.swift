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

    private let sources: [any DeviceSource]
    /// One for each source.
    private var receivers: [Receiver]
    /// The last location told of each source: each has a distance filter of its own.
    private var lastTold: [Location?]
    private var isUpdating = false
    private var isPaused = false
    private var requests: [LocationRequest] = []
    private var nextRequest: UInt64 = 0
    private var subscriptions: [ScopedSubscription]?
    private var isAttaching = false

    init(sources: [any DeviceSource]) {
        self.sources = sources
        receivers = sources.map { _ in .unknown }
        lastTold = sources.map { _ in nil }
    }

    // MARK: Who wants to know

    mutating func startUpdating() {
        guard !isUpdating else { return }
        isUpdating = true
        lastTold = sources.map { _ in nil }
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
        guard let request = requests.first(where: { $0.id == id }), let reason = hopelessness else {
            return nil
        }
        return .rejected(request, reason)
    }

    /// Why no location can come of any source without anybody's doing something.
    private var hopelessness: LocationError? {
        var reason: LocationError?
        for receiver in receivers {
            switch receiver {
            case .ended(let error):
                reason = reason ?? LocationError(.locationUnknown, cause: error)
            case .searching(let error) where error.code == .permissionDenied:
                if reason?.code != .denied { reason = LocationError(.denied, cause: error) }
            default: return nil
            }
        }
        return reason
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

    /// The sources to listen to, where that is wanted and nobody does yet.
    mutating func sourcesToAttach() -> [any DeviceSource]? {
        guard isWanted, subscriptions == nil, !isAttaching else { return nil }
        isAttaching = true
        return sources
    }

    /// Keeps the subscriptions, or returns them where nobody wants to know any more.
    mutating func attached(_ new: [ScopedSubscription]) -> [ScopedSubscription]? {
        isAttaching = false
        guard isWanted else { return new }
        subscriptions = new
        return nil
    }

    private mutating func detachIfIdle() -> [ScopedSubscription]? {
        guard !isWanted else { return nil }
        defer { subscriptions = nil }
        isPaused = false
        for index in receivers.indices {
            if case .ended = receivers[index] {} else { receivers[index] = .unknown }
        }
        return subscriptions
    }

    // MARK: The receivers

    private var cause: DeviceError? {
        var cause: DeviceError?
        for receiver in receivers {
            switch receiver {
            case .searching(let error), .lost(let error), .ended(let error): cause = cause ?? error
            case .open: return nil
            case .unknown: break
            }
        }
        return cause
    }

    private var hasOpen: Bool { receivers.contains { if case .open = $0 { true } else { false } } }

    private var hasFix: Bool {
        receivers.contains { if case .open(hasFix: true, _) = $0 { true } else { false } }
    }

    /// Takes what the session of one source tells.
    mutating func receive(_ update: ReceiverUpdate, from index: Int) -> [Event] {
        switch update {
        case .opened: return opened(index)
        case .unavailable(let error): return unavailable(error, index)
        case .lost(let error): return lost(error, index)
        case .epoch(let epoch): return received(epoch, index)
        case .troubled(let error):
            return [.failure(LocationError(.locationUnknown, cause: error))]
        case .satellites, .unheard, .listening, .understood: return []
        case .ended(_, let error): return ended(error, index)
        }
    }

    private mutating func opened(_ index: Int) -> [Event] {
        receivers[index] = .open(hasFix: false, since: .now)
        defer { isPaused = false }
        return authorize(.authorizedAlways) + (isPaused ? [.resumed] : [])
    }

    private mutating func lost(_ error: DeviceError, _ index: Int) -> [Event] {
        receivers[index] = .lost(error)
        let failure = Event.failure(LocationError(.locationUnknown, cause: error))
        // As long as one goes on, so do the updates.
        guard !hasOpen, !isPaused else { return [failure] }
        isPaused = true
        return [.paused, failure]
    }

    private mutating func unavailable(_ error: DeviceError, _ index: Int) -> [Event] {
        // While it is gone, "not there" is no news.
        if case .lost = receivers[index] {
            if error.code == .notFound || error.code == .noReceiver { return [] }
        } else {
            receivers[index] = .searching(error)
        }
        guard error.code == .permissionDenied else {
            return [.failure(LocationError(.locationUnknown, cause: error))]
        }
        let denied = LocationError(.denied, cause: error)
        let changes = hasOpen ? [] : authorize(.denied)
        let isOver = hopelessness != nil || sources.count == 1
        let rejections = isOver ? requests.map { Event.rejected($0, denied) } : []
        return changes + rejections + [.failure(denied)]
    }

    private mutating func ended(_ error: DeviceError?, _ index: Int) -> [Event] {
        let end = error ?? DeviceError(.ended, device: sources[index].name)
        receivers[index] = .ended(end)
        let reason = LocationError(.locationUnknown, cause: end)
        let failure = error.map { _ in [Event.failure(reason)] } ?? []
        let isLast = receivers.allSatisfy { if case .ended = $0 { true } else { false } }
        let rejections =
            hopelessness.map { final in requests.map { Event.rejected($0, final) } } ?? []
        return rejections + failure + (isLast ? [.ended] : [])
    }

    private mutating func authorize(_ status: AuthorizationStatus) -> [Event] {
        guard status != authorizationStatus else { return [] }
        authorizationStatus = status
        return [.authorization]
    }

    private mutating func received(_ epoch: ReceiverEpoch, _ index: Int) -> [Event] {
        guard case .open(let hadFix, let since) = receivers[index] else { return [] }
        guard epoch.fix.mode > .noFix else {
            guard hadFix || since.duration(to: .now) > Self.patience else { return [] }
            // Told once, and without a fix in between not again for a day.
            receivers[index] = .open(hasFix: false, since: .now + .seconds(86_400))
            return hasFix ? [] : [.failure(LocationError(.locationUnknown))]
        }
        receivers[index] = .open(hasFix: true, since: since)
        guard var new = epoch.location else { return [] }
        // A tty may be shared with somebody who calls it something else.
        new.sourceInformation.source = sources[index].name
        location = new
        return answer(new) + update(new, index)
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
        !lastTold.contains(location)
    }

    private mutating func update(_ new: Location, _ index: Int) -> [Event] {
        guard isUpdating else { return [] }
        if let last = lastTold[index], distanceFilter > 0,
            new.distance(from: last) < distanceFilter
        {
            return []
        }
        lastTold[index] = new
        return [.location(new)]
    }
}
