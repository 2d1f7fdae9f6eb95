// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// A device tracker with sensors for Home Assistant, which finds them with MQTT discovery.
///
/// A fix is published on `gps/FLEET/BRIDGE/RECEIVER/attributes` (see the example below). The topic
/// `…/status` reports whether it has a position: `online` or `offline`. The states of the integrity
/// monitor, of a vote and of an anchor watch may change without a fix, so they are published
/// separately, on `…/integrity`, `…/vote` and `…/anchor`.
///
///     {"latitude":48.208173,"longitude":16.373843,"gps_accuracy":5.2,"altitude":171.3,"speed":10.1,"course":84.2}
package struct HomeAssistantFormat: MessageFormat {
    package let isState = true
    package let announcementTopic: String? = "homeassistant/status"

    /// The sensors of every receiver, in addition to the tracker.
    private static let sensors: [(name: String, unit: String?, deviceClass: String?)] = [
        ("speed", "m/s", "speed"), ("altitude", "m", "distance"), ("satellites", nil, nil),
    ]

    /// A measurement that few receivers provide. Its sensor is only announced if there is a value.
    private struct Measurement {
        let name: String
        let column: Int
        let decimals: Int
        let unit: String?
        let deviceClass: String?

        /// Creates the measurement of the column with this index. Returns `nil` for a column
        /// without a unit.
        init?(_ column: Int) {
            let property = FixColumn.all[column].property
            guard !property.unit.isEmpty else { return nil }
            name = property.words(separatedBy: "_")
            (self.column, decimals) = (column, property.decimals)
            switch property.unit {
            case "m": (unit, deviceClass) = ("m", "distance")
            case "m/s":
                (unit, deviceClass) = ("m/s", name.contains("wind") ? "wind_speed" : "speed")
            case "deg": (unit, deviceClass) = ("°", nil)
            case "degC": (unit, deviceClass) = ("°C", "temperature")
            default: (unit, deviceClass) = (property.unit, nil)
            }
        }
    }

    private static let measurements = FixColumn.all.indices
        .dropFirst(FixColumn.CommonTable<Int>.count).compactMap { Measurement($0) }

    /// The topic that reports whether the bridge is connected; `nil` for the topic of the
    /// receiver's bridge.
    private let statusTopic: String?

    /// Creates the format. `statusTopic` is the topic of the presence messages if one connection
    /// publishes the receivers of several bridges, as a simulated fleet does, because an MQTT
    /// connection has only one last will.
    package init(statusTopic: String? = nil) {
        self.statusTopic = statusTopic
    }

    package func message(_ batch: FixBatch) -> EngineMessage? {
        guard let row = batch.rows.last, let id = batch.id else { return nil }
        guard let position = row.coordinate else {
            return EngineMessage(
                destination: batch.member.topic + "/status", id: id, bytes: Array("offline".utf8),
                isRetained: true)
        }
        let fix = row.fix
        var object = JSONObject()
        object.add("latitude", position.latitude, decimals: 7)
        object.add("longitude", position.longitude, decimals: 7)
        // Home Assistant treats a position without an accuracy as exact.
        object.add("gps_accuracy", fix.accuracy.horizontal ?? 100, decimals: 1)
        object.add("altitude", fix.altitude, decimals: 1)
        object.add("speed", fix.speed, decimals: 2)
        object.add("course", fix.course, decimals: 1)
        object.add("satellites", fix.satellitesUsed)
        object.add("time", fix.time.map { $0.description })
        object.add("origin", batch.origin.rawValue)
        object.add("integrity", fix.integrity?.state.rawValue)
        object.add("vote", fix.vote?.state.rawValue)
        object.add("vote_witnesses", row.value(FixColumn.voteWitnesses).map { Int($0) })
        object.add("anchor", row.anchor?.rawValue)
        for measured in Self.measurements where row[measured.column] != FixRow.unknown {
            object.add(
                measured.name, row.value(measured.column), decimals: measured.decimals)
        }
        return EngineMessage(
            destination: batch.member.topic + "/attributes", id: id,
            bytes: Array(object.description.utf8), isRetained: true)
    }

    package func additionalMessages(_ batch: FixBatch) -> [EngineMessage] {
        guard let row = batch.rows.last, let id = batch.id else { return [] }
        // Without a position, a state that the row lacks is unknown: the receiver may be gone, and
        // its last state must not be shown as current.
        let isLost = row.coordinate == nil
        let isVote = batch.member.receiver == ConsensusSource.name
        let integrity: Integrity.State? = row.fix.integrity?.state ?? (isLost ? .unknown : nil)
        let vote: Vote.State? = row.fix.vote?.state ?? (isLost && isVote ? .noPosition : nil)
        let states: [(String, String?)] = [
            ("/status", isLost ? nil : "online"), ("/integrity", integrity?.rawValue),
            ("/vote", vote?.rawValue), ("/anchor", row.anchor?.rawValue),
        ]
        return states.compactMap { suffix, state in
            guard let state else { return nil }
            return EngineMessage(
                destination: batch.member.topic + suffix, id: id + suffix,
                bytes: Array(state.utf8), isRetained: true)
        }
    }

    package func announcement(of batch: FixBatch) -> [EngineMessage] {
        let topic = batch.member.topic
        let device = AnnouncedDevice(batch, statusTopic: statusTopic)
        var all = [
            device.entity("device_tracker", "") {
                $0.add("name", optional: nil)
                $0.add("source_type", "gps")
                $0.add("json_attributes_topic", topic + "/attributes")
            },
            device.problem("integrity", on: ["warning", "alarm"]),
        ]
        let row = batch.rows.last
        if row?.fix.vote != nil {
            // It is a text sensor, because Home Assistant before 2024.9 does not accept a list of
            // options.
            all.append(
                device.entity("sensor", "_vote", needsFix: false) {
                    $0.add("name", "Vote")
                    $0.add("state_topic", topic + "/vote")
                })
        }
        if row?.anchor != nil { all.append(device.problem("anchor", on: ["drag", "lost"])) }
        let measured = Self.measurements.filter { row?.value($0.column) != nil }
            .map { ($0.name, $0.unit, $0.deviceClass) }
        return all
            + (Self.sensors + measured).map { name, unit, deviceClass in
                device.entity("sensor", "_" + name) {
                    $0.add("name", name.title)
                    $0.add("state_topic", topic + "/attributes")
                    $0.add("value_template", "{{ value_json.\(name) | default(none) }}")
                    $0.add("unit_of_measurement", unit)
                    $0.add("device_class", deviceClass)
                    $0.add("state_class", "measurement")
                }
            }
    }
}

/// A receiver as a device of Home Assistant, to which several entities belong.
private struct AnnouncedDevice {
    private let member: MemberName
    /// The topic that reports whether the bridge is connected.
    private let statusTopic: String
    /// The JSON object that describes the device in the message of each entity.
    private let description: String

    /// Creates a device from the receiver's last message. `statusTopic` is `nil` for the topic of
    /// the receiver's bridge.
    init(_ batch: FixBatch, statusTopic: String?) {
        member = batch.member
        self.statusTopic = statusTopic ?? member.statusTopic
        var object = JSONObject()
        object.add("identifiers", [member.objectID])
        // Home Assistant keeps the entities' ids, which it derives from the first name.
        let note = batch.origin.mayBeLive ? "" : " (\(batch.origin.rawValue))"
        object.add("name", "\(member.bridge) \(member.receiver)\(note)")
        object.add("manufacturer", "gpsbridge")
        object.add("sw_version", batch.software)
        description = object.description
    }

    /// Returns the message about a binary sensor that is on if the topic's state is in `states`.
    /// The sensor is available without a fix, because the cause of an alarm may also be the reason
    /// why there is no fix.
    func problem(_ name: String, on states: [String]) -> EngineMessage {
        entity("binary_sensor", "_" + name, needsFix: false) {
            $0.add("name", name.title)
            $0.add("device_class", "problem")
            $0.add("state_topic", "\(member.topic)/\(name)")
            let list = states.map { "'\($0)'" }.joined(separator: ", ")
            $0.add(
                "value_template",
                "{{ 'ON' if value in [\(list)] else 'OFF' if value == 'ok' else 'None' }}")
        }
    }

    /// Returns the message that configures an entity of the receiver. `add` adds the values that
    /// only this entity has. With `needsFix`, the entity is unavailable while there is no position.
    func entity(
        _ component: String, _ suffix: String, needsFix: Bool = true,
        _ add: (inout JSONObject) -> Void
    ) -> EngineMessage {
        var object = JSONObject()
        object.add("unique_id", member.objectID + suffix)
        let topics = [statusTopic] + (needsFix ? [member.topic + "/status"] : [])
        object.add(
            "availability",
            objects: topics.map { topic in
                var object = JSONObject()
                object.add("topic", topic)
                return object.description
            })
        object.add("availability_mode", "all")
        object.add("device", json: description)
        add(&object)
        let topic = "homeassistant/\(component)/\(member.objectID)\(suffix)/config"
        return EngineMessage(
            destination: topic, id: topic, bytes: Array(object.description.utf8), isRetained: true)
    }
}

extension MemberName {
    /// The receiver's id in Home Assistant.
    fileprivate var objectID: String { "gps_\(fleet)_\(bridge)_\(receiver)" }
}

extension String {
    /// The name as a title: `Vote radius` for `vote_radius`.
    fileprivate var title: String {
        prefix(1).uppercased() + String(dropFirst().map { $0 == "_" ? " " : $0 })
    }
}
