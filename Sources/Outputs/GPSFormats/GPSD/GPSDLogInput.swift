// SPDX-License-Identifier: MIT

/// Reads gpsd's objects from a log that has a prefix in front of each line, such as the time that
/// `gpspipe -w -t` writes. Lines without an object are skipped.
///
///     2026-03-21 12:00:00.123: {"class":"TPV","mode":2,"lat":48.2,"lon":16.3}
package struct GPSDLogInput: InputReader {
    private var reader: JSONInput
    /// Whether the object of the current line has not begun.
    private var isInPrefix = true

    /// Creates a reader. `file` is the file's name for errors.
    package init(file: String) {
        reader = JSONInput(file: file)
    }

    package var formatName: String { reader.formatName }
    package var unusableContent: String? { reader.unusableContent }
    package var warning: String? { reader.warning }

    package mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        var objects: [UInt8] = []
        objects.reserveCapacity(bytes.count)
        for byte in bytes {
            switch byte {
            // Line ends are kept, because errors have the number of the line.
            case 0x0A: isInPrefix = true
            case UInt8(ascii: "{"): isInPrefix = false
            case _ where isInPrefix: continue
            default: break
            }
            objects.append(byte)
        }
        try reader.push(objects[...], receive)
    }

    package mutating func finish(_ receive: (InputEvent) -> Void) throws(InputError) {
        try reader.finish(receive)
    }
}
