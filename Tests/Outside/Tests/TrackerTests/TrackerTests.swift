// SPDX-License-Identifier: MIT
import GPSBridge
import SimulatedDevices
import Testing

@Test(.timeLimit(.minutes(10)))
func `a drive with a bad cable is followed to within 50 m`() async throws {
    var receiver = SimulatedReceiver.Configuration()
    receiver.personality = .ublox8
    receiver.faults = try FaultScript("5s: bad-checksums 30% for 10s")
    receiver.pace = .accelerated(by: 20)
    let manager = LocationManager(source: .simulated(receiver))
    // Before the start, so that the first location is the start of the drive.
    let updates = manager.didUpdateLocations
    manager.startUpdatingLocation()
    var start: Double?
    for await location in updates.prefix(20).map({ $0[0] }) {
        let time = location.timestamp.timeIntervalSince1970
        start = start ?? time
        let truth = receiver.trajectory.state(after: time - (start ?? time)).coordinate
        #expect(location.coordinate.distance(from: truth) < 50)
    }
}
