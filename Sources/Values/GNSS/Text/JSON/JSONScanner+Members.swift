// SPDX-License-Identifier: MIT

extension JSONScanner {
    /// Reads one object with a tolerant scanner, and adds its scalars to `members`. Nested objects
    /// and arrays are ignored. If a name occurs twice, the last value is used.
    ///
    /// Throws an error if the bytes are not exactly one object. Members before the error have then
    /// been added.
    package static func read(
        _ object: [UInt8], into members: inout [String: JSONScalar]
    ) throws(JSONError) {
        var scanner = JSONScanner(isTolerant: true)
        var isOver = false
        try scanner.push(object[...]) { event, path throws(JSONError) in
            guard !isOver else { throw JSONError("unexpected text after the object") }
            switch (event, path.count) {
            case (.begin(isObject: false), 0), (.scalar, 0): throw JSONError("object expected")
            case (.end, 0): isOver = true
            case (.begin, 1): if let name = path[0] { members[name] = nil }
            case (.scalar(let value), 1): if let name = path[0] { members[name] = value }
            default: break
            }
        }
        try scanner.finish { _, _ throws(JSONError) in
            throw JSONError("unexpected text after the object")
        }
        guard isOver else { throw JSONError("object expected") }
    }
}
