// SPDX-License-Identifier: MIT
import CoreLocation
import GPSTestSupport
import Glibc
import Testing

/// Requests for the state of a region.
@Suite(.timeLimit(.generous))
struct RegionStateTests {
    private let home = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.36), radius: 200,
        identifier: "home")
    /// Another circle with the same identifier.
    private let otherHome = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: 48.3, longitude: 16.36), radius: 200,
        identifier: "home")

    private final class StateDelegate: NSObject, CLLocationManagerDelegate, Sendable {
        struct Answer: Equatable {
            let state: CLRegionState
            let latitude: Double?
        }

        let answers = Witness<Answer>()

        func locationManager(
            _ manager: CLLocationManager, didDetermineState state: CLRegionState,
            for region: CLRegion
        ) {
            let latitude = (region as? CLCircularRegion)?.center.latitude
            answers.note(Answer(state: state, latitude: latitude))
        }
    }

    @Test func `a requested state is reported with the first fix`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.requestState(for: home)
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        await delegate.calls.wait { $0 == .state(.inside, "home") }
        await receiver.waitUntilUnread()
        #expect(manager.monitoredRegions.isEmpty)
    }

    @Test func `a requested state is not that of a monitored circle with the same identifier`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let manager = CLLocationManager(source: receiver.source)
        let delegate = StateDelegate()
        manager.delegate = delegate
        manager.startMonitoring(for: home)
        manager.requestState(for: home)
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        #expect(await delegate.answers.first(1) == [.init(state: .inside, latitude: 48.2)])
        manager.requestState(for: otherHome)
        for second in 3..<6 { await receiver.sendEpoch(second) }
        #expect(await delegate.answers.first(2)[1] == .init(state: .outside, latitude: 48.3))
    }

    @Test func `two circles with the same identifier each have their own answer`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = CLLocationManager(source: receiver.source)
        let delegate = StateDelegate()
        manager.delegate = delegate
        manager.requestState(for: home)
        manager.requestState(for: otherHome)
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        await receiver.waitUntilUnread()
        #expect(
            await delegate.answers.first(2) == [
                .init(state: .outside, latitude: 48.3), .init(state: .inside, latitude: 48.2),
            ])
    }

    @Test func `a requested state is reported although monitoring stops`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.startMonitoring(for: home)
        manager.requestState(for: home)
        manager.stopMonitoring(for: home)
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        await delegate.calls.wait { $0 == .state(.inside, "home") }
        await receiver.waitUntilUnread()
    }

    // In a separate process, because the configured receiver is that of the whole program.
    @Test func `a released manager's request does not keep the receiver open`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let receiver = try ScriptedReceiver()
            setenv("GPSBRIDGE_SOURCE", receiver.path, 1)
            var manager: CLLocationManager? = CLLocationManager()
            manager?.requestState(
                for: CLCircularRegion(
                    center: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.36), radius: 200,
                    identifier: "home"))
            await receiver.waitForReader()
            manager = nil
            await receiver.waitUntilUnread()
        }
    }
}
