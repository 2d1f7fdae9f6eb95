// SPDX-License-Identifier: MIT
import CoreLocation
import GPSReceivers
import GPSTestSupport
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct ReceiverConfigurationTests {
    private func configuration(
        _ environment: [String: String], _ files: [String: String] = [:]
    ) -> ConfiguredSource {
        ConfiguredSource(environment: environment) { files[$0] }
    }

    private let files = [
        "/home/me/.config/gpsbridge/gpsbridge.conf": "# mine\n\n source = tcp://boat:10110 \n",
        "/etc/gpsbridge/gpsbridge.conf": "source=/dev/ttyACM0\n",
    ]

    @Test func `the environment precedes the user's file, which precedes the system's`() {
        let home = ["HOME": "/home/me"]
        let all = home.merging(["GPSBRIDGE_SOURCE": "simulated"]) { $1 }
        #expect(configuration(all, files).source == "simulated")
        #expect(configuration(home, files).source == "tcp://boat:10110")
        #expect(configuration(home, files).origin == "/home/me/.config/gpsbridge/gpsbridge.conf")
        #expect(configuration(["HOME": "/home/you"], files).source == "/dev/ttyACM0")
        #expect(configuration(home, [:]) == configuration([:], [:]))
        #expect(configuration([:], [:]).source == nil)
    }

    @Test func `the configuration folder can be changed`() {
        let environment = ["HOME": "/home/me", "XDG_CONFIG_HOME": "/conf"]
        let files = ["/conf/gpsbridge/gpsbridge.conf": "source = serial:0001"]
        #expect(configuration(environment, files).source == "serial:0001")
        #expect(
            configuration(["HOME": "/home/me", "XDG_CONFIG_HOME": "conf"], self.files).source != nil
        )
    }

    @Test func `lines may end with CR LF`() {
        let files = ["/etc/gpsbridge/gpsbridge.conf": "# mine\r\n\r\nsource = /dev/ttyUSB7\r\n"]
        #expect(configuration([:], files).source == "/dev/ttyUSB7")
    }

    @Test func `an invalid line is a problem, and no other receiver is used instead`() {
        let file = "/etc/gpsbridge/gpsbridge.conf"
        let wrong = configuration([:], [file: "source = a\nreceiver = b\n"])
        #expect(wrong.problem == "line 2 is not `source = SOURCE`" && wrong.source == nil)
        var reports: [String] = []
        let source = wrong.deviceSource { reports.append($0) }
        #expect(source.name == file && reports == ["\(file): line 2 is not `source = SOURCE`"])
    }

    @Test func `sources are written as on the command line`() {
        func source(_ text: String) -> any DeviceSource {
            configuration(["GPSBRIDGE_SOURCE": text]).deviceSource { Issue.record("\($0)") }
        }
        #expect(configuration([:]).deviceSource { _ in } is FirstReceiverSource)
        #expect(source("serial:0001") is USBSerialNumberSource)
        #expect(source("tcp://boat:10110") is TCPSource)
        let simulated = source("simulated:ublox8,rate=10,seed=7") as? SimulatedSource
        #expect(simulated?.configuration.seed == 7 && simulated?.configuration.rate == 10)
        // A missing tty is waited for.
        #expect(source("/dev/ttyNOTHING0") is SerialSource)
    }

    @Test func `all managers share one replay of a configured recording`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", [])
        let environment = ["GPSBRIDGE_SOURCE": path]
        let source = configuration(environment).deviceSource { Issue.record("\($0)") }
        #expect(source is FileSource && source.identity == source.identity)
        #expect(FileSource(path).identity != FileSource(path).identity)
        withExtendedLifetime(folder) {}
    }

    @Test func `an invalid source is reported`() {
        var reports: [String] = []
        let source = configuration(["GPSBRIDGE_SOURCE": "simulated:speed=fast"])
            .deviceSource { reports.append($0) }
        #expect(reports.count == 1 && reports[0].hasPrefix("GPSBRIDGE_SOURCE: speed 'fast'"))
        #expect(!(source is FirstReceiverSource))
    }

    @Test func `the error for an invalid configuration has the reported reason`() async {
        let file = "/etc/gpsbridge/gpsbridge.conf"
        for invalid in [
            configuration(["GPSBRIDGE_SOURCE": "simulated:ublox8,sky=89"]),
            configuration([:], [file: "sorce = /dev/ttyUSB0\n"]),
        ] {
            var reports: [String] = []
            let source = invalid.deviceSource { reports.append("\($0).") }
            let manager = CLLocationManager(source: source)
            let delegate = RecordingDelegate(of: manager)
            manager.startUpdatingLocation()
            let error = await delegate.failure()
            #expect(error?.code == .locationUnknown)
            #expect(reports == error.map { [$0.localizedDescription] })
            manager.stopUpdatingLocation()
        }
    }
}
