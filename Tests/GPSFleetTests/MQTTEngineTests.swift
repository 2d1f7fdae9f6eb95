// SPDX-License-Identifier: MIT
import GPSFleet
import GPSTestTraits
import Testing

/// The identity of MQTT clients.
@Suite(.timeLimit(.generous))
struct MQTTEngineTests {
    private func id(
        _ fleet: String, _ bridge: String, _ receivers: String..., format: String = "gpsbridge"
    ) throws -> String {
        let members = try receivers.map {
            try #require(MemberName(fleet: fleet, bridge: bridge, receiver: $0))
        }
        return MQTTEngine.clientID(of: members, format: format)
    }

    @Test func `clients that may be connected at the same time have different ids`() throws {
        let ids = [
            try id("buses", "b-7", "roof"), try id("buses-b", "7", "roof"),
            try id("buses", "b-7", "cab", "roof"),
            try id("buses", "b-7", "roof", format: "homeassistant"),
        ]
        #expect(Set(ids).count == ids.count)
    }

    @Test func `a client has the same id after a restart`() throws {
        #expect(try id("buses", "b-7", "roof", "cab") == "gpsbridge.buses.b-7.roof.gpsbridge")
    }
}
