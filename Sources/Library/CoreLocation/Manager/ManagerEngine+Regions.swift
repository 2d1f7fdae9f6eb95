// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import Synchronization

extension ManagerEngine {
    /// The event for state changes of the circles that managers of the configured receiver monitor.
    private static let circleChanges = Event<CircleMonitor.Change>()

    /// The regions that managers of the configured receiver monitor. As on Apple's systems, they
    /// belong to the program and not to a manager.
    static let sharedRegions = RegionStore(
        source: nil, queue: DispatchQueue(label: "CoreLocation.regions")
    ) { circleChanges.send($0) }

    /// The store of the monitored regions: the manager's own if it has its own receiver, otherwise
    /// the store that all other managers share.
    private var regions: RegionStore {
        guard hasOwnSource else { return Self.sharedRegions }
        return ownRegions.withLock { existing in
            if let existing { return existing }
            let regions = RegionStore(source: ownSource, queue: queue) { [weak self] in
                self?.didChange($0)
            }
            existing = regions
            return regions
        }
    }

    /// Starts to report state changes of the shared regions, including those that other managers
    /// monitor. Reports end when the result is released.
    func followSharedRegions() -> ScopedSubscription {
        Self.circleChanges.observe { [weak self] change in
            self?.queue.async { [weak self] in self?.didChange(change) }
        }.scoped
    }

    var monitoredRegions: Set<CLRegion> { regions.monitored }

    func startMonitoring(_ region: CLRegion) {
        guard let circle = Self.circle(of: region), regions.insert(region) else {
            call { manager, delegate in
                delegate.locationManager(
                    manager, monitoringDidFailFor: region,
                    withError: CLError(.regionMonitoringFailure))
            }
            return
        }
        call { manager, delegate in
            delegate.locationManager(manager, didStartMonitoringFor: region)
        }
        regions.circles.add(circle, identifier: region.identifier)
    }

    func stopMonitoring(_ region: CLRegion) { regions.remove(region.identifier) }

    func requestState(of region: CLRegion) {
        guard let circle = Self.circle(of: region) else { return reportState(.unknown, of: region) }
        let request = CircleMonitor.Request(
            identifier: region.identifier, circle: circle, requester: ObjectIdentifier(self))
        // The request is stored before the state is read, so that a fix in between answers it.
        regions.store(request, for: region)
        let known = regions.circles.state(for: request)
        guard known != .unknown, let region = regions.take(request) else { return }
        reportState(known, of: region)
    }

    private func reportState(_ state: CLRegionState, of region: CLRegion) {
        call { manager, delegate in
            delegate.locationManager(manager, didDetermineState: state, for: region)
        }
    }

    private static func circle(of region: CLRegion) -> Circle? {
        guard let region = region as? CLCircularRegion,
            CLLocationCoordinate2DIsValid(region.center), region.radius >= 0,
            region.radius <= RegionStore.maximumRadius
        else { return nil }
        return Circle(center: region.center, radius: region.radius)
    }

    /// Reports the answer to a request of this engine, or the crossing of a monitored circle, to the
    /// delegate. Called on `queue`.
    private func didChange(_ change: CircleMonitor.Change) {
        if let request = change.request {
            guard request.requester == ObjectIdentifier(self), let region = regions.take(request)
            else { return }
            deliver { manager, delegate in
                delegate.locationManager(manager, didDetermineState: change.new, for: region)
            }
            return
        }
        guard change.old != .unknown, let region = regions.region(change.identifier),
            Self.circle(of: region) == change.circle
        else { return }
        deliver { manager, delegate in
            if change.new == .inside, region.notifyOnEntry {
                delegate.locationManager(manager, didEnterRegion: region)
            }
            if change.new == .outside, region.notifyOnExit {
                delegate.locationManager(manager, didExitRegion: region)
            }
            delegate.locationManager(manager, didDetermineState: change.new, for: region)
        }
    }
}
