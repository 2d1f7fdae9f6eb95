// SPDX-License-Identifier: MIT
public import Delegation
public import Dispatch
import GPSIO
public import GPSReceivers
import Synchronization

/// Reports where a receiver is: to delegates, to any number of streams, and in reply to a request.
///
/// Managers of the same receiver share one open device, which is closed when the last of them has
/// stopped. A receiver that is not there, or goes away, is waited for. A file that cannot be opened, or a
/// simulated receiver, is not waited for: `didFailWithError` reports why, and each start and each request
/// tries again. A manager whose source has come to an end, as a recording does, is over: its streams finish.
///
/// The CoreLocation counterpart is `CLLocationManager`.
public final class LocationManager: HasRoutedDelegate, HasEvents, Sendable {
    /// Where this manager's proxy is kept.
    public let proxyStorage = ProxyStorage()
    /// Where this manager's delegate is kept.
    public let delegateSlot = DelegateSlot<any LocationManagerDelegate>()

    /// Delegate calls on their way to the manager's queue: a bounded number of them.
    let deliveries: DeliveryQueue
    /// Of these, the calls that wait for delegates on the main actor.
    let mainDeliveries: DeliveryQueue
    /// The manager's part in its sessions: sentences and rejections; its `flow` pauses sources that can wait.
    let member: SessionMember
    let distanceFilterChanges = Event<Double>()
    let desiredAccuracyChanges = Event<Double>()
    let headingFilterChanges = Event<Double>()
    let state: Mutex<LocationManagerState>
    /// Set once: looking for it at each call takes longer than the call.
    private let installedProxy = Mutex<LocationManagerProxy?>(nil)
    private let pool: ReceiverPool
    /// The thread that reads the receivers, and its clock.
    var poller: Poller { pool.poller }

    /// Creates a manager; nothing is opened before it is started or asked.
    ///
    /// The delegate is called on `queue`, or on a queue of the manager's own; one on the main actor
    /// is always called on the main queue. A concurrent queue is fine too: calls never overlap.
    public convenience init(source: any DeviceSource, queue: DispatchQueue? = nil) {
        self.init(sources: [source], queue: queue)
    }

    /// Creates a manager of several receivers; `sourceInformation.source` of a location says which one
    /// it comes from.
    ///
    /// `distanceFilter` holds for each of them. Updates are paused when the last one that was open is
    /// lost, and resumed when the first is back; the loss of any is reported by `didFailWithError`. A
    /// manager is over when all its sources have come to an end.
    public convenience init(sources: [any DeviceSource], queue: DispatchQueue? = nil) {
        self.init(sources: sources, queue: queue, member: SessionMember())
    }

    /// Creates a manager whose delegate is called by an executor.
    ///
    /// With `.immediate` it is called on the thread that causes the call: mostly the one that reads the
    /// receivers, behind streams and observers; and the one that assigns the delegate or starts updates, with
    /// the present state. It must return at once, since no receiver of the process is read until it does, and
    /// must not take a lock that those threads hold.
    public convenience init(sources: [any DeviceSource], executor: some CallbackExecutor) {
        self.init(sources: sources, executor: executor, member: SessionMember())
    }

    /// Creates a manager whose sources wait for unread streams as long as `member` says.
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
        // With room for what the other queue still holds when a source begins to wait.
        mainDeliveries = DeliveryQueue(
            on: DispatchQueue.main, buffering: .newest(512), flow: member.flow)
        state = Mutex(LocationManagerState(sources: sources))
        let proxy = proxy
        installedProxy.withLock { $0 = proxy }
    }

    /// Creates a manager of the first receiver that is plugged in, or will be.
    public convenience init(queue: DispatchQueue? = nil) {
        self.init(source: .any, queue: queue)
    }

    /// The proxy through which every delegate call goes.
    public var proxy: LocationManagerProxy {
        installedProxy.withLock { $0 } ?? LocationManagerProxy.proxy(for: self)
    }

    // MARK: Delegate

    /// The delegate, held weakly. Assigning it, at any time, changes nothing for the streams.
    public var delegate: (any LocationManagerDelegate)? {
        get { delegateSlot.delegate }
        set {
            delegateSlot.delegate = newValue
            // Puts the proxy back where a program has taken it away.
            _ = LocationManagerProxy.proxy(for: self)
            if let newValue { reportAuthorization(to: newValue) }
        }
    }

    /// The first call of every delegate, as in CoreLocation.
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

    /// The number of delegate calls that were dropped because the delegate was too slow.
    public var droppedDelegateCalls: Int {
        deliveries.droppedCount + mainDeliveries.droppedCount
    }

    // MARK: Updates

    /// Starts updates; returns at once. Starting again opens a source that could not be opened, and
    /// does nothing else.
    ///
    /// The first location comes with the first fix, further ones whenever `distanceFilter` is
    /// exceeded.
    public func startUpdatingLocation() {
        let (effects, run) = state.withLock { ($0.startUpdating(), $0.run(of: .all)) }
        for effect in effects { carryOut(effect, ofRun: run) }
        attach()
    }

    /// Stops updates.
    ///
    /// When this has returned, no delegate call of these updates begins any more; one that is under
    /// way on another thread may still be finishing. A stream that is read on gets what it has
    /// buffered, and then waits for the next start; it ends with its task or with the manager.
    public func stopUpdatingLocation() {
        let released = state.withLock { $0.stopUpdating() }
        withExtendedLifetime(released) {}
    }

    /// The last valid location; look at its timestamp.
    public var location: Location? { state.withLock { $0.location } }

    /// Metres to move before the next location is sent; `distanceFilterNone` for every fix.
    public var distanceFilter: Double {
        get { state.withLock { $0.distanceFilter } }
        set {
            state.withLock { $0.distanceFilter = newValue }
            distanceFilterChanges.send(newValue)
        }
    }

    /// Metres that `requestLocation` waits for where positive; negative takes any valid fix.
    public var desiredAccuracy: Double {
        get { state.withLock { $0.desiredAccuracy } }
        set {
            state.withLock { $0.desiredAccuracy = newValue }
            desiredAccuracyChanges.send(newValue)
        }
    }

    /// Whether the receiver may be read.
    public var authorizationStatus: AuthorizationStatus {
        state.withLock { $0.authorizationStatus }
    }

    // MARK: The receiver

    /// Joins the sessions of the sources, unless that is done or not needed; again of those that could not be opened.
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

    /// Handles an update that the join of one source is sent, on the polling thread.
    private func didReceive(_ update: ReceiverUpdate, from index: Int, join: Int) {
        let now = poller.now
        let (effects, run) = state.withLock {
            ($0.didReceive(update, from: index, join: join, at: now), $0.run(of: .all))
        }
        for effect in effects { carryOut(effect, ofRun: run) }
    }

    /// Performs an effect, unless it belongs to a run that has ended.
    func carryOut(_ effect: LocationManagerState.Effect, ofRun run: UpdateRun) {
        switch effect {
        case .location(let location):
            let run = UpdateRun(locations: run.locations)
            if isCurrent(run) { proxy.send([location], of: self, run: run) }
        case .heading(let heading):
            let run = UpdateRun(headings: run.headings)
            if isCurrent(run) { proxy.send(heading, of: self, run: run) }
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
