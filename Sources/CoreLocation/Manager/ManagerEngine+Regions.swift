// SPDX-License-Identifier: MIT
import GPSBridge
import Synchronization

/// The regions that a manager monitors or whose state it determines.
struct RegionState: Sendable {
    /// The maximum number of monitored regions.
    static let maximumCount = 20
    /// The maximum radius of a region in metres.
    static let maximumRadius = 1_000_000.0

    var circles: CircleMonitor?
    var monitored: [String: CLRegion] = [:]
    /// The regions whose state was requested but is not known yet, by identifier.
    var asked: [String: CLRegion] = [:]
}

extension ManagerEngine {
    /// The engines that have monitored a region with the configured receiver.
    private static let monitoring = Mutex<[ObjectIdentifier: WeakEngine]>([:])

    private struct WeakEngine {
        weak var engine: ManagerEngine?
    }

    /// The engines whose regions belong together: this one or, without its own receiver, all of the
    /// program.
    private var monitoringEngines: [ManagerEngine] {
        hasOwnSource ? [self] : Self.monitoring.withLock { $0.values.compactMap(\.engine) }
    }

    private func beginMonitoring() {
        guard !hasOwnSource else { return }
        Self.monitoring.withLock { $0[ObjectIdentifier(self)] = WeakEngine(engine: self) }
    }

    func endMonitoring() {
        guard !hasOwnSource else { return }
        Self.monitoring.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) }
    }

    var monitoredRegions: Set<CLRegion> {
        Set(monitoringEngines.flatMap { $0.regions.withLock { $0.monitored }.values })
    }

    func startMonitoring(_ region: CLRegion) {
        guard let circle = Self.circle(of: region), insert(region) else {
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
        circles.add(circle, identifier: region.identifier)
    }

    func stopMonitoring(_ region: CLRegion) {
        for engine in monitoringEngines { engine.stopOwnMonitoring(region.identifier) }
    }

    private func stopOwnMonitoring(_ identifier: String) {
        let (circles, isAsked) = regions.withLock { state in
            state.monitored[identifier] = nil
            return (state.circles, state.asked[identifier] != nil)
        }
        if isAsked {
            circles?.removeWhenKnown(identifier)
        } else {
            circles?.remove(identifier)
        }
    }

    func requestState(of region: CLRegion) {
        let identifier = region.identifier
        guard let circle = Self.circle(of: region) else { return reportState(.unknown, of: region) }
        // The request is stored before the state is read, so that a fix in between answers it.
        regions.withLock { $0.asked[identifier] = region }
        let known = circles.state(of: identifier)
        guard known != .unknown else {
            return circles.add(circle, identifier: identifier, isTemporary: true)
        }
        let isPending = regions.withLock { $0.asked.removeValue(forKey: identifier) != nil }
        if isPending { reportState(known, of: region) }
    }

    private func reportState(_ state: CLRegionState, of region: CLRegion) {
        call { manager, delegate in
            delegate.locationManager(manager, didDetermineState: state, for: region)
        }
    }

    private static func circle(of region: CLRegion) -> Circle? {
        guard let region = region as? CLCircularRegion,
            CLLocationCoordinate2DIsValid(region.center), region.radius >= 0,
            region.radius <= RegionState.maximumRadius
        else { return nil }
        return Circle(center: region.center, radius: region.radius)
    }

    /// Adds a region, or replaces the region with the same identifier. Returns `false` if there are
    /// too many.
    private func insert(_ region: CLRegion) -> Bool {
        let identifier = region.identifier
        beginMonitoring()
        return regions.withLock { state in
            guard
                state.monitored[identifier] != nil
                    || state.monitored.count < RegionState.maximumCount
            else { return false }
            state.monitored[identifier] = region
            return true
        }
    }

    /// The circle monitor. It is created when it is first needed.
    private var circles: CircleMonitor {
        regions.withLock { state in
            if let circles = state.circles { return circles }
            let circles = CircleMonitor(source: ownSource, queue: queue) { [weak self] in
                self?.didChange($0)
            }
            state.circles = circles
            return circles
        }
    }

    /// Reports a circle's change of state to the delegate. Called on `queue`.
    private func didChange(_ change: CircleMonitor.Change) {
        let (monitored, asked) = regions.withLock { state in
            (
                state.monitored[change.identifier],
                state.asked.removeValue(forKey: change.identifier)
            )
        }
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
