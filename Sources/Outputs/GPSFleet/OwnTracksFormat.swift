// SPDX-License-Identifier: MIT
import GNSS

/// OwnTracks locations, one per message, on the MQTT topic `owntracks/BRIDGE/RECEIVER`:
///
///     {"_type":"location","tid":"of","tst":1795000000,"lat":48.208173,"lon":16.373843,"acc":5,"vel":36,"cog":84}
///
/// A fix without a date cannot be represented.
package struct OwnTracksFormat: MessageFormat {
    /// Creates the format.
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
