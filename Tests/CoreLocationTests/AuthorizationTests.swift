// SPDX-License-Identifier: MIT
import CoreLocation
import GNSS
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct AuthorizationTests {
    /// A receiver without permission.
    private struct ForbiddenSource: DeviceSource {
        var name: String { "forbidden" }
        var origin: DataOrigin { .live }
        let identity = SourceIdentity.unique()

        func open() async throws(DeviceError) -> any DeviceConnection {
            throw DeviceError(
                .permissionDenied, device: name, errno: EACCES, detail: .group("dialout"))
        }

        func availability() -> (any DeviceAvailability)? { nil }
    }

    @Test func `a request is followed by one call with a determined status`() async throws {
        let manager = CLLocationManager(source: .serial("/dev/serial/by-id/nothing"))
        let delegate = RecordingDelegate(of: manager)
        _ = await delegate.calls.first(1)
        manager.requestWhenInUseAuthorization()
        manager.requestWhenInUseAuthorization()
        _ = await delegate.calls.first(2)
        // The next call is a different one.
        manager.startMonitoring(for: CLRegion())
        #expect(
            await delegate.calls.first(3) == [
                .authorization(.notDetermined), .authorization(.authorizedWhenInUse),
                .monitoringFailed("", .regionMonitoringFailure),
            ])
        #expect(manager.authorizationStatus == .authorizedWhenInUse)
    }

    @Test func `the status is known as soon as a request returns`() {
        let manager = CLLocationManager(source: .sentences([]))
        #expect(manager.authorizationStatus == .notDetermined)
        manager.requestWhenInUseAuthorization()
        #expect(manager.authorizationStatus == .authorizedWhenInUse)
    }

    @Test func `a request for when-in-use or always gives the requested authorization`()
        async throws
    {
        let manager = CLLocationManager(source: .serial("/dev/serial/by-id/nothing"))
        let delegate = RecordingDelegate(of: manager)
        _ = await delegate.calls.first(1)
        manager.requestWhenInUseAuthorization()
        #expect(await delegate.calls.first(2).last == .authorization(.authorizedWhenInUse))
        #expect(manager.authorizationStatus == .authorizedWhenInUse)
        // No change, therefore no call.
        manager.requestWhenInUseAuthorization()
        manager.requestAlwaysAuthorization()
        #expect(await delegate.calls.first(3).last == .authorization(.authorizedAlways))
        manager.requestWhenInUseAuthorization()
        manager.startMonitoring(for: CLRegion())
        #expect(
            await delegate.calls.first(4).last == .monitoringFailed("", .regionMonitoringFailure))
        #expect(manager.authorizationStatus == .authorizedAlways)
    }

    @Test func `a request after the start gives the requested authorization`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.startUpdatingLocation()
        await delegate.calls.wait { $0 == .authorization(.authorizedAlways) }
        manager.requestWhenInUseAuthorization()
        await delegate.calls.wait { $0 == .authorization(.authorizedWhenInUse) }
        manager.stopUpdatingLocation()
        await receiver.waitUntilUnread()
    }

    @Test func `a receiver without permission stays denied after every request`()
        async throws
    {
        let manager = CLLocationManager(source: ForbiddenSource())
        let delegate = RecordingDelegate(of: manager)
        manager.startUpdatingLocation()
        await delegate.calls.wait { $0 == .authorization(.denied) }
        manager.requestWhenInUseAuthorization()
        manager.requestAlwaysAuthorization()
        #expect(manager.authorizationStatus == .denied)
        manager.stopUpdatingLocation()
    }

    @Test func `a receiver without permission is denied, and the message has the remedy`()
        async throws
    {
        let manager = CLLocationManager(source: ForbiddenSource())
        let delegate = RecordingDelegate(of: manager)
        manager.startUpdatingLocation()
        let error = try #require(await delegate.failure())
        #expect(error.code == .denied && error.localizedDescription.contains("dialout"))
        #expect(delegate.calls.all.contains(.authorization(.denied)))
        manager.stopUpdatingLocation()
    }

    // Each in a separate process, because all managers of a program share this status.
    @Test func `a request is reported by all managers of the configured receiver`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            setenv("GPSBRIDGE_SOURCE", "simulated", 1)
            let manager = CLLocationManager()
            let delegate = RecordingDelegate(of: manager)
            _ = await delegate.calls.first(1)
            // This manager is released before the result is known.
            CLLocationManager().requestWhenInUseAuthorization()
            let first = await delegate.calls.first(2)
            precondition(
                first == [
                    .authorization(.notDetermined), .authorization(.authorizedWhenInUse),
                ])
            let session = CLServiceSession(authorization: .always)
            let last = await delegate.calls.first(3).last
            precondition(last == .authorization(.authorizedAlways))
            session.invalidate()
        }
    }

    @Test func `a location of a loop is evidence of the authorization`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            setenv("GPSBRIDGE_SOURCE", "simulated:rate=50", 1)
            let manager = CLLocationManager()
            let delegate = RecordingDelegate(of: manager)
            for try await update in CLLocationUpdate.liveUpdates() where update.location != nil {
                break
            }
            await delegate.calls.wait { $0 == .authorization(.authorizedAlways) }
        }
    }

    @Test func `a receiver that a loop has opened is evidence of the authorization before a fix`()
        async
    {
        await #expect(processExitsWith: .exitCode(0)) {
            let receiver = try ScriptedReceiver()
            setenv("GPSBRIDGE_SOURCE", receiver.path, 1)
            let manager = CLLocationManager()
            let delegate = RecordingDelegate(of: manager)
            let loop = Task { for try await _ in CLLocationUpdate.liveUpdates() {} }
            await delegate.calls.wait { $0 == .authorization(.authorizedAlways) }
            loop.cancel()
            withExtendedLifetime(receiver) {}
        }
    }

    @Test func `a session without permission reports the denial`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let folder = try TemporaryFolder()
            let path = try folder.file("track.nmea", [])
            chmod(path, 0)
            let isRoot = geteuid() == 0  // root may open everything
            if isRoot { precondition(seteuid(65_534) == 0) }
            defer { if isRoot { seteuid(0) } }
            setenv("GPSBRIDGE_SOURCE", path, 1)
            let session = CLServiceSession(authorization: .whenInUse)
            for try await diagnostic in session.diagnostics {
                precondition(diagnostic.authorizationDenied)
                precondition(!diagnostic.alwaysAuthorizationDenied)
                break
            }
            for try await diagnostic in CLServiceSession(authorization: .always).diagnostics {
                precondition(diagnostic.authorizationDenied)
                precondition(diagnostic.alwaysAuthorizationDenied)
                break
            }
        }
    }

    @Test func `a program that only monitors a region learns that permission is missing`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let receiver = try ScriptedReceiver()
            let tty = try #require(realpath(receiver.path, nil))
            chmod(tty, 0)
            setenv("GPSBRIDGE_SOURCE", String(cString: tty), 1)
            let isRoot = geteuid() == 0  // root may open everything
            if isRoot { precondition(seteuid(65_534) == 0) }
            defer { if isRoot { seteuid(0) } }
            let home = CLCircularRegion(
                center: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.36), radius: 200,
                identifier: "home")
            let manager = CLLocationManager()
            let delegate = RecordingDelegate(of: manager)
            manager.startMonitoring(for: home)
            await delegate.calls.wait { $0 == .authorization(.denied) }
            precondition(manager.authorizationStatus == .denied)
            manager.stopMonitoring(for: home)
        }
    }

    @Test func `a program that only monitors a region learns that a file may not be read`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let folder = try TemporaryFolder()
            let path = try folder.file("track.nmea", [])
            chmod(path, 0)
            let isRoot = geteuid() == 0  // root may open everything
            if isRoot { precondition(seteuid(65_534) == 0) }
            defer { if isRoot { seteuid(0) } }
            setenv("GPSBRIDGE_SOURCE", path, 1)
            let home = CLCircularRegion(
                center: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.36), radius: 200,
                identifier: "home")
            let manager = CLLocationManager()
            let delegate = RecordingDelegate(of: manager)
            manager.startMonitoring(for: home)
            await delegate.calls.wait { $0 == .authorization(.denied) }
            manager.stopMonitoring(for: home)
        }
    }

    @Test func `a refused request has a message with the remedy, and a later one is granted`()
        async throws
    {
        let result = try await #require(
            processExitsWith: .exitCode(0), observing: [\.standardErrorContent]
        ) {
            let receiver = try ScriptedReceiver()
            let tty = try #require(realpath(receiver.path, nil))
            chmod(tty, 0)
            setenv("GPSBRIDGE_SOURCE", String(cString: tty), 1)
            let isRoot = geteuid() == 0  // root may open everything
            if isRoot { precondition(seteuid(65_534) == 0) }
            let manager = CLLocationManager()
            let delegate = RecordingDelegate(of: manager)
            _ = await delegate.calls.first(1)
            for _ in 0..<2 {
                manager.requestWhenInUseAuthorization()
                precondition(manager.authorizationStatus == .denied)
            }
            _ = await delegate.calls.first(2)
            if isRoot { precondition(seteuid(0) == 0) }
            chmod(tty, 0o600)
            manager.requestWhenInUseAuthorization()
            precondition(manager.authorizationStatus == .authorizedWhenInUse)
            let calls = await delegate.calls.first(3)
            precondition(
                calls == [
                    .authorization(.notDetermined), .authorization(.denied),
                    .authorization(.authorizedWhenInUse),
                ])
            withExtendedLifetime(receiver) {}
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.ranges(of: "gpsbridge: You may not open /dev/pts/").count == 1)
    }

    @Test(.enabled(if: geteuid() != 0, "root may open everything"))
    func `a new delegate is informed of a permission that was given after a refused request`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", [])
        chmod(path, 0)
        let manager = CLLocationManager(source: .file(path))
        manager.requestAlwaysAuthorization()
        #expect(manager.authorizationStatus == .denied)
        chmod(path, 0o600)
        let delegate = RecordingDelegate(of: manager)
        // The request may still report its status to this delegate first.
        await delegate.calls.wait { $0 == .authorization(.authorizedAlways) }
    }

    private final class OldDelegate: NSObject, CLLocationManagerDelegate, Sendable {
        let statuses = Witness<CLAuthorizationStatus>()

        func locationManager(
            _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
        ) {
            statuses.note(status)
        }
    }

    @Test func `the older method is called if the newer one is missing`() async throws {
        let manager = CLLocationManager(source: .sentences([]))
        let delegate = OldDelegate()
        manager.delegate = delegate
        _ = await delegate.statuses.first(1)
        manager.requestAlwaysAuthorization()
        #expect(await delegate.statuses.first(2) == [.notDetermined, .authorizedAlways])
    }

    @Test(.enabled(if: geteuid() != 0, "root may open everything"))
    func `a request for a file without read permission is denied`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", [])
        chmod(path, 0)
        let manager = CLLocationManager(source: .file(path))
        let delegate = RecordingDelegate(of: manager)
        _ = await delegate.calls.first(1)
        manager.requestAlwaysAuthorization()
        #expect(await delegate.calls.first(2).last == .authorization(.denied))
    }
}
