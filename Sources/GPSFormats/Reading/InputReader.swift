// SPDX-License-Identifier: MIT

/// Reads fixes from a file in a format other than NMEA. It accepts chunks of any size and uses
/// bounded memory.
///
/// Values that are missing in the file stay `nil`, and a date is never assumed. If two of altitude,
/// ellipsoidal altitude and geoid separation are known, the third is computed.
package protocol InputReader {
    /// The format's name in messages: `GPX`.
    var formatName: String { get }

    /// For a file without usable positions, what it contains instead: `waypoints, but no track and
    /// no route`. Default: `nil` (unknown).
    var unusableContent: String? { get }

    /// Whether the rest of the file may contain waypoints or routes. Default: `false`.
    var mayHavePlaces: Bool { get }

    /// A warning that values of the file are not in the result, or that the content makes it useless
    /// for most purposes. It continues a sentence that begins with the file's name. Default: `nil` (none).
    var warning: String? { get }

    /// Reads the next bytes.
    ///
    /// Throws an `InputError` if the file does not have this format. Everything before the error
    /// has then been passed to `receive`.
    mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (InputEvent) -> Void
    ) throws(InputError)

    /// Ends the input, and passes on what is still buffered.
    ///
    /// Throws an `InputError` if the file is truncated.
    mutating func finish(_ receive: (InputEvent) -> Void) throws(InputError)
}

extension InputReader {
    /// Default: `nil`.
    package var unusableContent: String? { nil }

    /// Default: `false`.
    package var mayHavePlaces: Bool { false }

    /// Default: `nil`.
    package var warning: String? { nil }
}
