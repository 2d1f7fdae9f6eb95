// SPDX-License-Identifier: MIT

/// Reads fixes from a file that is not NMEA, in pieces of any size and bounded memory.
///
/// A property that the file does not have stays `nil`; a date is never assumed. The altitude, the
/// altitude above the ellipsoid and the geoid separation are completed where two of them are known.
package protocol InputReader {
    /// The format's name in messages: `GPX`.
    var formatName: String { get }

    /// The content of a file without positions that are read, such as waypoints. Default: `nil`, not known.
    var lack: String? { get }

    /// Reads the next bytes.
    ///
    /// Throws an `InputError` with the line if the file is not of this format; everything before
    /// it has been received.
    mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (InputEvent) -> Void
    ) throws(InputError)

    /// Reads the end of the file.
    ///
    /// Throws an `InputError` if the file is cut off.
    mutating func finish(_ receive: (InputEvent) -> Void) throws(InputError)
}

extension InputReader {
    /// Default: `nil`.
    package var lack: String? { nil }
}
