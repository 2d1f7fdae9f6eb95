// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// A device tracker for Home Assistant, with sensors, found by MQTT discovery.
///
/// The fix is published on `gps/FLEET/BRIDGE/RECEIVER/attributes`, and its loss on
/// `gps/FLEET/BRIDGE/RECEIVER/status`:
///
///     {"latitude":48.208173,"longitude":16.373843,"gps_accuracy":5.2,"altitude":171.3,"speed":10.1,"course":84.2}
package struct HomeAssistantFormat: MessageFormat {
    package let maximumCount = 1
    package let isState = true
    package let announcementTopic: String? = "homeassistant/status"

    /// The sensors, in addition to the tracker.
    private static let sensors: [(name: String, unit: String?, deviceClass: String?)] = [
        ("speed", "m/s", "speed"), ("altitude", "m", "distance"), ("satellites", nil, nil),
    ]

    /// Creates the format.
    package init() {}

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
        // Home Assistant treats a missing accuracy as exact.
        object.add("gps_accuracy", fix.accuracy.horizontal ?? 100, decimals: 1)
        object.add("altitude", fix.altitude, decimals: 1)
        object.add("speed", fix.speed, decimals: 2)
        object.add("course", fix.course, decimals: 1)
        object.add("satellites", fix.satellitesUsed)
        object.add("time", fix.time.map { $0.description })
        object.add("origin", batch.origin.rawValue)
        object.add("integrity", fix.integrity?.state.rawValue)
        return EngineMessage(
            destination: batch.member.topic + "/attributes", id: id,
            bytes: Array(object.description.utf8), isRetained: true)
    }

    package func additionalMessages(_ batch: FixBatch) -> [EngineMessage] {
        guard let row = batch.rows.last, row.coordinate != nil, let id = batch.id else { return [] }
        return [
            EngineMessage(
                destination: batch.member.topic + "/status", id: id + "/status",
                bytes: Array("online".utf8), isRetained: true)
        ]
    }

    package func announcement(of batch: FixBatch) -> [EngineMessage] {
        let member = batch.member
        let device = device(batch)
        var tracker = configuration(member, device, suffix: "")
        tracker.add("name", optional: nil)
        tracker.add("source_type", "gps")
        tracker.add("json_attributes_topic", member.topic + "/attributes")
        var problem = configuration(member, device, suffix: "_integrity")
        problem.add("name", "Integrity")
        problem.add("device_class", "problem")
        problem.add("state_topic", member.topic + "/attributes")
        problem.add(
            "value_template",
            "{{ 'ON' if value_json.integrity in ['warning', 'alarm'] "
                + "else 'OFF' if value_json.integrity == 'ok' else 'None' }}")
        return [
            message(member, "device_tracker", "", tracker),
            message(member, "binary_sensor", "_integrity", problem),
        ]
            + Self.sensors.map { sensor in
                var object = configuration(member, device, suffix: "_" + sensor.name)
                object.add("name", sensor.name.capitalizedFirst)
                object.add("state_topic", member.topic + "/attributes")
                object.add(
                    "value_template", "{{ value_json.\(sensor.name) | default(none) }}")
                object.add("unit_of_measurement", sensor.unit)
                object.add("device_class", sensor.deviceClass)
                object.add("state_class", "measurement")
                return message(member, "sensor", "_" + sensor.name, object)
            }
    }

    private func message(
        _ member: MemberName, _ component: String, _ suffix: String, _ object: JSONObject
    ) -> EngineMessage {
        let topic = "homeassistant/\(component)/\(member.objectID)\(suffix)/config"
        return EngineMessage(
            destination: topic, id: topic, bytes: Array(object.description.utf8), isRetained: true)
    }

    /// Returns the part of the configuration that all entities of a receiver share.
    private func configuration(
        _ member: MemberName, _ device: String, suffix: String
    ) -> JSONObject {
        var object = JSONObject()
        object.add("unique_id", member.objectID + suffix)
        object.add(
            "availability",
            objects: [member.statusTopic, member.topic + "/status"].map { topic in
                var object = JSONObject()
                object.add("topic", topic)
                return object.description
            })
        object.add("availability_mode", "all")
        object.add("device", json: device)
        return object
    }

    private func device(_ batch: FixBatch) -> String {
        let member = batch.member
        var object = JSONObject()
        object.add("identifiers", [member.objectID])
        let note = batch.origin == .live ? "" : " (\(batch.origin.rawValue))"
        object.add("name", "\(member.bridge) \(member.receiver)\(note)")
        object.add("manufacturer", "gpsbridge")
        object.add("sw_version", batch.software)
        return object.description
    }
}

extension MemberName {
    /// The receiver's id in Home Assistant.
    fileprivate var objectID: String { "gps_\(fleet)_\(bridge)_\(receiver)" }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
