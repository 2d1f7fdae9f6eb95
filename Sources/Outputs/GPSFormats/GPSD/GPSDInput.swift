// SPDX-License-Identifier: MIT
import GNSS
import GPSDObjects

/// Reads gpsd's objects in a file with a `GPSDReader`, and counts what it cannot read.
struct GPSDInput: JSONFormat {
    let formatName = "gpsd's JSON"
    private var reader = GPSDReader()
    private(set) var leftOut = LeftOut()

    mutating func handle(
        _ event: JSONScanner.Event, _ path: JSONScanner.Path, _ receive: (InputEvent) -> Void
    ) {
        // A closure cannot change one member of `self` during a change of another one.
        var leftOut = leftOut
        reader.handle(event, path) { Self.pass($0, to: receive, &leftOut) }
        self.leftOut = leftOut
    }

    mutating func finish(_ receive: (InputEvent) -> Void) {
        var leftOut = leftOut
        reader.finish { Self.pass($0, to: receive, &leftOut) }
        self.leftOut = leftOut
    }

    /// Drops the current object, because the rest of it is missing.
    mutating func dropObject() { reader.dropObject() }

    private static func pass(
        _ event: GPSDReader.Event, to receive: (InputEvent) -> Void, _ leftOut: inout LeftOut
    ) {
        switch event {
        case .fix(let fix, let view): receive(.fix(fix, view))
        case .satellites(let view): receive(.satellites(view))
        case .otherDevice: receive(.segment)
        case .unreadable(let value, let text, let object):
            leftOut.add(LeftOut.Reason(value), "object", object, text)
        }
    }

    var warning: String? {
        reader.alternates
            ? "contains fixes of several receivers, which alternate in one track: select those of "
                + "one receiver with `grep '\"device\":\"NAME\"'`" : nil
    }
}

extension LeftOut.Reason {
    fileprivate init(_ value: GPSDReader.Value) {
        switch value {
        case .time: self = .time
        case .position: self = .position
        case .number(let name): self.init("value", "of \"\(name)\" in an unknown form")
        }
    }
}

/// Reads gpsd's objects from a log that has a prefix in front of each line, such as the time that
/// `gpspipe -w -t` writes. Lines without an object are skipped.
///
///     2026-03-21 12:00:00.123: {"class":"TPV","mode":2,"lat":48.2,"lon":16.3}
package struct GPSDLogInput: InputFamily {
    private var reader: JSONInput
    package var content: any InputContent { reader }
    /// Whether the object of the current line has not begun.
    private var isInPrefix = true

    /// Creates a reader. `file` is the file's name for errors.
    package init(file: String) {
        reader = JSONInput(file: file)
    }

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
