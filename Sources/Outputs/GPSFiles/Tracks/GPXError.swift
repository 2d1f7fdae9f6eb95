// SPDX-License-Identifier: MIT

/// An error when reading a GPX file or using it as a track, with the file and the line.
public struct GPXError: Error, Hashable, CustomStringConvertible {
    /// The kind of error; new kinds may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as a short word, such as `badPoint`.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The file cannot be read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The file is not well-formed XML.
        public static let malformed = Code(rawValue: "malformed")
        /// The file is XML, but not GPX.
        public static let notGPX = Code(rawValue: "notGPX")
        /// A point has a missing or invalid latitude or longitude, or an invalid elevation or time.
        public static let badPoint = Code(rawValue: "badPoint")
        /// The file contains no usable points.
        public static let noPoints = Code(rawValue: "noPoints")
        /// The points have no times, so a speed is required.
        public static let noTimes = Code(rawValue: "noTimes")
        /// The speed is zero, negative or not finite.
        public static let badSpeed = Code(rawValue: "badSpeed")
    }

    /// The kind of error.
    public let code: Code
    /// The file's name or path as passed by the caller.
    public let file: String
    /// The line number, from 1; `nil` if the error concerns the whole file.
    public let line: Int?
    /// A description of the error, without the file and the line.
    public let reason: String

    init(_ code: Code, file: String, line: Int? = nil, _ reason: String) {
        self.code = code
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// The file, the line and the reason, such as
    /// `walk.gpx:12: the latitude is not a number from -90 to 90: "95"`.
    public var description: String {
        line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)"
    }
}
