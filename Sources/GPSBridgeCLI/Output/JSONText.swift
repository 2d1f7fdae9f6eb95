// SPDX-License-Identifier: MIT

/// A JSON object put together member by member; what is not known is left out.
struct JSONText {
    private(set) var members: [String] = []

    /// The object, on one line.
    var object: String { "{" + members.joined(separator: ",") + "}" }

    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        members.append("\(Self.quoted(name)):\(Self.quoted(value))")
    }

    mutating func add(_ name: String, _ value: Int?) {
        guard let value else { return }
        members.append("\(Self.quoted(name)):\(value)")
    }

    mutating func add(_ name: String, _ value: Bool) {
        members.append("\(Self.quoted(name)):\(value)")
    }

    mutating func add(_ name: String, _ values: [String]) {
        members.append(
            "\(Self.quoted(name)):[\(values.map(Self.quoted).joined(separator: ","))]")
    }

    mutating func add(_ name: String, _ objects: [JSONText]) {
        members.append(
            "\(Self.quoted(name)):[\(objects.map { $0.object }.joined(separator: ","))]")
    }

    /// A list of objects, one a line.
    static func list(_ objects: [JSONText]) -> String {
        "[" + objects.map(\.object).joined(separator: ",\n ") + "]\n"
    }

    /// Text between quotes; what a device says of itself may hold anything.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..<"\u{20}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
