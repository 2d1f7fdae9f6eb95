// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import Glibc

/// Parses a GPX file in chunks, and passes on its content.
struct GPXReader {
    private let name: String
    private var input: XMLInput

    /// Creates a reader. `name` is the file's name or path. If `keepsWaypoints` is `true`,
    /// waypoints and routes are passed on as separate events.
    init(name: String, keepsWaypoints: Bool = false) throws(GPXError) {
        let input = XMLInput(
            file: name, keepsLines: !keepsWaypoints, keepsWaypoints: keepsWaypoints)
        guard let input else {
            throw GPXError(.unreadable, file: name, "cannot be read: out of memory")
        }
        self.name = name
        self.input = input
    }

    /// The lines at which the points of the file begin, from 1.
    var lines: [Int] { input.lines }

    /// Reads the file whose path is the reader's name. Throws `.unreadable` if it cannot be read,
    /// and the errors of `push`.
    mutating func readFile(_ receive: (InputEvent) -> Void) throws(GPXError) {
        let descriptor = open(FileName.native(name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(errno) }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(errno) }
            try push(buffer[..<count], isLast: count == 0, receive)
            if count == 0 { return }
        }
    }

    private func unreadable(_ number: CInt) -> GPXError {
        GPXError(.unreadable, file: name, "cannot be read: \(String(cString: strerror(number)))")
    }

    /// Parses the next bytes. Throws `.malformed`, `.notGPX` or `.badPoint`, with the line.
    mutating func push(
        _ bytes: ArraySlice<UInt8>, isLast: Bool, _ receive: (InputEvent) -> Void
    ) throws(GPXError) {
        do throws(InputError) {
            try input.push(bytes, receive)
            if isLast { try input.finish(receive) }
        } catch {
            let code: GPXError.Code =
                !input.isWellFormed ? .malformed : input.formatName == "GPX" ? .badPoint : .notGPX
            throw GPXError(code, file: name, line: error.line, error.reason)
        }
        guard !isLast || input.formatName == "GPX" else {
            throw GPXError(.notGPX, file: name, line: 1, "this is \(input.formatName), not GPX")
        }
    }
}
