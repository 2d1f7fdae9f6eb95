// SPDX-License-Identifier: MIT
import GNSS

/// A JSON object as gpsd writes it: compact, one a line, ASCII, `class` first.
struct JSONObject {
    private(set) var text: String

    init(class name: String) {
        text = #"{"class":"\#(name)""#
    }

    /// The object.
    var object: String { text + "}" }

    /// The object as a line of the protocol.
    var line: [UInt8] { Array(object.utf8) + [0x0D, 0x0A] }

    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        text += ",\"\(name)\":\(String(json: value))"
    }

    mutating func add(_ name: String, _ value: Int?) {
        guard let value else { return }
        text += ",\"\(name)\":\(value)"
    }

    mutating func add(_ name: String, _ value: Bool) {
        text += ",\"\(name)\":\(value)"
    }

    /// Adds objects, each of them written already.
    mutating func add(_ name: String, objects: [String]) {
        text += ",\"\(name)\":[\(objects.joined(separator: ","))]"
    }

    /// Adds a number with a fixed count of decimals; what is not finite is left out.
    mutating func add(_ name: String, _ value: Double?, decimals: Int) {
        guard let value, value.isFinite, value.magnitude < 1e9 else { return }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int64((value.magnitude * scale).rounded())
        let fraction = String(scaled % Int64(scale))
        let padding = String(repeating: "0", count: max(0, decimals - fraction.count))
        let sign = value < 0 && scaled != 0 ? "-" : ""
        let whole = "\(sign)\(scaled / Int64(scale))"
        text += ",\"\(name)\":" + (decimals > 0 ? "\(whole).\(padding)\(fraction)" : whole)
    }
}
