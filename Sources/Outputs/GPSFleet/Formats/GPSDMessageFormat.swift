// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// gpsd's `TPV` objects, one per message, on the MQTT topic `gps/FLEET/BRIDGE/RECEIVER/tpv`.
package struct GPSDMessageFormat: MessageFormat {
    /// Creates the format.
    package init() {}

    package func message(_ batch: FixBatch) -> EngineMessage? {
        guard let row = batch.rows.last, let id = batch.id else { return nil }
        var reports = GPSDReports(
            device: batch.member.description, isSimulated: batch.origin == .simulated)
        reports.report(row.fix)
        // Only the first line, `TPV`, is used. A second line may contain the attitude (`ATT`).
        var line = reports.bytes.withUnsafeBytes { Array($0.prefix { $0 != 0x0A }) }
        var members = ""
        // `TPV` has a status for simulated fixes, but nothing for replayed ones.
        if !batch.origin.mayBeLive { members += ",\"origin\":\"\(batch.origin.rawValue)\"" }
        // A row has only these two values of an anchor watch.
        if let anchor = row.anchor {
            var object = JSONObject()
            object.add("state", anchor.rawValue)
            object.add("distance", row.value(FixColumn.anchorDistance), decimals: 1)
            members += ",\"anchor\":\(object)"
        }
        if !members.isEmpty, line.popLast() != nil { line += Array("\(members)}".utf8) }
        return EngineMessage(destination: batch.member.topic + "/tpv", id: id, bytes: line)
    }
}

/// GeoJSON features, one per message, on the MQTT topic `gps/FLEET/BRIDGE/RECEIVER/geojson`. A fix
/// without a position cannot be represented.
package struct GeoJSONMessageFormat: MessageFormat {
    /// Creates the format.
    package init() {}

    package func message(_ batch: FixBatch) -> EngineMessage? {
        guard let row = batch.rows.last, let id = batch.id else { return nil }
        var writer = GeoJSONSeqFormat()
        writer.begin(OutputSource(name: batch.member.description, origin: batch.origin))
        writer.write(row.fix)
        var record: [UInt8] = []
        writer.drain { bytes in record = bytes.withUnsafeBytes { Array($0) } }
        guard record.count > 2 else { return nil }
        // The record separator before the text and the newline after it are removed.
        return EngineMessage(
            destination: batch.member.topic + "/geojson", id: id,
            bytes: Array(record.dropFirst().dropLast()))
    }
}
