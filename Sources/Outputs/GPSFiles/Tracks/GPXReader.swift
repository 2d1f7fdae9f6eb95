// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// Parses a GPX file in chunks and collects its points.
struct GPXReader {
    private let name: String
    private var input: XMLInput
    private var fixes: [Fix] = []

    init(name: String) throws(GPXError) {
        guard let input = XMLInput(file: name, keepsLines: true) else {
            throw GPXError(.unreadable, file: name, "cannot be read: out of memory")
        }
        self.name = name
        self.input = input
    }

    /// Parses the next bytes.
    mutating func push(_ bytes: ArraySlice<UInt8>, isLast: Bool) throws(GPXError) {
        var new: [Fix] = []
        func receive(_ event: InputEvent) {
            if case .fix(let fix, _) = event { new.append(fix) }
        }
        do throws(InputError) {
            try input.push(bytes, receive)
            if isLast { try input.finish(receive) }
        } catch {
            let code: GPXError.Code =
                !input.isWellFormed ? .malformed : input.formatName == "GPX" ? .badPoint : .notGPX
            throw GPXError(code, file: name, line: error.line, error.reason)
        }
        fixes += new
        guard !isLast || input.formatName == "GPX" else {
            throw GPXError(.notGPX, file: name, line: 1, "this is \(input.formatName), not GPX")
        }
    }

    /// The points of all tracks or, in a file without tracks, of all routes.
    var points: [GPXPoint] {
        zip(fixes, input.lines).compactMap { fix, line in
            fix.coordinate.map {
                GPXPoint($0, elevation: fix.altitude, time: fix.time, line: line)
            }
        }
    }
}
