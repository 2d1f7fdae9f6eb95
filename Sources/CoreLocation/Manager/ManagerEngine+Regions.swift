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
        let identifier = region.identifier
        guard let circle = Self.circle(of: region) else { return reportState(.unknown, of: region) }
        // The request is stored before the state is read, so that a fix in between answers it.
        regions.ask(region, for: ObjectIdentifier(self))
        let circles = regions.circles
        let known = circles.state(of: identifier)
        guard known != .unknown else {
            return circles.add(circle, identifier: identifier, isTemporary: true)
        }
        let request = regions.takeRequest(identifier, of: ObjectIdentifier(self))
        if request != nil { reportState(known, of: region) }
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

    /// Reports a circle's change of state to the delegate. Called on `queue`.
    private func didChange(_ change: CircleMonitor.Change) {
        let monitored = regions.region(change.identifier)
        let asked = regions.takeRequest(change.identifier, of: ObjectIdentifier(self))
        let isCrossing = change.old != .unknown
        guard let region = monitored ?? asked, Self.circle(of: region) == change.circle else {
            return
        }
        deliver { manager, delegate in
            if isCrossing, change.new == .inside, region.notifyOnEntry {
                delegate.locationManager(manager, didEnterRegion: region)
            }
            if isCrossing, change.new == .outside, region.notifyOnExit {
                delegate.locationManager(manager, didExitRegion: region)
            }
            if isCrossing || asked != nil {
                delegate.locationManager(manager, didDetermineState: change.new, for: region)
            }
        }
    }
}
