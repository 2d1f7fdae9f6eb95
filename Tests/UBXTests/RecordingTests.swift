// SPDX-License-Identifier: MIT
import Foundation
import GPSTestTraits
import Testing
import UBX

@Suite(
    .timeLimit(.generous),
    .enabled(if: !Recordings.paths.isEmpty, "recordings of u-blox receivers are not here"))
struct RecordingTests {
    @Test(arguments: Recordings.paths)
    func `every frame of a known type is decoded`(_ path: String) throws {
        let count = try Recordings.forEachFrame(of: path) { frame in
            // A poll request has no payload, or only the number of a port or a message.
            guard frame.payload.count > 2,
                let type = knownUBXMessages.first(where: { $0.id == frame.id })
            else { return }
            #expect(type.init(frame) != nil, "\(frame.id) \(frame.payload.count)")
        }
        #expect(count > 0)
    }

    /// `scripts/tests/ubx` compares these lines with the output of pyubx2.
    @Test(
        .enabled(if: Fields.output != nil, "GPSBRIDGE_UBX_FIELDS does not name a file to write"))
    func `fields are written to a file for comparison with another decoder`() throws {
        var lines: [String] = []
        for path in Recordings.paths {
            _ = try Recordings.forEachFrame(of: path) { frame in
                guard let type = knownUBXMessages.first(where: { $0.id == frame.id }),
                    let message = type.init(frame)
                else { return }
                let payload = frame.payload
                let bytes = payload.indices.map { payload[$0] }
                lines.append(
                    try Fields.line(message, frame: UBXFrame.bytes(frame.id, payload: bytes)))
            }
        }
        try lines.joined(separator: "\n").write(
            toFile: Fields.output ?? "/dev/null", atomically: true, encoding: .utf8)
    }
}

/// Converts a message's fields to JSON, in wire order.
private enum Fields {
    static let output = ProcessInfo.processInfo.environment["GPSBRIDGE_UBX_FIELDS"]

    static func line(_ message: any UBXMessage, frame: [UInt8]) throws -> String {
        let object: [String: Any] = [
            "type": "\(type(of: message))",
            "frame": frame.map { String($0) }.joined(separator: " "),
            "written": message.frame.map { String($0) }.joined(separator: " "),
            "fields": fields(of: message),
        ]
        return String(
            decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys),
            as: UTF8.self)
    }

    private static func fields(of value: Any) -> [Any] {
        Mirror(reflecting: value).children.flatMap { child in
            entries(child.label ?? "", child.value)
        }
    }

    private static func entries(_ label: String, _ value: Any) -> [Any] {
        switch value {
        case let list as [any UBXBlock]: list.flatMap { fields(of: $0) }
        case let list as [any FixedWidthInteger]:
            list.map { [label, Int64(truncatingIfNeeded: $0)] }
        case let number as any FixedWidthInteger:
            [[label, Int64(truncatingIfNeeded: number)]]
        case let number as any UBXValue: [[label, rawValue(number)]]
        case let number as Double: [[label, number]]
        case let number as Float: [[label, Double(number)]]
        case let text as String: [[label, text]]
        case let flag as Bool: [[label, flag]]
        case let number as Double?: [[label, number.map { $0 as Any } ?? NSNull()]]
        default: []
        }
    }

    private static func rawValue<Value: UBXValue>(_ value: Value) -> Int64 {
        Int64(truncatingIfNeeded: value.rawValue)
    }
}
