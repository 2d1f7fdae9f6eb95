// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSTestSupport
import Testing

/// Messages for other programs.
@Suite(.timeLimit(.generous))
struct MessageFormatTests {
    private func text(_ message: EngineMessage?) -> String? {
        message.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test func `OwnTracks messages have whole seconds, metres and kilometres per hour`() throws {
        let message = try #require(OwnTracksFormat().message(try FixBatch.sample()))
        #expect(message.destination == "owntracks/b-7/roof" && message.isRetained)
        let location = try #require(text(message)).prefix { $0 != "}" }
        #expect(
            location.hasPrefix(
                """
                {"_type":"location","tid":"of","tst":1795000000,"lat":48.2081732,"lon":16.3738430,\
                "alt":171,"acc":1,"vel":36,"cog":84
                """))
        #expect(OwnTracksFormat().message(try FixBatch.sample { $0.time = nil }) == nil)
        let simulated = self.text(OwnTracksFormat().message(try FixBatch.sample(.simulated)))
        #expect(simulated?.contains(#""origin":"simulated""#) == true)
        let presence = OwnTracksFormat().presence(of: [try FixBatch.sample().member])
        #expect(presence?.topic == "owntracks/b-7/roof" && presence?.online == nil)
        #expect(presence?.offline.hasPrefix(#"{"_type":"lwt","tst":"#) == true)
        // The broker keeps the last location.
        #expect(presence?.isRetained == false)
    }

    @Test func `Home Assistant gets positions with accuracy, and a loss as availability`()
        throws
    {
        let format = HomeAssistantFormat()
        let message = try #require(format.message(try FixBatch.sample()))
        #expect(message.destination == "gps/buses/b-7/roof/attributes")
        #expect(
            text(message) == """
                {"latitude":48.2081732,"longitude":16.3738430,"gps_accuracy":1.2,"altitude":171.4,\
                "speed":10.10,"course":84.2,"satellites":11,"time":"2026-11-18T11:06:40.400Z",\
                "origin":"live"}
                """)
        let lost = format.message(
            try FixBatch.sample {
                $0.coordinate = nil
                $0.mode = .noFix
            })
        #expect(lost?.destination == "gps/buses/b-7/roof/status" && text(lost) == "offline")
        let back = format.additionalMessages(try FixBatch.sample())
        #expect(back.map(\.destination) == ["gps/buses/b-7/roof/status"])
        #expect(back.map { text($0) } == ["online"])
    }

    @Test func `Home Assistant gets the integrity without a fix, too`() throws {
        let format = HomeAssistantFormat()
        let lost = try FixBatch.sample {
            $0.coordinate = nil
            $0.mode = .noFix
            $0.integrity = Integrity(state: .alarm)
        }
        let messages = format.additionalMessages(lost)
        #expect(messages.map(\.destination) == ["gps/buses/b-7/roof/integrity"])
        #expect(messages.map { text($0) } == ["alarm"])
        let problem = try #require(
            format.announcement(of: lost).first { $0.destination.contains("binary_sensor") })
        let configuration = try #require(text(problem))
        #expect(configuration.contains(#""availability":[{"topic":"gps/buses/b-7/status"}]"#))
        #expect(configuration.contains(#""state_topic":"gps/buses/b-7/roof/integrity""#))
        #expect(configuration.contains(#""device_class":"problem""#))
    }

    @Test func `Home Assistant keeps no integrity and no vote of a receiver that is gone`() throws {
        let format = HomeAssistantFormat()
        var lost = try FixBatch.sample()
        lost.rows = [FixRow(Fix(), received: 5)]
        let messages = format.additionalMessages(lost)
        #expect(messages.map(\.destination) == ["gps/buses/b-7/roof/integrity"])
        #expect(messages.map { text($0) } == ["unknown"])
        #expect(messages.first?.isRetained == true)
        lost.member = try #require(MemberName(fleet: "buses", bridge: "b-7", receiver: "vote"))
        let states = format.additionalMessages(lost)
        #expect(states.last?.destination == "gps/buses/b-7/vote/vote")
        #expect(states.map { text($0) } == ["unknown", "none"])
    }

    @Test func `Home Assistant gets the state and radius of a vote, and sensors for them`() throws {
        let format = HomeAssistantFormat()
        let batch = try FixBatch.sample {
            $0.vote = Vote(state: .agreed, winner: "bow", witnesses: ["aft"], radius: 2.5)
        }
        let attributes = try #require(text(format.message(batch)))
        #expect(
            attributes.hasSuffix(#","vote":"agreed","vote_witnesses":1,"vote_radius":2.5}"#))
        let states = format.additionalMessages(batch)
        #expect(states.last?.destination == "gps/buses/b-7/roof/vote")
        #expect(text(states.last) == "agreed")
        let announced = format.announcement(of: batch)
        let sensor = try #require(
            text(announced.first { $0.destination.hasSuffix("_vote/config") }))
        #expect(sensor.contains(#""state_topic":"gps/buses/b-7/roof/vote""#))
        #expect(!sensor.contains("unit_of_measurement") && !sensor.contains("state_class"))
        #expect(sensor.contains(#""availability":[{"topic":"gps/buses/b-7/status"}]"#))
        let radius = try #require(
            text(announced.first { $0.destination.hasSuffix("_vote_radius/config") }))
        #expect(radius.contains(#""name":"Vote radius""#))
        #expect(radius.contains("{{ value_json.vote_radius | default(none) }}"))
    }

    @Test
    func `Home Assistant gets the anchor watch as a problem, and a sensor for each instrument`()
        throws
    {
        var watch = AnchorWatch(AnchorCircle(radius: 30))
        watch.didLosePosition("the receiver is gone", time: nil)
        var fix = Fix()
        fix.coordinate = Coordinate(latitude: 48, longitude: 16)
        fix.instruments[.depth] = 3.42
        fix.instruments[.waterTemperature] = 11.5
        fix.instruments[.apparentWindSpeed] = 7.25
        var batch = try FixBatch.sample()
        batch.rows = [FixRow(fix, received: 5, anchor: watch.state)]
        let format = HomeAssistantFormat()
        let attributes = try #require(text(format.message(batch)))
        #expect(attributes.contains(#""anchor":"lost","depth":3.42,"water_temperature":11.5,"#))
        #expect(!attributes.contains("rudder") && !attributes.contains("anchor_distance"))
        let state = format.additionalMessages(batch).last
        #expect(state?.destination == "gps/buses/b-7/roof/anchor" && text(state) == "lost")
        let announced = format.announcement(of: batch)
        func configuration(_ name: String) -> String? {
            text(announced.first { $0.destination.hasSuffix("roof_\(name)/config") })
        }
        let anchor = try #require(configuration("anchor"))
        #expect(anchor.contains("'ON' if value in ['drag', 'lost']"))
        #expect(anchor.contains(#""device_class":"problem""#))
        let wind = try #require(configuration("apparent_wind_speed"))
        #expect(wind.contains(#""name":"Apparent wind speed""#))
        #expect(wind.contains(#""unit_of_measurement":"m/s","device_class":"wind_speed""#))
        #expect(configuration("water_temperature")?.contains(#""\u00b0C""#) == true)
        #expect(configuration("rudder") == nil && configuration("vote") == nil)
        let tpv = try #require(text(GPSDMessageFormat().message(batch)))
        #expect(tpv.hasSuffix(#","anchor":{"state":"lost"}}"#) && tpv.contains(#""depth":3.42"#))
        let replayed = try #require(text(GPSDMessageFormat().message(try FixBatch.sample(.replay))))
        #expect(replayed.hasSuffix(#","origin":"replay"}"#))
        let live = try #require(text(GPSDMessageFormat().message(try FixBatch.sample())))
        #expect(!live.contains("origin"))
        let feature = try #require(text(GeoJSONMessageFormat().message(batch)))
        #expect(feature.contains(#","depth":3.42,"waterTemperature":11.5,"#))
    }

    @Test func `Home Assistant gets one announcement of a tracker and its sensors`() throws {
        let all = HomeAssistantFormat().announcement(of: try FixBatch.sample(.replay))
        #expect(
            all.map(\.destination) == [
                "homeassistant/device_tracker/gps_buses_b-7_roof/config",
                "homeassistant/binary_sensor/gps_buses_b-7_roof_integrity/config",
                "homeassistant/sensor/gps_buses_b-7_roof_speed/config",
                "homeassistant/sensor/gps_buses_b-7_roof_altitude/config",
                "homeassistant/sensor/gps_buses_b-7_roof_satellites/config",
            ])
        #expect(!all.contains { !$0.isRetained })
        #expect(
            text(all.first) == """
                {"unique_id":"gps_buses_b-7_roof","availability":[{"topic":"gps/buses/b-7/status"},\
                {"topic":"gps/buses/b-7/roof/status"}],"availability_mode":"all",\
                "device":{"identifiers":["gps_buses_b-7_roof"],"name":"b-7 roof (replay)",\
                "manufacturer":"gpsbridge","sw_version":"gpsbridge 1"},"name":null,\
                "source_type":"gps","json_attributes_topic":"gps/buses/b-7/roof/attributes"}
                """)
    }

    @Test func `each member of a simulated fleet is available while the connection is`() throws {
        let members = try ["sim-1", "sim-2"].map {
            try #require(MemberName(fleet: "f", bridge: $0, receiver: "gps"))
        }
        let format = try #require(
            MQTTFormats.all(of: members).first { $0.name == "homeassistant" }?.format)
        let presence = try #require(format.presence(of: members))
        #expect(presence.topic == "gps/f/sim-1/status" && presence.isRetained)
        for member in members {
            var batch = try FixBatch.sample()
            batch.member = member
            for announcement in format.announcement(of: batch) {
                let configuration = try #require(text(announcement))
                #expect(
                    configuration.contains(#""availability":[{"topic":"\#(presence.topic)"}"#))
            }
        }
    }

    @Test func `gpsd's TPV and a GeoJSON feature are whole objects`() throws {
        let batch = try FixBatch.sample(.simulated)
        let tpv = try #require(text(GPSDMessageFormat().message(batch)))
        #expect(tpv.hasPrefix(#"{"class":"TPV","device":"buses/b-7/roof","status":8,"#))
        #expect(tpv.hasSuffix("}") && tpv.contains(#""lat":48.208173200"#))
        let feature = try #require(text(GeoJSONMessageFormat().message(batch)))
        #expect(feature.hasPrefix(#"{"type":"Feature","geometry":{"type":"Point","coordinates":["#))
        #expect(feature.contains(#""origin":"simulated""#) && feature.hasSuffix("}}"))
        #expect(GeoJSONMessageFormat().message(try FixBatch.sample { $0.coordinate = nil }) == nil)
    }

    @Test func `every format has a name and reports a lost bridge`() throws {
        let member = try FixBatch.sample().member
        for (name, format) in MQTTFormats.all() {
            #expect(format.presence(of: [member]) != nil, "\(name)")
        }
    }
}
