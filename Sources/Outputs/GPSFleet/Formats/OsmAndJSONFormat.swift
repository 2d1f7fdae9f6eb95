// SPDX-License-Identifier: MIT
import GNSS

/// The JSON object that background tracking apps send, one position per message. Traccar reads it
/// from version 6.7 on (https://www.traccar.org/osmand):
///
///     {"device_id":"buses.b-7.roof","location":{"timestamp":"2026-11-18T11:06:40.400Z","coords":{…}}}
///
/// All members of `coords` are required. As in these apps, -1 stands for an unknown accuracy, speed
/// or course, and `"altitude_accuracy":-1` marks an altitude that is not known. A fix without a
/// date cannot be represented.
package struct OsmAndJSONFormat: HTTPFormat {
    package let contentType: String? = "application/json"
    package let hasHeartbeat = false

    private let id: String?

    /// Creates the format. `id` replaces the device's name.
    package init(id: String? = nil) { self.id = id }

    package func message(_ batch: FixBatch) -> EngineMessage? {
        guard let fix = batch.rows.last?.fix, let key = batch.id, let time = fix.time,
            let position = fix.coordinate
        else { return nil }
        var location = JSONObject()
        location.add("timestamp", time.description)
        location.add("coords", json: coordinates(position, fix).description)
        // Android's term for a position that does not come from the device's receiver is "mock".
        if [.simulated, .replay].contains(batch.origin) { location.add("mock", true) }
        location.add("extras", json: extras(fix, batch.origin).description)
        var object = JSONObject()
        object.add("device_id", id ?? batch.member.deviceName)
        object.add("location", json: location.description)
        return EngineMessage(destination: "", id: key, bytes: Array(object.description.utf8))
    }

    private func coordinates(_ position: Coordinate, _ fix: Fix) -> JSONObject {
        var object = JSONObject()
        object.add("latitude", position.latitude, decimals: 7)
        object.add("longitude", position.longitude, decimals: 7)
        object.add("accuracy", fix.accuracy.horizontal ?? -1, decimals: 1)
        object.add("speed", fix.speed ?? -1, decimals: 2)
        object.add("heading", fix.course ?? -1, decimals: 1)
        object.add("altitude", fix.altitude ?? 0, decimals: 1)
        object.add(
            "altitude_accuracy", fix.altitude == nil ? -1 : fix.accuracy.vertical, decimals: 1)
        return object
    }

    private func extras(_ fix: Fix, _ origin: DataOrigin) -> JSONObject {
        var object = JSONObject()
        object.add("hdop", fix.dilution.hdop, decimals: 2)
        object.add("satellites", fix.satellitesUsed)
        if let state = fix.integrity?.state, state != .unknown {
            object.add("integrity", state.rawValue)
        }
        if origin != .live { object.add("origin", origin.rawValue) }
        return object
    }
}
