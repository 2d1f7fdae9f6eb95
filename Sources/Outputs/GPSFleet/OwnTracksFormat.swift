// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// OwnTracks locations, one per message, on the MQTT topic `owntracks/BRIDGE/RECEIVER`:
///
///     {"_type":"location","tid":"of","tst":1795000000,"lat":48.208173,"lon":16.373843,"acc":5,"vel":36,"cog":84}
///
/// A fix without a date cannot be represented.
package struct OwnTracksFormat: MessageFormat {
    package init() {}

    package func message(_ batch: FixBatch) -> EngineMessage? {
        guard let row = batch.rows.last, let id = batch.id, let time = row.time,
            let position = row.coordinate
        else { return nil }
        let fix = row.fix
        let second = Int(time / 1000)
        let now = Int(BridgeClock.now / 1000)
        var object = JSONObject()
        object.add("_type", "location")
        object.add("tid", String(batch.member.receiver.suffix(2)))
        object.add("tst", second)
        object.add("lat", position.latitude, decimals: 7)
        object.add("lon", position.longitude, decimals: 7)
        object.add("alt", fix.altitude, decimals: 0)
        object.add("acc", fix.accuracy.horizontal.map { max(1, $0) }, decimals: 0)
        object.add("vac", fix.accuracy.vertical.map { max(1, $0) }, decimals: 0)
        object.add("vel", fix.speed.map { $0 * 3.6 }, decimals: 0)
        object.add("cog", fix.course.map { $0.rounded() == 360 ? 0 : $0 }, decimals: 0)
        if now > second + 1 { object.add("created_at", now) }
        // `origin` is not part of the format, but OwnTracks' recorder keeps unknown members.
        if batch.origin != .live { object.add("origin", batch.origin.rawValue) }
        return EngineMessage(
            destination: batch.member.ownTracksTopic, id: id,
            bytes: Array(object.description.utf8), isRetained: true)
    }

    package func presence(of members: [MemberName]) -> Presence? {
        members.first.map { member in
            var object = JSONObject()
            object.add("_type", "lwt")
            object.add("tst", Int(BridgeClock.now / 1000))
            // If this message was retained, it would replace the last location on the same topic.
            return Presence(
                topic: member.ownTracksTopic, online: nil, offline: object.description,
                isRetained: false)
        }
    }
}

extension MemberName {
    fileprivate var ownTracksTopic: String { "owntracks/\(bridge)/\(receiver)" }
}

/// The parameters of OsmAnd's online tracking, which Traccar and others read, one position per
/// message (https://www.traccar.org/osmand):
///
///     id=buses.b-7.roof&lat=48.2081732&lon=16.3738430&timestamp=1795000000400&altitude=171.4&speed=19.63
///
/// A fix without a date cannot be represented, because a server would use the request's time of
/// arrival instead.
package struct OsmAndFormat: HTTPFormat {
    package let contentType: String? = nil
    /// Always `false`, because a repeated fix would add a position to the track.
    package let hasHeartbeat = false

    private let id: String?

    /// Creates the format. `id` replaces the device's name.
    package init(id: String? = nil) { self.id = id }

    package func message(_ batch: FixBatch) -> EngineMessage? {
        guard let row = batch.rows.last, let key = batch.id, let time = row.time,
            let position = row.validCoordinate
        else { return nil }
        let fix = row.fix
        var query = QueryText()
        query.add("id", id ?? batch.member.deviceName)
        query.add("lat", position.latitude, decimals: 7)
        query.add("lon", position.longitude, decimals: 7)
        // OsmAnd also sends milliseconds.
        query.add("timestamp", String(time))
        query.add("altitude", fix.altitude, decimals: 1)
        query.add("speed", Knots.knots(metresPerSecond: fix.speed), decimals: 2)
        query.add("bearing", fix.course, decimals: 1)
        query.add("accuracy", fix.accuracy.horizontal, decimals: 1)
        query.add("hdop", fix.dilution.hdop, decimals: 2)
        query.add("sat", fix.satellitesUsed.map(String.init))
        // Traccar stores the parameters that it does not know as attributes of the position.
        if let state = fix.integrity?.state, state != .unknown {
            if state == .alarm { query.add("valid", "false") }
            query.add("integrity", state.rawValue)
        }
        if batch.origin != .live { query.add("origin", batch.origin.rawValue) }
        return EngineMessage(destination: "", id: key, bytes: query.text.array)
    }
}

/// Builds the query of a URL (`id=…&lat=…`). Parameters whose value is `nil` are omitted.
private struct QueryText {
    private(set) var text = TextBuffer()

    mutating func add(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        begin(name)
        for byte in value.utf8 {
            if MemberName.isTokenCharacter(byte) || byte == UInt8(ascii: ".") {
                text.append(byte)
            } else {
                text.append(character: "%")
                text.append(hexadecimal: UInt64(byte), width: 2, isUppercase: true)
            }
        }
    }

    mutating func add(_ name: StaticString, _ value: Double?, decimals: Int) {
        guard let value else { return }
        let number = TextBuffer.text { $0.append(fixed: value, decimals: decimals) }
        guard !number.isEmpty else { return }
        begin(name)
        text.append(text: number)
    }

    private mutating func begin(_ name: StaticString) {
        if text.count > 0 { text.append(character: "&") }
        text.append(name)
        text.append(character: "=")
    }
}

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
        if !batch.origin.mayBeLive { location.add("mock", true) }
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
