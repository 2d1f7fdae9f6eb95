// SPDX-License-Identifier: MIT

/// The reason why a GPX file cannot be read as a track, with the file and the place in it.
public struct GPXError: Error, Hashable, CustomStringConvertible {
    /// The kind of error; more may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A short name.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The file cannot be read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The file is not well-formed XML.
        public static let malformed = Code(rawValue: "malformed")
        /// It is XML, but not GPX.
        public static let notGPX = Code(rawValue: "notGPX")
        /// A point without a latitude and longitude on Earth, or with an elevation or time that is
        /// none.
        public static let badPoint = Code(rawValue: "badPoint")
        /// There is neither a track nor a route with a point.
        public static let noPoints = Code(rawValue: "noPoints")
        /// A track without times can only be passed at a given speed.
        public static let noTimes = Code(rawValue: "noTimes")
        /// A speed that is not above zero.
        public static let badSpeed = Code(rawValue: "badSpeed")
    }

    /// The kind of error.
    public let code: Code
    /// The file, as it was named.
    public let file: String
    /// The line, from 1; `nil` if it is about all of the file.
    public let line: Int?
    /// The reason, in words.
    public let reason: String

    init(_ code: Code, file: String, line: Int? = nil, _ reason: String) {
        self.code = code
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// `walk.gpx:12: the latitude is not a number from -90 to 90: "95"`.
    public var description: String {
        line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)"
    }
}
