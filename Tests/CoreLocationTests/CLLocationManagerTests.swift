// SPDX-License-Identifier: MIT
import CoreLocation
import Dispatch
import GNSS
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Glibc
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct CLLocationManagerTests {
    @Test func `a delegate gets its authorization first, then every location in order`()
        async throws
    {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        _ = await delegate.calls.first(1)
        #expect(delegate.calls.all == [.authorization(.notDetermined)])
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<5 {
            await receiver.sendEpoch(second, latitude: 48.2 + Double(second) / 1000)
        }
        let locations = await delegate.locations(3)
        #expect(delegate.calls.all[1] == .authorization(.authorizedAlways))
        #expect(zip(locations, locations.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
        let location = try #require(locations.last)
        #expect(abs(location.speed - 5.144) < 0.001 && location.course == 90)
        #expect(location.ellipsoidalAltitude - location.altitude == 43)
        #expect(location.sourceInformation?.isProducedByAccessory == true)
        #expect(location.sourceInformation?.isSimulatedBySoftware == false)
        #expect(manager.location != nil && manager.authorizationStatus == .authorizedAlways)
    }

    private final class OldDelegate: NSObject, CLLocationManagerDelegate, Sendable {
        let pairs = Witness<[CLLocation]>()

        func locationManager(
            _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
            from oldLocation: CLLocation
        ) {
            pairs.note([oldLocation, newLocation])
        }
    }

    @Test func `a delegate with only the older method gets each location and the previous one`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let manager = CLLocationManager(source: receiver.source)
        let delegate = OldDelegate()
        manager.delegate = delegate
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<5 { await receiver.sendEpoch(second) }
        let pairs = await delegate.pairs.first(2)
        #expect(pairs[0][0] == pairs[0][1])
        #expect(pairs[1][0] == pairs[0][1] && pairs[1][0].timestamp < pairs[1][1].timestamp)
    }

    @Test func `significant changes are half a kilometre apart`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.startMonitoringSignificantLocationChanges()
        await receiver.waitForReader()
        for second in 0..<5 {
            await receiver.sendEpoch(second, latitude: 48.2 + 0.003 * Double(second))
        }
        let latitudes = await delegate.locations(2).map(\.coordinate.latitude)
        #expect(zip(latitudes, [48.2, 48.206]).allSatisfy { abs($0 - $1) < 1e-6 })
        manager.stopMonitoringSignificantLocationChanges()
        await receiver.waitUntilUnread()
        #expect(manager.location?.coordinate.latitude ?? 0 > 48.2)
        #expect(manager.authorizationStatus == .authorizedAlways)
        #expect(delegate.calls.all.contains(.authorization(.authorizedAlways)))
    }

    @Test func `a location is reported once to both kinds of updates`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.distanceFilter = 10
        manager.startMonitoringSignificantLocationChanges()
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        // 334 m per second: every second location is a significant change.
        for second in 0..<10 {
            await receiver.sendEpoch(second, latitude: 48.2 + 0.003 * Double(second))
        }
        // The second manager of the receiver may join later, so that it misses the first epochs.
        var locations: [CLLocation] = []
        await receiver.sendEpochs { locations = await delegate.locations(6) }
        #expect(Set(locations.map(\.timestamp)).count == locations.count)
    }

    @Test func `a failure is reported once to both kinds of updates`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.startMonitoringSignificantLocationChanges()
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        receiver.unplug()
        _ = await delegate.failure()
        // Calls of one queue arrive in order, so a second report would be here before this one.
        manager.stopUpdatingLocation()
        manager.stopMonitoringSignificantLocationChanges()
        manager.startMonitoring(for: CLRegion())
        await delegate.calls.wait { $0 == .monitoringFailed("", .regionMonitoringFailure) }
        let failures = delegate.calls.all.filter { if case .failure = $0 { true } else { false } }
        #expect(failures.count == 1)
    }

    private final class MainDelegate: NSObject, @MainActor CLLocationManagerDelegate {
        @MainActor var locations: [CLLocation] = []
        let seen = Witness<Int>()

        @MainActor func locationManager(
            _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
        ) {
            MainActor.preconditionIsolated()
            dispatchPrecondition(condition: .onQueue(.main))
            self.locations += locations
            seen.note(self.locations.count)
        }
    }

    @Test @MainActor func `a manager created on the main actor calls on the main queue`()
        async throws
    {
        var configuration = SimulatedReceiver.Configuration()
        configuration.rate = 50
        let manager = CLLocationManager(source: .simulated(configuration))
        let delegate = MainDelegate()
        manager.delegate = delegate
        manager.startUpdatingLocation()
        _ = await delegate.seen.first(3)
        #expect(
            delegate.locations.allSatisfy { $0.sourceInformation?.isSimulatedBySoftware == true })
        manager.stopUpdatingLocation()
    }

    /// A delegate whose first call waits. Each call notes the time of the program's last location.
    private final class SlowDelegate: NSObject, CLLocationManagerDelegate, Sendable {
        let gate = DispatchSemaphore(value: 0)
        let times = Witness<Date?>()

        func locationManager(_ manager: CLLocationManager, didUpdateLocations: [CLLocation]) {
            if times.all.isEmpty { gate.wait() }
            times.note(CLLocationManager().location?.timestamp)
        }
    }

    // In a separate process, because the configured receiver is that of the whole program.
    @Test func `a slow delegate does not replace the program's location by an older one`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            setenv("GPSBRIDGE_SOURCE", "simulated:rate=10", 1)
            let (slowManager, slow) = (CLLocationManager(), SlowDelegate())
            slowManager.delegate = slow
            slowManager.startUpdatingLocation()
            let manager = CLLocationManager()
            let delegate = RecordingDelegate(of: manager)
            manager.startUpdatingLocation()
            let newest = await delegate.locations(5)[4].timestamp
            manager.stopUpdatingLocation()
            slow.gate.signal()
            let times = await slow.times.first(2)
            slowManager.stopUpdatingLocation()
            precondition(times.allSatisfy { $0.map { $0 >= newest } == true })
        }
    }

    private final class QueueDelegate: NSObject, CLLocationManagerDelegate, Sendable {
        let key = DispatchSpecificKey<Int>()
        let values = Witness<Int?>()

        func locationManager(_ manager: CLLocationManager, didUpdateLocations: [CLLocation]) {
            values.note(DispatchQueue.getSpecific(key: key))
        }
    }

    @Test func `the delegate is called on a given queue`() async throws {
        let delegate = QueueDelegate()
        let queue = DispatchQueue(label: "test", attributes: .concurrent)
        queue.setSpecific(key: delegate.key, value: 42)
        let receiver = try ScriptedReceiver()
        let manager = CLLocationManager(source: receiver.source, queue: queue)
        manager.delegate = delegate
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        #expect(await delegate.values.first(1) == [42])
    }

    @Test func `the distance filter counts from the last location delivered`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.distanceFilter = 100
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        // 44 m per second: every third is more than 100 m from the last delivered location.
        for second in 0..<10 {
            await receiver.sendEpoch(second, latitude: 48.2 + Double(second) * 0.0004)
        }
        let locations = await delegate.locations(3)
        let distances = zip(locations, locations.dropFirst()).map { $0.distance(from: $1) }
        #expect(distances.allSatisfy { $0 > 130 && $0 < 137 })
        #expect(manager.distanceFilter == 100)
    }

    // Each in a separate process, because the configured receiver is that of the whole program.
    @Test func `a new manager has the last location that another manager received`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            setenv("GPSBRIDGE_SOURCE", "simulated:rate=50", 1)
            precondition(CLLocationManager().location == nil)
            let manager = CLLocationManager()
            let delegate = RecordingDelegate(of: manager)
            manager.startUpdatingLocation()
            await delegate.calls.wait { if case .locations = $0 { true } else { false } }
            manager.stopUpdatingLocation()
            let last = CLLocationManager().location
            precondition(last?.sourceInformation?.isSimulatedBySoftware == true)
            precondition(CLLocationManager(source: .sentences([])).location == nil)
        }
    }

    @Test func `a new manager has the last location that a loop received`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            // A single location, so that no newer one replaces it before it is compared.
            let folder = try TemporaryFolder()
            let path = try folder.file("track.nmea", ScriptedReceiver.epoch(0))
            setenv("GPSBRIDGE_SOURCE", path, 1)
            var isFound = false
            for try await update in CLLocationUpdate.liveUpdates() {
                guard let location = update.location else { continue }
                precondition(CLLocationManager().location == location)
                isFound = true
                break
            }
            precondition(isFound)
        }
    }

    @Test func `settings keep their assigned values`() {
        let manager = CLLocationManager(source: .sentences([]))
        #expect(manager.desiredAccuracy == kCLLocationAccuracyBest)
        #expect(manager.distanceFilter == kCLDistanceFilterNone && manager.headingFilter == 1)
        #expect(manager.activityType == .other && manager.pausesLocationUpdatesAutomatically)
        #expect(manager.accuracyAuthorization == .fullAccuracy && manager.heading == nil)
        manager.desiredAccuracy = kCLLocationAccuracyKilometer
        manager.allowsBackgroundLocationUpdates = true
        #expect(manager.desiredAccuracy == 1000 && manager.allowsBackgroundLocationUpdates)
    }

    @Test func `releasing a manager closes its receiver`() async throws {
        let receiver = try ScriptedReceiver()
        do {
            let manager = CLLocationManager(source: receiver.source)
            manager.startUpdatingLocation()
            manager.requestLocation()
            await receiver.waitForReader()
        }
        await receiver.waitUntilUnread()
        #expect(!receiver.hasReader)
    }

    @Test
    func `a lost receiver is reported as locationUnknown, and updates resume when it returns`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path("gps")
        let first = try ScriptedReceiver(link: path)
        let manager = CLLocationManager(source: first.source)
        let delegate = RecordingDelegate(of: manager)
        manager.startUpdatingLocation()
        await first.waitForReader()
        for second in 0..<3 { await first.sendEpoch(second) }
        _ = await delegate.locations(1)
        first.unplug()
        // On a busy machine, the receiver may be silent before it is unplugged.
        await delegate.calls.wait { call in
            guard case .failure(let error) = call else { return false }
            #expect(error.code == .locationUnknown)
            let cause = error.userInfo[NSUnderlyingErrorKey] as? LocationError
            return cause?.code == .deviceUnavailable
        }
        let count = delegate.locations.count
        let second = try ScriptedReceiver(link: path)
        await second.waitForReader()
        for number in 10..<14 { await second.sendEpoch(number) }
        _ = await delegate.locations(count + 1)
        #expect(manager.authorizationStatus == .authorizedAlways)
    }
}

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
