// SPDX-License-Identifier: MIT
public import Delegation
public import Dispatch
import GPSIO
public import GPSReceivers
public import NMEA
import Synchronization

/// Reports a receiver's location to a delegate, to any number of streams, and as the result of
/// requests.
///
/// Managers of the same receiver share one open device, which is closed when the last of them
/// stops. A manager waits for a receiver that is missing or lost. It does not wait for a file or a
/// simulated receiver that cannot be opened: `didFailWithError` reports the reason, and each start
/// and each request tries again. When the source ends, as a recording does, the manager's streams
/// finish.
///
/// The CoreLocation counterpart is `CLLocationManager`.
public final class LocationManager: HasRoutedDelegate, HasEvents, Sendable {
    /// Stores this manager's proxy.
    public let proxyStorage = ProxyStorage()
    /// Stores a weak reference to this manager's delegate.
    public let delegateSlot = DelegateSlot<any LocationManagerDelegate>()

    /// The delegate calls that wait for the manager's queue. Their number is limited.
    let deliveries: DeliveryQueue
    /// The calls of delegates on the main actor that wait for the main queue.
    let mainDeliveries: DeliveryQueue
    /// The delegates on a global actor for which a check that it is the main actor was scheduled.
    let checkedDelegates = MulticastDelegate<any LocationManagerDelegate>()
    /// Joins the sessions that read the manager's receivers. It has events for their sentences,
    /// rejections and statistics, and the flow control for sources that can pause.
    let member: SessionMember
    let distanceFilterChanges = Event<Double>()
    let desiredAccuracyChanges = Event<Double>()
    let headingFilterChanges = Event<Double>()
    /// Sends the changes of settings one after the other, so that observers receive the last value
    /// last, even if several threads or an observer change a setting.
    private let settingChanges = DeliveryQueue(on: .immediate)
    let state: Mutex<LocationManagerState>
    /// The cached proxy. A lookup in `proxyStorage` would take longer than a delegate call.
    // Safety: set once, while the manager is created.
    private nonisolated(unsafe) var installedProxy: LocationManagerProxy?
    private let pool: ReceiverPool
    /// The poller whose thread reads the receivers. Its clock is used for timeouts.
    private var poller: Poller { pool.poller }

    /// Creates a manager of one receiver. The device is opened at the first start or request.
    ///
    /// The delegate is called on `queue`, or on the manager's own queue by default. A delegate on
    /// the main actor is always called on the main queue. Calls never overlap, even on a concurrent
    /// queue.
    public convenience init(source: any DeviceSource, queue: DispatchQueue? = nil) {
        self.init(sources: [source], queue: queue)
    }

    /// Creates a manager of several receivers. A location's `sourceInformation.source` identifies
    /// its receiver.
    ///
    /// `distanceFilter` applies to each receiver separately. Updates pause when the last receiver
    /// is lost, and resume when one returns. `didFailWithError` reports the loss of each receiver.
    /// The streams finish when all sources have ended. Without sources, they finish at the start,
    /// after an error.
    public convenience init(sources: [any DeviceSource], queue: DispatchQueue? = nil) {
        self.init(sources: sources, queue: queue, member: SessionMember())
    }

    /// Creates a manager that combines several receivers. With `.consensus`, the fixes of each
    /// epoch are compared. The location is the unchanged fix of the most accurate receiver among
    /// those that agree.
    ///
    /// A location's `sourceInformation.source` is then `vote`, and its `device` is that of the
    /// selected receiver. `fix.vote` contains the selected receiver (`winner`) and those that agree
    /// with it (`witnesses`). Updates pause when the last receiver is lost.
    public convenience init(
        sources: [any DeviceSource], combining combination: ReceiverCombination,
        queue: DispatchQueue? = nil
    ) {
        self.init(sources: combination.sources(sources), queue: queue)
    }

    /// Creates a manager whose delegate is called by an executor.
    ///
    /// With `.immediate`, the delegate is called on the thread that causes the call. That is
    /// usually the thread that reads the receivers, after streams and observers. The initial state
    /// is reported on the thread that assigns the delegate or starts updates. The delegate must
    /// return quickly, because all receivers of the process wait for it. It must not take a lock
    /// that one of these threads may hold.
    public convenience init(sources: [any DeviceSource], executor: some CallbackExecutor) {
        self.init(sources: sources, executor: executor, member: SessionMember())
    }

    /// Creates a manager that joins receiver sessions as `member`. `member.unreadLimit` is the
    /// maximum time that a source waits for streams that no loop reads.
    package convenience init(
        sources: [any DeviceSource], queue: DispatchQueue?, member: SessionMember,
        pool: ReceiverPool = .shared
    ) {
        let queue = queue ?? DispatchQueue(label: "gpsbridge.delegate")
        self.init(sources: sources, executor: queue, member: member, pool: pool)
    }

    private init(
        sources: [any DeviceSource], executor: any CallbackExecutor, member: SessionMember,
        pool: ReceiverPool = .shared
    ) {
        self.member = member
        self.pool = pool
        deliveries = DeliveryQueue(on: executor, flow: member.flow)
        // The limit allows for calls that are still in the other queue when a source pauses.
        mainDeliveries = DeliveryQueue(
            on: DispatchQueue.main, buffering: .newest(512), flow: member.flow)
        state = Mutex(LocationManagerState(sources: sources))
        installedProxy = proxy
    }

    /// Creates a manager of the first receiver that is found: one that is plugged in now or later.
    public convenience init(queue: DispatchQueue? = nil) {
        self.init(source: .any, queue: queue)
    }

    /// The proxy that receives every delegate call, and provides the calls as events.
    public var proxy: LocationManagerProxy {
        installedProxy ?? LocationManagerProxy.proxy(for: self)
    }

    // MARK: Delegate

    /// The delegate. The reference is weak. Assigning a delegate does not affect streams.
    public weak var delegate: (any LocationManagerDelegate)? {
        get { delegateSlot.delegate }
        set {
            delegateSlot.delegate = newValue
            // This restores the proxy if the program has removed it.
            _ = LocationManagerProxy.proxy(for: self)
            if let newValue { reportAuthorization(to: newValue) }
        }
    }

    /// Calls `locationManagerDidChangeAuthorization` of a new delegate, as CoreLocation does.
    private func reportAuthorization(to delegate: any LocationManagerDelegate) {
        let newDelegate = MulticastDelegate<any LocationManagerDelegate>()
        newDelegate.add(delegate)
        deliveries.enqueue(essential: true) { [weak self] in
            guard let self else { return }
            newDelegate.forEach { delegate in
                guard proxy.base.hasDelegate(delegate) else { return }
                deliver(to: delegate, essential: true) {
                    $0.locationManagerDidChangeAuthorization($1)
                }
            }
        }
    }

    /// The number of delegate calls dropped because the delegate was too slow.
    public var droppedDelegateCalls: Int {
        deliveries.droppedCount + mainDeliveries.droppedCount
    }

    // MARK: Updates

    /// Whether location updates have been started and not stopped.
    package var isUpdatingLocation: Bool { state.withLock { $0.isUpdating } }

    /// Starts location updates and returns immediately. If updates are running, only retries
    /// sources that could not be opened.
    ///
    /// The first fix is always reported. Later fixes are reported when the distance from the last
    /// reported location reaches `distanceFilter`.
    public func startUpdatingLocation() {
        let now = poller.now
        let (effects, run) = state.withLock { ($0.startUpdating(at: now), $0.run(of: .all)) }
        for effect in effects { carryOut(effect, ofRun: run) }
        attach()
    }

    /// Stops location updates.
    ///
    /// After this has returned, no delegate call for these updates begins. A call that is running
    /// on another thread may still finish. A stream delivers its buffered elements and then waits
    /// for the next start. It ends when its task is cancelled or the manager is released.
    public func stopUpdatingLocation() {
        let released = state.withLock { $0.stopUpdating() }
        withExtendedLifetime(released) {}
    }

    /// The last location, even if `distanceFilter` omits it; `nil` before the first. It may be old:
    /// check its timestamp.
    public var location: Location? { state.withLock { $0.location } }

    /// The minimum distance in metres between two reported locations. `distanceFilterNone` reports
    /// every fix.
    public var distanceFilter: Double {
        get { state.withLock { $0.distanceFilter } }
        set {
            state.withLock { $0.distanceFilter = newValue }
            settingChanges.enqueue { [self] in distanceFilterChanges.send(distanceFilter) }
        }
    }

    /// The horizontal accuracy in metres that `requestLocation` waits for. With 0 or a negative
    /// value, it accepts any valid fix.
    public var desiredAccuracy: Double {
        get { state.withLock { $0.desiredAccuracy } }
        set {
            state.withLock { $0.desiredAccuracy = newValue }
            settingChanges.enqueue { [self] in desiredAccuracyChanges.send(desiredAccuracy) }
        }
    }

    /// Whether the program may read the receiver.
    public var authorizationStatus: AuthorizationStatus {
        state.withLock { $0.authorizationStatus }
    }

    // MARK: The receiver

    /// Joins the sessions of all sources that are not joined yet, if updates or a request need
    /// them. Also retries sources that could not be opened.
    private func attach() {
        guard let (join, sources) = state.withLock({ $0.sourcesToJoin() }) else { return }
        var subscriptions: [Int: ScopedSubscription] = [:]
        for (index, source) in sources {
            subscriptions[index] = pool.join(source, as: member) { [weak self] in
                self?.didReceive($0, from: index, join: join)
            }
        }
        let surplus = state.withLock { $0.joined(join, subscriptions) }
        withExtendedLifetime(surplus) {}
    }

    /// Handles an update from the source at `index`, on the polling thread. `join` is the number
    /// that `sourcesToJoin()` returned when the source's session was joined.
    private func didReceive(_ update: ReceiverUpdate, from index: Int, join: Int) {
        let now = poller.now
        let (effects, run) = state.withLock {
            ($0.didReceive(update, from: index, join: join, at: now), $0.run(of: .all))
        }
        for effect in effects { carryOut(effect, ofRun: run) }
    }

    /// Carries out an effect. Updates of a run that has been stopped are not sent.
    private func carryOut(_ effect: LocationManagerState.Effect, ofRun run: UpdateRun) {
        switch effect {
        case .location(let location):
            proxy.send([location], of: self, run: UpdateRun(locations: run.locations))
        case .heading(let heading):
            proxy.send(heading, of: self, run: UpdateRun(headings: run.headings))
        case .integrity(let integrity):
            proxy.send(integrity, of: self, run: UpdateRun(locations: run.locations))
        case .failure(let error): proxy.send(error, of: self, run: run)
        case .paused: proxy.sendPause(of: self, run: run)
        case .resumed: proxy.sendResumption(of: self, run: run)
        case .authorization: proxy.locationManagerDidChangeAuthorization(self)
        case .asked(let request, let location):
            if case .predicate(let accepts) = request.criterion, accepts(location) {
                request.promise.fulfill(location)
            }
        case .waiting(let request, let timeout): expire(request, after: timeout)
        case .fulfilled(let request, let location): request.promise.fulfill(location)
        case .rejected(let request, let error): request.promise.reject(error)
        case .ended:
            proxy.base.complete(afterCallsIn: deliveries)
            member.complete()
        }
    }
}

// More counterparts of members of `CLLocationManager`. Linux does not ask the user for permission:
// access to the device node is the authorization.
extension LocationManager {
    /// Determines the authorization if it is not known yet: `.denied` if the file permissions allow
    /// reading none of the receivers, otherwise `.authorizedAlways`, also if none is plugged in.
    ///
    /// It exists for programs ported from CoreLocation: they start updates when the resulting
    /// status is reported by `locationManagerDidChangeAuthorization(_:)`. Without a request, the
    /// status is determined when the manager opens the receiver.
    public func requestWhenInUseAuthorization() {
        guard authorizationStatus == .notDetermined else { return }
        let sources = state.withLock { $0.sources }
        let isDenied =
            !sources.isEmpty && sources.allSatisfy { ReceiverAccess.refusal(of: $0) != nil }
        let effects = state.withLock {
            $0.determineAuthorization(isDenied ? .denied : .authorizedAlways)
        }
        for effect in effects { carryOut(effect, ofRun: .none) }
    }

    /// The same as `requestWhenInUseAuthorization()`.
    public func requestAlwaysAuthorization() { requestWhenInUseAuthorization() }

    /// Returns `true`. To find out whether a receiver is plugged in, use `DeviceDiscovery`.
    public static func locationServicesEnabled() -> Bool { true }

    /// A distance filter that reports every fix. The CoreLocation counterpart is
    /// `kCLDistanceFilterNone`.
    public static let distanceFilterNone = -1.0

    /// The receiver's best accuracy: a request accepts any valid fix. The CoreLocation counterpart
    /// is `kCLLocationAccuracyBest`.
    public static let accuracyBest = -1.0

    /// The same as `accuracyBest`. The CoreLocation counterpart is
    /// `kCLLocationAccuracyBestForNavigation`.
    public static let accuracyBestForNavigation = -2.0

    /// An accuracy of 10 m. The CoreLocation counterpart is `kCLLocationAccuracyNearestTenMeters`.
    public static let accuracyNearestTenMeters = 10.0

    /// An accuracy of 100 m. The CoreLocation counterpart is `kCLLocationAccuracyHundredMeters`.
    public static let accuracyHundredMeters = 100.0

    /// An accuracy of 1 km. The CoreLocation counterpart is `kCLLocationAccuracyKilometer`.
    public static let accuracyKilometer = 1000.0

    /// An accuracy of 3 km. The CoreLocation counterpart is `kCLLocationAccuracyThreeKilometers`.
    public static let accuracyThreeKilometers = 3000.0
}

/// Reports headings of a vessel or vehicle. They are measured by a compass, two antennas or an
/// inertial unit, and arrive on the receiver's line.
///
/// A receiver's headings arrive with its epochs, with or without a position. A compass that is
/// alone on its line has no epochs: its headings arrive with its measurements.
extension LocationManager {
    /// A heading filter that reports every heading. The CoreLocation counterpart is
    /// `kCLHeadingFilterNone`.
    public static let headingFilterNone = -1.0

    /// The default heading filter in degrees, as in CoreLocation.
    static let defaultHeadingFilter = 1.0

    /// Starts heading updates and returns immediately. If they are running, only retries sources
    /// that could not be opened.
    ///
    /// The first heading is always reported. Later headings are reported when the angle to the last
    /// reported heading reaches `headingFilter`. Location updates are independent of heading
    /// updates.
    public func startUpdatingHeading() {
        let now = poller.now
        let (effects, run) = state.withLock {
            ($0.startUpdatingHeading(at: now), $0.run(of: .all))
        }
        for effect in effects { carryOut(effect, ofRun: run) }
        attach()
    }

    /// Stops heading updates. As with `stopUpdatingLocation()`, no delegate call for these updates
    /// begins after this has returned.
    public func stopUpdatingHeading() {
        let released = state.withLock { $0.stopUpdatingHeading() }
        withExtendedLifetime(released) {}
    }

    /// The last heading, even if the filter omits it; `nil` before the first. It may be old: check
    /// its timestamp.
    public var heading: Heading? { state.withLock { $0.heading } }

    /// The minimum angle in degrees between two reported headings. `headingFilterNone` reports
    /// every heading. Default: 1.
    public var headingFilter: Double {
        get { state.withLock { $0.headingFilter } }
        set {
            state.withLock { $0.headingFilter = newValue }
            settingChanges.enqueue { [self] in headingFilterChanges.send(headingFilter) }
        }
    }
}

extension LocationManager {
    /// The default timeout of a request: 60 s. A receiver's cold start takes about 30 s.
    public static let requestTimeout = Duration.seconds(60)

    /// Returns one location, with `requestTimeout` as the timeout; see
    /// `requestLocation(timeout:clock:)`.
    public func requestLocation() async throws -> Location {
        try await requestLocation(timeout: Self.requestTimeout)
    }

    /// Returns one location: the first valid fix at least as accurate as `desiredAccuracy`.
    ///
    /// At the timeout, measured by `clock`, and when the source ends, returns the most accurate fix
    /// so far. If there is none, throws a `LocationError`: `.timedOut`, whose `cause` is the
    /// device's problem, if any, or `.ended`. Throws `.denied` immediately if the program may not
    /// open the receiver, and `CancellationError` on cancellation.
    ///
    /// The request keeps the receiver open while it waits. It does not affect running updates, and
    /// reports nothing to the delegate or the streams except a change of authorization.
    public func requestLocation(
        timeout: Duration, clock: some Clock<Duration> = ContinuousClock()
    ) async throws -> Location {
        try await begin(timeout, clock, .accuracy(desiredAccuracy)).valueCancellingRequest()
    }

    /// Returns one location: the first valid fix for which `accepts` returns `true`.
    ///
    /// It behaves like `requestLocation(timeout:clock:)`, but always throws an error at the timeout
    /// and at the end of the source. `accepts` is called on the thread that reads the receiver and
    /// must return quickly.
    public func requestLocation(
        timeout: Duration = requestTimeout, clock: some Clock<Duration> = ContinuousClock(),
        where accepts: @escaping @Sendable (Location) -> Bool
    ) async throws -> Location {
        try await begin(timeout, clock, .predicate(accepts)).valueCancellingRequest()
    }

    /// Returns one location like `requestLocation(timeout:clock:)`, but waits at most
    /// `accuracyTimeout` after the first fix for a more accurate one.
    package func requestLocation(
        accuracyTimeout: Duration, timeout: Duration = requestTimeout
    ) async throws -> Location {
        let criterion = LocationRequest.Criterion.accuracy(
            desiredAccuracy, accuracyTimeout: accuracyTimeout)
        return try await begin(timeout, ContinuousClock(), criterion).valueCancellingRequest()
    }

    /// Begins a request: starts its timeout, opens the receiver for it, and closes the receiver when
    /// the request has a result.
    private func begin(
        _ timeout: Duration, _ clock: some Clock<Duration>, _ criterion: LocationRequest.Criterion
    ) -> Promise<Location> {
        let request = state.withLock { $0.add(criterion) }
        let id = request.id
        expire(request, after: timeout, clock)
        request.promise.finally { [weak self] in
            let released = self?.state.withLock { $0.remove(id) }
            withExtendedLifetime(released) {}
        }
        attach()
        // The receiver's current state may already make the request fail.
        if let effect = state.withLock({ $0.refusal(of: id) }) { carryOut(effect, ofRun: .none) }
        return request.promise
    }

    /// Ends a request after a time: with the most accurate location so far or, if there is none,
    /// with an error.
    func expire(
        _ request: LocationRequest, after timeout: Duration,
        _ clock: some Clock<Duration> = ContinuousClock()
    ) {
        let id = request.id
        let poller = poller
        let wait = Self.wait(timeout, clock, poller)
        let timer = Task(executorPreference: poller) { [weak self] in
            guard await wait(), let self,
                let effect = self.state.withLock({ $0.expire(id, at: poller.now) })
            else { return }
            self.carryOut(effect, ofRun: .none)
        }
        request.promise.finally { timer.cancel() }
    }

    /// Returns a function that waits until the timeout, which starts now. The function returns
    /// `false` if its task is cancelled first.
    private static func wait(
        _ timeout: Duration, _ clock: some Clock<Duration>, _ poller: Poller
    ) -> @Sendable () async -> Bool {
        guard clock is ContinuousClock else {
            let end = clock.now.advanced(by: timeout)
            return {
                do {
                    try await clock.sleep(until: end, tolerance: nil)
                    return true
                } catch {
                    return false
                }
            }
        }
        // The polling thread's own deadlines are used, so that data that arrived before the timeout
        // is handled first.
        let end = poller.now + timeout
        return { await poller.sleep(until: end) == .timedOut }
    }
}

/// Provides other data that the receiver sends while the manager reads it. As with the streams of
/// delegate methods, each stream receives everything from its creation on.
extension LocationManager {
    /// Returns a stream of the sentences of one type, for example for wind, depth or heading:
    ///
    ///     import NMEA
    ///     for await wind in manager.sentences(MWV.self) { print(wind.speed ?? 0) }
    ///
    /// Sentences that cannot be decoded as this type are skipped.
    public func sentences<S: Sentence>(
        _ type: S.Type, buffering policy: BufferingPolicy = .newest(256)
    ) -> EventStream<S> {
        let raw = member.sentences
        return EventStream(buffering: policy, flow: member.flow) {
            [weak raw] onValue, onCompletion in
            guard let raw else {
                onCompletion()
                return Subscription()
            }
            return raw.observe(
                { bytes in
                    var framer = Framer()
                    func read(_ event: FramerEvent) {
                        // The error is ignored, because most sentences have another type.
                        if case .sentence(let raw) = event, let sentence = try? S(raw) {
                            onValue(sentence)
                        }
                    }
                    framer.push(bytes.span, read)
                    framer.finish(read)
                }, onCompletion: onCompletion)
        }
    }

    /// A stream of the data that was rejected because it is not a valid sentence, with the reasons.
    public var rejections: EventStream<Rejection> { member.rejections.values() }

    /// A stream of the counts of sentences and bytes since reading started, one element after each
    /// epoch. They continue when the receiver returns after it was unplugged. For a vote, they are
    /// those of the receiver that the last vote selected.
    public var statistics: EventStream<Statistics> { member.statistics.values() }
}

/// A pending call of `requestLocation`.
struct LocationRequest: Sendable {
    /// The condition that the requested location must meet.
    enum Criterion: Sendable {
        /// The required accuracy in metres; any accuracy if it is not positive. The most accurate
        /// location is the result at the timeout, at the end of the source, and when
        /// `accuracyTimeout` has passed since the first location.
        case accuracy(Double, accuracyTimeout: Duration? = nil)
        /// A predicate of the caller. It is called without holding a lock.
        case predicate(@Sendable (Location) -> Bool)
    }

    /// A number that identifies the request.
    let id: UInt64
    /// The promise of the result, which is settled exactly once.
    let promise: Promise<Location>
    /// The condition that the location must meet.
    let criterion: Criterion
    /// The most accurate location so far that did not meet the condition.
    private var best: Location?

    init(id: UInt64, _ criterion: Criterion) {
        self.id = id
        self.criterion = criterion
        promise = Promise()
    }

    /// Stores a location that is not accurate enough, if it is the most accurate one so far.
    /// Returns whether it is the first one.
    mutating func keep(_ location: Location) -> Bool {
        let isFirst = best == nil
        if best.map({ location.horizontalAccuracy < $0.horizontalAccuracy }) ?? true {
            best = location
        }
        return isFirst
    }

    /// Returns the effect that ends the request: with the most accurate location so far or, if
    /// there is none, with an error.
    func end(orFailWith error: LocationError) -> LocationManagerState.Effect {
        best.map { .fulfilled(self, $0) } ?? .rejected(self, error)
    }
}

/// Whether the program may read the receiver. On Linux, this depends on the permissions of the
/// device node.
///
/// The CoreLocation counterpart is `CLAuthorizationStatus`.
public enum AuthorizationStatus: Int, Hashable, Sendable {
    /// No receiver has been opened or refused yet.
    case notDetermined = 0
    /// The program may not open the receiver.
    case denied = 2
    /// The receiver has been opened, or a request for authorization has found no refusal.
    case authorizedAlways = 3
}
