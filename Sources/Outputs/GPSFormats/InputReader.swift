// SPDX-License-Identifier: MIT
package import GNSS

/// Reads fixes from a file in a format other than NMEA. It accepts chunks of any size and uses
/// bounded memory.
///
/// Values that are missing in the file stay `nil`, and a date is never assumed. If two of altitude,
/// ellipsoidal altitude and geoid separation are known, the third is computed.
package protocol InputReader {
    /// The format's name in messages: `GPX`.
    var formatName: String { get }

    /// A description of the content of a file without usable positions, such as `waypoints, but no
    /// track and no route`. Default: `nil` (unknown).
    var unusableContent: String? { get }

    /// Whether the rest of the file may contain waypoints or routes. Default: `false`.
    var mayHavePlaces: Bool { get }

    /// A warning that values of the file were not read, or that the file is useless for most
    /// purposes. It is the rest of a sentence that begins with the file's name. Default: `nil`
    /// (none).
    var warning: String? { get }

    /// The parts of the file that are left out, because they cannot be read. Default: none.
    var leftOut: LeftOut { get }

    /// Reads the next bytes.
    ///
    /// Throws an `InputError` if the file does not have this format. Everything before the error
    /// has then been passed to `receive`.
    mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (InputEvent) -> Void
    ) throws(InputError)

    /// Ends the input, and passes on the data that is still buffered.
    ///
    /// Throws an `InputError` if the file is truncated.
    mutating func finish(_ receive: (InputEvent) -> Void) throws(InputError)

    /// Ends an input whose rest is lost, because compressed data is damaged or cut off. Passes on
    /// the complete data that is still buffered. Default: the same as `finish`, without its error,
    /// which would only report the lost rest.
    mutating func finishDamaged(_ receive: (InputEvent) -> Void)
}

extension InputReader {
    /// Default: `nil` (unknown).
    package var unusableContent: String? { nil }

    /// Default: `false` (the rest of the input has no waypoints or routes).
    package var mayHavePlaces: Bool { false }

    /// Default: `nil` (no warning).
    package var warning: String? { nil }

    /// Default: nothing is left out.
    package var leftOut: LeftOut { LeftOut() }

    /// Default: the same as `finish`, without its error.
    package mutating func finishDamaged(_ receive: (InputEvent) -> Void) {
        try? finish(receive)
    }
}

/// An element that an `InputReader` has read.
package enum InputEvent: Sendable {
    /// A fix, and the satellites in view at its time; `nil` if the file does not list them.
    case fix(Fix, SatelliteView? = nil)
    /// The satellites in view at a time without a fix.
    case satellites(SatelliteView)
    /// A waypoint. Only readers with `keepsWaypoints` pass on waypoints.
    case waypoint(Waypoint)
    /// A route. Only readers with `keepsWaypoints` pass on routes.
    case route(Route)
    /// The end of a segment. The next fix begins another one.
    case segment
}

/// The reason why a file cannot be read, with the file's name and the line.
package struct InputError: Error, Hashable, CustomStringConvertible {
    /// The file's name as given.
    package let file: String
    /// The line number, from 1; `nil` if the error concerns the whole file.
    package let line: Int?
    /// The reason as text.
    package let reason: String

    package init(_ file: String, line: Int? = nil, _ reason: String) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// The error as text: `walk.gpx:12: the latitude is not a number from -90 to 90: "95"`.
    package var description: String {
        line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)"
    }
}
