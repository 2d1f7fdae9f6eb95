// SPDX-License-Identifier: MIT
import GPSFiles
import GPSFormats

/// Decodes the bytes of a recording: sentences, or another format, which is detected from the first
/// bytes.
struct RecordedInput {
    private enum State {
        case detecting(InputDetector)
        case sentences
        case reader(any InputReader)
        /// The reader of a file that has been read completely.
        case finished(any InputReader)
    }

    private var state: State
    private var zeroPositions = ZeroPositions()

    /// Creates a decoder. `name` is the file's name for errors. Waypoints and routes are only
    /// passed on if `keepsWaypoints` is `true`.
    init(name: String, keepsWaypoints: Bool = false) {
        state = .detecting(InputDetector(file: name, keepsWaypoints: keepsWaypoints))
    }

    /// A decoder without format detection, for a file that is known to contain sentences.
    static var sentences: RecordedInput {
        var input = RecordedInput(name: "")
        input.state = .sentences
        return input
    }

    /// Returns the format of a file, determined from its first bytes; `nil` for NMEA and unknown
    /// formats.
    static func formatName(of head: [UInt8]) -> String? {
        var input = RecordedInput(name: "")
        // Errors are reported when the file is read.
        try? input.push(head[...], isLast: true, sentences: { _ in }, { _ in })
        return input.formatName
    }

    /// Returns whether a file with these first bytes is NMEA or has an unknown format.
    static func isSentences(_ head: ArraySlice<UInt8>) -> Bool {
        var detector = InputDetector(file: "")
        if case .sentences = detector.push(head) { return true }
        return false
    }

    /// The content of a file that has no positions, such as waypoints; `nil` if unknown.
    var unusableContent: String? { reader?.unusableContent }

    /// A warning about the content of a file that is not NMEA; `nil` if there is none.
    var warning: String? {
        let parts = [reader?.warning, leftOut.warning, zeroPositions.warning].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; it ")
    }

    /// The parts of a file that are left out because they cannot be read.
    var leftOut: LeftOut { reader?.leftOut ?? LeftOut() }

    /// Whether the rest of the file may contain waypoints or routes.
    var mayHavePlaces: Bool {
        switch state {
        case .detecting: true
        case .reader(let reader): reader.mayHavePlaces
        case .sentences, .finished: false
        }
    }

    /// The name of the format; `nil` for NMEA, and until the format is detected.
    var formatName: String? { reader?.formatName }

    private var reader: (any InputReader)? {
        switch state {
        case .reader(let reader), .finished(let reader): reader
        case .detecting, .sentences: nil
        }
    }

    /// Decodes bytes. Calls `sentences` with bytes of NMEA, and `receive` with the content of other
    /// formats. `isLast` marks the end of the file. `isCutOff` also does, if the rest of the file is
    /// lost, because compressed data is damaged or cut off.
    ///
    /// - Throws: `InputError` if the file is damaged. All data before the damage is passed on
    ///   first.
    mutating func push(
        _ bytes: ArraySlice<UInt8>, isLast: Bool = false, isCutOff: Bool = false,
        sentences: (ArraySlice<UInt8>) -> Void, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        switch state {
        case .detecting(var detector):
            switch detector.push(bytes, isLast: isLast || isCutOff) {
            case .undecided where !isCutOff: return state = .detecting(detector)
            case .undecided, .sentences: state = .sentences
            case .reader(let reader): state = .reader(reader)
            }
            try push(
                detector.bytes[...], isLast: isLast, isCutOff: isCutOff, sentences: sentences,
                receive)
        case .sentences: sentences(bytes)
        case .reader(var reader):
            defer { state = isLast || isCutOff ? .finished(reader) : .reader(reader) }
            var zeroPositions = self.zeroPositions
            defer { self.zeroPositions = zeroPositions }
            try reader.push(bytes) { zeroPositions.pass($0, receive) }
            if isCutOff {
                reader.finishDamaged { zeroPositions.pass($0, receive) }
            } else if isLast {
                try reader.finish { zeroPositions.pass($0, receive) }
            }
            if isCutOff || isLast { zeroPositions.finish(receive) }
        case .finished: break
        }
    }
}
