// SPDX-License-Identifier: MIT
import GPSBridge
import SimulatedDevices
import Testing

@Test(.timeLimit(.minutes(10)))
func `a drive with a bad cable is followed to within 50 m`() async throws {
    var receiver = SimulatedReceiver.Configuration()
    receiver.personality = .ublox8
    // 2026-03-21 12:00. The first location may come later: a busy machine may lose bytes.
    let start = 1_774_094_400
    receiver.start = UTCTime(unixNanoseconds: Int64(start) * 1_000_000_000)
    receiver.faults = try FaultScript("5s: bad-checksums 30% for 10s")
    receiver.pace = .accelerated(by: 20)
    let manager = LocationManager(source: .simulated(receiver))
    let updates = manager.didUpdateLocations
    manager.startUpdatingLocation()
    for await location in updates.prefix(20).map({ $0[0] }) {
        let time = location.timestamp.timeIntervalSince1970
        let truth = receiver.trajectory.state(after: time - Double(start)).coordinate
        #expect(location.coordinate.distance(from: truth) < 50)
    }
}
