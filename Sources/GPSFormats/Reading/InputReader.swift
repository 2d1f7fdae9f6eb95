// SPDX-License-Identifier: MIT

/// Reads fixes from a file that is not NMEA, in pieces of any size and in bounded memory.
///
/// Values that the file lacks stay `nil`; a date is never assumed. Of altitude, ellipsoidal altitude and geoid
/// separation, the third is computed if two are known.
package protocol InputReader {
    /// The format's name in messages: `GPX`.
    var formatName: String { get }

    /// The content of a file without usable positions, such as waypoints. Default: `nil` (unknown).
    var lack: String? { get }

    /// Reads the next bytes.
    ///
    /// Throws an `InputError` with the line if the file is not of this format, after passing on everything
    /// before it.
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
