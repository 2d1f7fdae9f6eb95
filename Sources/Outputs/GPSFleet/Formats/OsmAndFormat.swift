// SPDX-License-Identifier: MIT
import GNSS
import NMEA

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
