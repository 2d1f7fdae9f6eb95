// SPDX-License-Identifier: MIT
import GPSConfiguration
import UBX

/// A chip with the answers of a recorded receiver.
///
/// A recorded request gets the recorded answers with their delays. For any other request, a chip
/// with keys reports the values that it reported before; other chips refuse it or do not answer.
struct RecordedChip: ModelChip {
    private(set) var baudRate: Int
    /// The requests that were not recorded.
    private(set) var unknown: [[UInt8]] = []
    /// The settings that were accepted.
    private(set) var accepted: [ConfigurationItem] = []

    private let session: RecordedSession
    private let run: Int
    private var values: [ConfigurationKey: UInt64] = [:]
    private var changedRate: Int?
    private var constellations: CfgGNSS?
    private let isUBX: Bool

    init(_ session: RecordedSession, run: Int, baudRate: Int, values: [ConfigurationItem] = []) {
        (self.session, self.run, self.baudRate) = (session, run, baudRate)
        isUBX = session.runs.joined().contains {
            $0.bytes.starts(with: [0xB5, 0x62]) && !$0.isRequest
        }
        for line in session.runs[run] where !line.isRequest {
            guard let (id, payload) = Self.frame(line.bytes), id == CfgVALGET.id else { continue }
            for item in CfgVALGET(payload: payload.span)?.items ?? [] {
                self.values[item.key] = item.value
            }
        }
        for item in values { self.values[item.key] = item.value }
    }

    static func frame(_ bytes: [UInt8]) -> (id: UBXMessageID, payload: [UInt8])? {
        guard let frame = UBXFrame(bytes.span) else { return nil }
        let payload = frame.payload
        return (frame.id, payload.indices.map { payload[$0] })
    }

    mutating func output(tenth: Int) -> [UInt8] {
        // The recordings do not contain the messages that are sent each second.
        tenth.isMultiple(of: 10) ? sentence("GNRMC,,V,,,,,,,,,,N,V") : []
    }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        if let (id, payload) = Self.frame(bytes), id == CfgVALSET.id { return set(payload) }
        if let found = recorded(bytes) { return found }
        guard let (id, payload) = Self.frame(bytes) else {
            unknown.append(bytes)
            return []
        }
        switch id {
        case CfgVALGET.id where !values.isEmpty:
            return [(5, get(payload)), (5, acknowledgement(id, true))]
                .filter { !$0.1.isEmpty }
        case CfgGNSS.id where !payload.isEmpty: return setConstellations(payload)
        default:
            unknown.append(bytes)
            return id.messageClass == 6 && isUBX ? [(5, acknowledgement(id, false))] : []
        }
    }

    /// Returns the bytes after a request in its run, or in another one, up to the end of the run.
    private mutating func recorded(_ bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])]? {
        let order = [session.runs[run]] + session.runs
        for lines in order {
            guard let index = lines.firstIndex(where: { $0.isRequest && $0.bytes == bytes }) else {
                continue
            }
            let start = lines[index].milliseconds
            if let speed = lines[index].speed {
                (baudRate, changedRate) = (speed, speed)
            }
            return lines[(index + 1)...].filter { !$0.isRequest }.map {
                (Int(max($0.milliseconds - start, 0)), current($0.bytes))
            }
        }
        return nil
    }

    /// Returns an answer about the line or the constellations after a recorded change.
    private func current(_ bytes: [UInt8]) -> [UInt8] {
        if let constellations, Self.frame(bytes)?.id == CfgGNSS.id { return constellations.frame }
        guard let changedRate else { return bytes }
        if let (id, payload) = Self.frame(bytes), id == CfgPRT.id,
            var settings = CfgPRT(payload: payload.span)
        {
            settings.baudRate = UInt32(changedRate)
            return settings.frame
        }
        if bytes.starts(with: [0xBA, 0xCE, 8, 0, 6, 0, 0]) {
            let rate = (0..<4).map { UInt8(truncatingIfNeeded: changedRate >> ($0 * 8)) }
            return CASICFrame.bytes(CASICFrame.port, payload: Array(bytes[6..<10]) + rate)
        }
        if String(decoding: bytes, as: UTF8.self).hasPrefix("$PQTMCFGUART,OK,1,") {
            return sentence("PQTMCFGUART,OK,1,\(changedRate),8,0,1,0")
        }
        return bytes
    }

    /// Returns the recorded values. The chip refuses a request with a key that was not recorded.
    private func get(_ payload: [UInt8]) -> [UInt8] {
        guard let request = CfgVALGET(payload: payload.span), let keys = request.keys else {
            return []
        }
        var items: [ConfigurationItem] = []
        for key in keys {
            if key.item == 0xFFF {
                items += values.filter { $0.key.group == key.group }
                    .map { ConfigurationItem($0.key, $0.value) }
            } else if let value = values[key] {
                items.append(ConfigurationItem(key, value))
            } else {
                return acknowledgement(CfgVALGET.id, false)
            }
        }
        var answer = CfgVALGET()
        answer.version = 1
        answer.data = items.prefix(64).flatMap(\.bytes)
        return answer.frame
    }

    /// Returns the recorded answer, if the values in effect afterwards are those of the recorded
    /// request.
    private mutating func set(_ payload: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        let items = CfgVALSET(payload: payload.span)?.items ?? []
        for line in session.runs[run] where line.isRequest {
            guard let (id, other) = Self.frame(line.bytes), id == CfgVALSET.id,
                let recorded = CfgVALSET(payload: other.span)?.items
            else { continue }
            let different = recorded.filter { values[$0.key] != $0.value }
            guard Set(different) == Set(items) || recorded == items,
                let answers = self.recorded(line.bytes)
            else {
                continue
            }
            let refusal = acknowledgement(id, false)
            if !answers.contains(where: { $0.bytes == refusal }) {
                for item in items { values[item.key] = item.value }
                accepted += items
            }
            return answers
        }
        return [(5, acknowledgement(CfgVALSET.id, false))]
    }

    private mutating func setConstellations(_ payload: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        let requested = CfgGNSS(payload: payload.span)?.blocks.map(\.isEnabled)
        for line in session.runs[run] where line.isRequest {
            guard let (id, other) = Self.frame(line.bytes), id == CfgGNSS.id,
                CfgGNSS(payload: other.span)?.blocks.map(\.isEnabled) == requested,
                let answers = recorded(line.bytes)
            else { continue }
            constellations = CfgGNSS(payload: payload.span)
            return answers
        }
        return [(5, acknowledgement(CfgGNSS.id, false))]
    }
}
