// SPDX-License-Identifier: MIT
import CoreLocation
import GPSTestSupport

/// A delegate that records its calls.
final class RecordingDelegate: NSObject, CLLocationManagerDelegate, Sendable {
    enum Call: Equatable {
        case locations([CLLocation])
        case failure(CLError)
        case authorization(CLAuthorizationStatus)
        case heading(Double)
        case started(String)
        case entered(String)
        case exited(String)
        case state(CLRegionState, String)
        case monitoringFailed(String?, CLError.Code?)
    }

    let calls = Witness<Call>()

    var locations: [CLLocation] {
        calls.all.flatMap { call -> [CLLocation] in
            if case .locations(let locations) = call { locations } else { [] }
        }
    }

    /// Waits for a number of locations.
    func locations(_ count: Int) async -> [CLLocation] {
        var seen = 0
        await calls.wait { call in
            if case .locations(let locations) = call { seen += locations.count }
            return seen >= count
        }
        return Array(locations.prefix(count))
    }

    /// Waits for the first failure.
    func failure() async -> CLError? {
        var error: CLError?
        await calls.wait { call in
            if case .failure(let failure) = call { error = failure }
            return error != nil
        }
        return error
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        calls.note(.locations(locations))
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        if let error = error as? CLError { calls.note(.failure(error)) }
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        calls.note(.authorization(manager.authorizationStatus))
    }

    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        calls.note(.heading(newHeading.trueHeading))
    }

    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        calls.note(.started(region.identifier))
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        calls.note(.entered(region.identifier))
    }

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        calls.note(.exited(region.identifier))
    }

    func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {
        calls.note(.state(state, region.identifier))
    }

    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    ) {
        calls.note(.monitoringFailed(region?.identifier, (error as? CLError)?.code))
    }
}

extension RecordingDelegate {
    /// Creates the delegate of a manager.
    convenience init(of manager: CLLocationManager) {
        self.init()
        manager.delegate = self
    }
}

extension ScriptedReceiver {
    /// A receiver, a manager that reads it, and its delegate.
    static func managed() throws -> (
        receiver: ScriptedReceiver, manager: CLLocationManager, delegate: RecordingDelegate
    ) {
        let receiver = try ScriptedReceiver()
        let manager = CLLocationManager(source: receiver.source)
        return (receiver, manager, RecordingDelegate(of: manager))
    }
}
