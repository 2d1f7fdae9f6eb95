// SPDX-License-Identifier: MIT
public import Delegation
public import Dispatch
import GPSIO
public import GPSReceivers
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
    let settingChanges = DeliveryQueue(on: .immediate)
    let state: Mutex<LocationManagerState>
    /// The cached proxy. A lookup in `proxyStorage` would take longer than a delegate call.
    private let installedProxy = Mutex<LocationManagerProxy?>(nil)
    private let pool: ReceiverPool
    /// The poller whose thread reads the receivers. Its clock is used for timeouts.
    var poller: Poller { pool.poller }

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
        let proxy = proxy
        installedProxy.withLock { $0 = proxy }
    }

    /// Creates a manager of the first receiver that is found: one that is plugged in now or later.
    public convenience init(queue: DispatchQueue? = nil) {
        self.init(source: .any, queue: queue)
    }

    /// The proxy that receives every delegate call, and provides the calls as events.
    public var proxy: LocationManagerProxy {
        installedProxy.withLock { $0 } ?? LocationManagerProxy.proxy(for: self)
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
    func attach() {
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
    func carryOut(_ effect: LocationManagerState.Effect, ofRun run: UpdateRun) {
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
