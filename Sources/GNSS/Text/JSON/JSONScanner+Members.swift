// SPDX-License-Identifier: MIT

extension JSONScanner {
    /// Reads one object, as tolerantly as gpsd: adds its scalars to `members` by their names, without those of inner objects
    /// and arrays. Where a name occurs twice the last value holds.
    ///
    /// Throws where the bytes are anything else; what comes before the error has been added then.
    package static func read(
        _ object: [UInt8], into members: inout [String: JSONScalar]
    ) throws(JSONError) {
        var scanner = JSONScanner(isTolerant: true)
        var isOver = false
        try scanner.push(object[...]) { event, path throws(JSONError) in
            guard !isOver else { throw JSONError("garbage behind the object") }
            switch (event, path.count) {
            case (.begin(isObject: false), 0), (.scalar, 0): throw JSONError("object expected")
            case (.end, 0): isOver = true
            case (.begin, 1): if let name = path[0] { members[name] = nil }
            case (.scalar(let value), 1): if let name = path[0] { members[name] = value }
            default: break
            }
        }
        try scanner.finish { _, _ throws(JSONError) in
            throw JSONError("garbage behind the object")
        }
        guard isOver else { throw JSONError("object expected") }
    }
}
