// SPDX-License-Identifier: MIT
import GNSS

/// A JSON object put together member by member; what is not known is left out.
struct JSONText {
    private(set) var members: [String] = []

    /// The object, on one line.
    var object: String { "{" + members.joined(separator: ",") + "}" }

    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        members.append("\(String(json: name)):\(String(json: value))")
    }

    mutating func add(_ name: String, number: String?) {
        guard let number else { return }
        members.append("\(String(json: name)):\(number)")
    }

    mutating func add(_ name: String, _ value: Int?) {
        guard let value else { return }
        members.append("\(String(json: name)):\(value)")
    }

    mutating func add(_ name: String, _ value: Bool) {
        members.append("\(String(json: name)):\(value)")
    }

    mutating func add(_ name: String, _ values: [String]) {
        members.append(
            "\(String(json: name)):[\(values.map { String(json: $0) }.joined(separator: ","))]")
    }

    mutating func add(_ name: String, _ objects: [JSONText]) {
        members.append(
            "\(String(json: name)):[\(objects.map { $0.object }.joined(separator: ","))]")
    }

    /// A list of objects, one a line.
    static func list(_ objects: [JSONText]) -> String {
        "[" + objects.map(\.object).joined(separator: ",\n ") + "]\n"
    }
}
