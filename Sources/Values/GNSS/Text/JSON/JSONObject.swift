// SPDX-License-Identifier: MIT

/// A JSON object, built member by member. Its text is compact ASCII on one line. Members whose
/// value is `nil` are omitted.
package struct JSONObject: CustomStringConvertible, Sendable {
    /// The object without its closing brace.
    private var text = TextBuffer()
    private var isEmpty = true

    /// Creates an object without members.
    package init() {
        text.append(character: "{")
    }

    /// Creates an object of gpsd's protocol with the class as its first member.
    package init(class name: String) {
        self.init()
        add("class", name)
    }

    /// The JSON text of the object.
    package var description: String { String(decoding: text.array, as: UTF8.self) + "}" }

    /// The members as JSON text, each with a comma before it.
    package var members: String {
        isEmpty ? "" : "," + String(decoding: text.array.dropFirst(), as: UTF8.self)
    }

    /// Adds a string.
    package mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        begin(name)
        text.append(json: value)
    }

    /// Adds a string, or `null` if it is `nil`.
    package mutating func add(_ name: String, optional value: String?) {
        begin(name)
        if let value { text.append(json: value) } else { text.append("null") }
    }

    /// Adds an integer.
    package mutating func add(_ name: String, _ value: Int?) {
        guard let value else { return }
        begin(name)
        text.append(integer: value)
    }

    /// Adds `true` or `false`.
    package mutating func add(_ name: String, _ value: Bool) {
        begin(name)
        text.append(text: value ? "true" : "false")
    }

    /// Adds a number with `decimals` decimals. Infinity, NaN and numbers of more than 18 digits are
    /// omitted.
    package mutating func add(_ name: String, _ value: Double?, decimals: Int) {
        guard let value else { return }
        let number = TextBuffer.text { $0.append(fixed: value, decimals: decimals) }
        guard !number.isEmpty else { return }
        begin(name)
        text.append(text: number)
    }

    /// Adds an array of strings.
    package mutating func add(_ name: String, _ values: [String]) {
        add(name, objects: values.map { String(json: $0) })
    }

    /// Adds an array of objects.
    package mutating func add(_ name: String, _ objects: [JSONObject]) {
        add(name, objects: objects.map(\.description))
    }

    /// Adds a value that is JSON text, unless it is `nil`.
    package mutating func add(_ name: String, json: String?) {
        guard let json else { return }
        begin(name)
        text.append(text: json)
    }

    /// Adds an array whose elements are JSON text.
    package mutating func add(_ name: String, objects: [String]) {
        begin(name)
        text.append(text: "[" + objects.joined(separator: ",") + "]")
    }

    private mutating func begin(_ name: String) {
        if !isEmpty { text.append(character: ",") }
        isEmpty = false
        text.append(json: name)
        text.append(character: ":")
    }
}
