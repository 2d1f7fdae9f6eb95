// SPDX-License-Identifier: MIT
public import Delegation
public import Dispatch
import GPSIO
public import GPSReceivers
import Synchronization

/// Reports a receiver's location to a delegate, to any number of streams, and in reply to requests.
///
/// Managers of the same receiver share one open device, which is closed when the last of them
/// stops. A manager waits for a receiver that is missing or lost. It does not wait for a file that
/// cannot be opened, or a simulated receiver: `didFailWithError` reports the reason, and each start
/// and each request tries again. When a source ends, such as a recording, the manager's streams
/// finish.
///
/// The CoreLocation counterpart is `CLLocationManager`.
public final class LocationManager: HasRoutedDelegate, HasEvents, Sendable {
    /// The storage of this manager's proxy.
    public let proxyStorage = ProxyStorage()
    /// The storage of this manager's delegate.
    public let delegateSlot = DelegateSlot<any LocationManagerDelegate>()

    /// Pending delegate calls for the manager's queue, limited in number.
    let deliveries: DeliveryQueue
    /// The part of these calls that is for delegates on the main actor.
    let mainDeliveries: DeliveryQueue
    /// The manager's membership in its sessions: sentences, rejections, and flow control for
    /// sources that can pause.
    let member: SessionMember
    let distanceFilterChanges = Event<Double>()
    let desiredAccuracyChanges = Event<Double>()
    let headingFilterChanges = Event<Double>()
    let state: Mutex<LocationManagerState>
    /// The proxy, cached because looking it up takes longer than a call.
    private let installedProxy = Mutex<LocationManagerProxy?>(nil)
    private let pool: ReceiverPool
    /// The thread that reads the receivers, and its clock.
    var poller: Poller { pool.poller }

    /// Creates a manager; the device is opened at the first start or request.
    ///
    /// The delegate is called on `queue`, or on the manager's own queue by default. A delegate on
    /// the main actor is always called on the main queue. Calls never overlap, even on a concurrent
    /// queue.
    public convenience init(source: any DeviceSource, queue: DispatchQueue? = nil) {
        self.init(sources: [source], queue: queue)
    }

    /// Creates a manager of several receivers; `sourceInformation.source` of a location names its
    /// receiver.
    ///
    /// `distanceFilter` applies to each receiver separately. Updates pause when the last open receiver is lost,
    /// and resume when the first is back; `didFailWithError` reports the loss of any. The streams
    /// finish when all sources have ended.
    public convenience init(sources: [any DeviceSource], queue: DispatchQueue? = nil) {
        self.init(sources: sources, queue: queue, member: SessionMember())
    }

    /// Creates a manager of several receivers that are combined: with `.consensus`, they are compared for
    /// each instant, and the most accurate of those that agree is passed on, unchanged.
    ///
    /// Then `sourceInformation.source` is `vote`, `device` is the winner's, and `fix.vote` names the winner and
    /// its witnesses. Updates pause when the last open receiver is lost.
    public convenience init(
        sources: [any DeviceSource], combining combination: ReceiverCombination,
        queue: DispatchQueue? = nil
    ) {
        self.init(sources: combination.sources(sources), queue: queue)
    }

    /// Creates a manager whose delegate is called by an executor.
    ///
    /// `.immediate` calls it on the thread that causes the call: usually the one that reads the receivers, after
    /// streams and observers; for the initial state, the one that assigns the delegate or starts
    /// updates. The delegate must return quickly, since all receivers of the process wait for it,
    /// and must not take a lock that those threads hold.
    public convenience init(sources: [any DeviceSource], executor: some CallbackExecutor) {
        self.init(sources: sources, executor: executor, member: SessionMember())
    }

    /// Creates a manager whose sources wait for unread streams as configured by `member`.
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
        // With room for the calls that are still in the other queue when a source starts to pause.
        mainDeliveries = DeliveryQueue(
            on: DispatchQueue.main, buffering: .newest(512), flow: member.flow)
        state = Mutex(LocationManagerState(sources: sources))
        let proxy = proxy
        installedProxy.withLock { $0 = proxy }
    }

    /// Creates a manager of the first receiver that is plugged in, now or later.
    public convenience init(queue: DispatchQueue? = nil) {
        self.init(source: .any, queue: queue)
    }

    /// The proxy that receives every delegate call.
    public var proxy: LocationManagerProxy {
        installedProxy.withLock { $0 } ?? LocationManagerProxy.proxy(for: self)
    }

    // MARK: Delegate

    /// The delegate, held weakly. Assigning it does not affect the streams.
    public var delegate: (any LocationManagerDelegate)? {
        get { delegateSlot.delegate }
        set {
            delegateSlot.delegate = newValue
            // Restores the proxy if a program has removed it.
            _ = LocationManagerProxy.proxy(for: self)
            if let newValue { reportAuthorization(to: newValue) }
        }
    }

    /// Makes the first call to a new delegate, as in CoreLocation.
    private func reportAuthorization(to delegate: any LocationManagerDelegate) {
        let newcomer = MulticastDelegate<any LocationManagerDelegate>()
        newcomer.add(delegate)
        deliveries.enqueue(essential: true) { [weak self] in
            guard let self else { return }
            newcomer.forEach { delegate in
                guard proxy.base.hasDelegate(delegate) else { return }
                checkIsolation(of: delegate)
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

    /// Starts updates; returns at once. Starting again only retries a source that could not be
    /// opened.
    ///
    /// The first location is sent with the first fix, further ones when `distanceFilter` is
    /// exceeded.
    public func startUpdatingLocation() {
        let (effects, run) = state.withLock { ($0.startUpdating(), $0.run(of: .all)) }
        for effect in effects { carryOut(effect, ofRun: run) }
        attach()
    }

    /// Stops updates.
    ///
    /// Once this has returned, no delegate call of these updates begins; one running on another
    /// thread may still finish. A stream delivers its buffered elements and then waits for the next
    /// start; it ends with its task or with the manager.
    public func stopUpdatingLocation() {
        let released = state.withLock { $0.stopUpdating() }
        withExtendedLifetime(released) {}
    }

    /// The last valid location; check its timestamp.
    public var location: Location? { state.withLock { $0.location } }

    /// The distance in metres after which the next location is sent; `distanceFilterNone` sends
    /// every fix.
    public var distanceFilter: Double {
        get { state.withLock { $0.distanceFilter } }
        set {
            state.withLock { $0.distanceFilter = newValue }
            distanceFilterChanges.send(newValue)
        }
    }

    /// The accuracy in metres that `requestLocation` waits for; a negative value accepts any valid
    /// fix.
    public var desiredAccuracy: Double {
        get { state.withLock { $0.desiredAccuracy } }
        set {
            state.withLock { $0.desiredAccuracy = newValue }
            desiredAccuracyChanges.send(newValue)
        }
    }

    /// The permission to read the receiver.
    public var authorizationStatus: AuthorizationStatus {
        state.withLock { $0.authorizationStatus }
    }

    // MARK: The receiver

    /// Joins the sessions of the sources, unless they are joined or not needed. Retries sources
    /// that could not be opened.
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

    /// Handles an update for the join of one source, on the polling thread.
    private func didReceive(_ update: ReceiverUpdate, from index: Int, join: Int) {
        let now = poller.now
        let (effects, run) = state.withLock {
            ($0.didReceive(update, from: index, join: join, at: now), $0.run(of: .all))
        }
        for effect in effects { carryOut(effect, ofRun: run) }
    }

    /// Carries out an effect, unless its run has been stopped.
    func carryOut(_ effect: LocationManagerState.Effect, ofRun run: UpdateRun) {
        switch effect {
        case .location(let location):
            let run = UpdateRun(locations: run.locations)
            if isCurrent(run) { proxy.send([location], of: self, run: run) }
        case .heading(let heading):
            let run = UpdateRun(headings: run.headings)
            if isCurrent(run) { proxy.send(heading, of: self, run: run) }
        case .integrity(let integrity):
            let run = UpdateRun(locations: run.locations)
            if isCurrent(run) { proxy.send(integrity, of: self, run: run) }
        case .failure(let error): if isCurrent(run) { proxy.send(error, of: self, run: run) }
        case .paused: if isCurrent(run) { proxy.sendPause(of: self, run: run) }
        case .resumed: if isCurrent(run) { proxy.sendResumption(of: self, run: run) }
        case .authorization: proxy.locationManagerDidChangeAuthorization(self)
        case .asked(let request, let location):
            if case .predicate(let accepts) = request.criterion, accepts(location) {
                request.promise.fulfill(location)
            }
        case .fulfilled(let request, let location): request.promise.fulfill(location)
        case .rejected(let request, let error): request.promise.reject(error)
        case .ended:
            proxy.base.complete()
            member.complete()
        }
    }
}
