// SPDX-License-Identifier: MIT
import GPSFiles
import GPSFormats

/// Decodes the bytes of a recording: sentences, or a format that `InputDetector` detects by the first
/// bytes.
struct RecordedInput {
    private enum State {
        case detecting(InputDetector)
        case sentences
        case reader(any InputReader)
        case finished(name: String, lack: String?)
    }

    private var state: State

    /// Creates a decoder; `name` is the file's name in errors.
    init(name: String) {
        state = .detecting(InputDetector(file: name))
    }

    /// A decoder for a file that is known to have sentences.
    static var sentences: RecordedInput {
        var input = RecordedInput(name: "")
        input.state = .sentences
        return input
    }

    /// Returns the format of a file from its first bytes; `nil` for NMEA and unknown formats.
    static func formatName(of head: [UInt8]) -> String? {
        var input = RecordedInput(name: "")
        // Errors are reported when it is read.
        try? input.push(head[...], isLast: true, sentences: { _ in }, { _ in })
        return input.formatName
    }

    /// Whether a file with these first bytes is NMEA or of an unknown format.
    static func isSentences(_ head: ArraySlice<UInt8>) -> Bool {
        var detector = InputDetector(file: "")
        if case .sentences = detector.push(head) { return true }
        return false
    }

    /// The reason why a file of another format has no position; `nil` if unknown.
    var lack: String? {
        switch state {
        case .reader(let reader): reader.lack
        case .finished(_, let lack): lack
        case .detecting, .sentences: nil
        }
    }

    /// The name of the format if it is not NMEA; `nil` until it is detected.
    var formatName: String? {
        switch state {
        case .reader(let reader): reader.formatName
        case .finished(let name, _): name
        case .detecting, .sentences: nil
        }
    }

    /// Passes sentences to `sentences`, and the content of other formats to `receive`.
    ///
    /// Throws an `InputError` if the file is damaged, after passing on everything before the damage.
    mutating func push(
        _ bytes: ArraySlice<UInt8>, isLast: Bool = false,
        sentences: (ArraySlice<UInt8>) -> Void, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        switch state {
        case .detecting(var detector):
            let decision = detector.push(bytes, isLast: isLast)
            let head = detector.bytes
            switch decision {
            case .undecided: return state = .detecting(detector)
            case .sentences: state = .sentences
            case .reader(let reader): state = .reader(reader)
            }
            try push(head[...], isLast: isLast, sentences: sentences, receive)
        case .sentences: sentences(bytes)
        case .reader(var reader):
            defer {
                state =
                    isLast
                    ? .finished(name: reader.formatName, lack: reader.lack) : .reader(reader)
            }
            try reader.push(bytes, receive)
            if isLast { try reader.finish(receive) }
        case .finished: break
        }
    }
}
