// SPDX-License-Identifier: MIT
import GPSBridge
import GPSTestTraits
import SimulatedDevices
import Testing

/// Every way to write a source compiles, also if its kind is known only at run time.
@Suite(.timeLimit(.generous))
struct SourceChoiceTests {
    @Test(arguments: [true, false])
    func `both branches of a condition may be any kind of source`(_ isTest: Bool) {
        let sources: [any DeviceSource] = [
            isTest ? .tcp(host: "boat", port: 10110) : .simulated,
            isTest ? .simulated(SimulatedReceiver.Configuration()) : .serial("/dev/ttyUSB0"),
            isTest ? .any : .file("track.nmea", speed: 10),
        ]
        let names =
            isTest
            ? ["tcp://boat:10110", "simulated", "any receiver"]
            : ["simulated", "/dev/ttyUSB0", "track.nmea"]
        #expect(sources.map(\.name) == names)
        _ = LocationManager(source: isTest ? .tcp(host: "boat", port: 10110) : .simulated)
        _ = LocationManager(source: isTest ? sources[0] : .any)
        _ = LocationManager(sources: isTest ? [.any] : [.simulated, .standardInput])
        _ = Location.liveUpdates(source: isTest ? .simulated : .udp(port: 10110))
    }

    /// As in a function that accepts any kind of source.
    @Test func `a source in a generic function is accepted`() {
        func manager(_ source: some DeviceSource) -> LocationManager {
            LocationManager(source: source)
        }
        #expect(manager(.simulated).location == nil)
    }
}
