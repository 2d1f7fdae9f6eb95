// SPDX-License-Identifier: MIT
public import Delegation
public import Devices
public import Dispatch
import Synchronization

/// Tells where a receiver is: to a delegate, to any number of streams, and to who asks once.
///
/// Managers of the same receiver share one open device, which is closed when the last of them has
/// stopped. A receiver that is not there, or goes away, is waited for. A manager whose source has
/// come to an end, as a recording does, is over: its streams finish.
///
/// The CoreLocation counterpart is `CLLocationManager`.
public final class LocationManager: HasRoutedDelegate, HasEvents, Sendable {
    /// Where this manager's proxy is kept.
    public let proxyStorage = ProxyStorage()
    /// Where this manager's delegate is kept.
    public let delegateSlot = DelegateSlot<any LocationManagerDelegate>()

    /// Delegate calls on their way to the manager's queue: a bounded number of them.
    let deliveries: DeliveryQueue
    let distanceFilterChanges = Event<Double>()
    let desiredAccuracyChanges = Event<Double>()
    let state: Mutex<LocationManagerState>

    /// Makes a manager; nothing is opened before it is started or asked.
    ///
    /// The delegate is called on `queue`, or on a queue of the manager's own. A concurrent queue is
    /// fine too: calls never overlap.
    public convenience init(source: some DeviceSource, queue: DispatchQueue? = nil) {
        self.init(sources: [source], queue: queue)
    }

    /// Makes a manager of several receivers; `sourceInformation.source` of a location says which one it
    /// comes from.
    ///
    /// `distanceFilter` holds for each of them. Updates are paused when the last one that was open is
    /// lost, and resumed when the first is back; the loss of any is told by `didFailWithError`. A
    /// manager is over when all its sources have come to an end.
    public init(sources: [any DeviceSource], queue: DispatchQueue? = nil) {
        deliveries = DeliveryQueue(on: queue ?? DispatchQueue(label: "gpsbridge.delegate"))
        state = Mutex(LocationManagerState(sources: sources))
        _ = proxy
    }

    /// Makes a manager of the first receiver that is plugged in, or will be.
    public convenience init(queue: DispatchQueue? = nil) {
        self.init(source: .any, queue: queue)
    }

    /// The proxy through which every delegate call goes.
    public var proxy: LocationManagerProxy { LocationManagerProxy.proxy(for: self) }

    // MARK: Delegate

    /// Who is called; held weakly. Assigning it, at any time, changes nothing for the streams.
    public var delegate: (any LocationManagerDelegate)? {
        get { delegateSlot.delegate }
        set {
            delegateSlot.delegate = newValue
            if let newValue { tellAuthorization(to: newValue) }
        }
    }

    /// Adds a delegate beside `delegate`: held weakly, and called after it. One that is added already
    /// keeps its place.
    public func addDelegate(_ delegate: any LocationManagerDelegate) {
        proxy.addDelegate(delegate)
        tellAuthorization(to: delegate)
    }

    /// Takes away a delegate that was added.
    public func removeDelegate(_ delegate: any LocationManagerDelegate) {
        proxy.removeDelegate(delegate)
    }

    /// What every delegate is told first, as in CoreLocation.
    private func tellAuthorization(to delegate: any LocationManagerDelegate) {
        let newcomer = MulticastDelegate<any LocationManagerDelegate>()
        newcomer.add(delegate)
        deliveries.enqueue(essential: true) { [weak self] in
            guard let self else { return }
            newcomer.forEach { $0.locationManagerDidChangeAuthorization(self) }
        }
    }

    /// How many delegate calls were dropped because the delegate was too slow.
    public var droppedDelegateCalls: Int { deliveries.droppedCount }

    // MARK: Updates

    /// Starts updates; returns at once. Starting again does nothing.
    ///
    /// The first location comes with the first fix, further ones whenever `distanceFilter` is
    /// exceeded.
    public func startUpdatingLocation() {
        state.withLock { $0.startUpdating() }
        attach()
    }

    /// Stops updates, and a pending `requestLocationUpdate()`.
    public func stopUpdatingLocation() {
        let released = state.withLock { $0.stopUpdating() }
        withExtendedLifetime(released) {}
    }

    /// The last valid location; look at its timestamp.
    public var location: Location? { state.withLock { $0.location } }

    /// Metres to move before the next location is told; `distanceFilterNone` for every fix.
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

    /// Every movement; the CoreLocation counterpart is `kCLDistanceFilterNone`.
    public static let distanceFilterNone = -1.0
    /// The best there is; the CoreLocation counterpart is `kCLLocationAccuracyBest`.
    public static let accuracyBest = -1.0

    // MARK: The receiver

    /// Listens to the receiver while somebody wants to know.
    func attach() {
        guard let sources = state.withLock({ $0.sourcesToAttach() }) else { return }
        let subscriptions = sources.enumerated().map { index, source in
            ReceiverPool.shared.session(for: source).join { [weak self] in
                self?.receive($0, from: index)
            }
        }
        let surplus = state.withLock { $0.attached(subscriptions) }
        withExtendedLifetime(surplus) {}
    }

    /// Takes what a session tells, on the polling thread.
    private func receive(_ update: ReceiverUpdate, from index: Int) {
        let events = state.withLock { $0.receive(update, from: index) }
        for event in events { tell(event) }
    }

    func tell(_ event: LocationManagerState.Event) {
        guard let sink = delegateSlot.sink else { return }
        switch event {
        case .location(let location): sink.locationManager(self, didUpdateLocations: [location])
        case .failure(let error): sink.locationManager(self, didFailWithError: error)
        case .authorization: sink.locationManagerDidChangeAuthorization(self)
        case .paused: sink.locationManagerDidPauseLocationUpdates(self)
        case .resumed: sink.locationManagerDidResumeLocationUpdates(self)
        case .asked(let request, let location):
            if case .predicate(let accepts) = request.criterion, accepts(location) {
                request.promise.fulfil(location)
            }
        case .fulfilled(let request, let location): request.promise.fulfil(location)
        case .rejected(let request, let error): request.promise.reject(error)
        case .ended: proxy.base.complete()
        }
    }
}
