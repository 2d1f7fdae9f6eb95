// SPDX-License-Identifier: MIT
import GPSFiles
import GPSFormats

/// The bytes of a recording: sentences, or one of the formats that `InputDetector` knows, found by the first bytes.
struct RecordedInput {
    private enum State {
        case detecting(InputDetector)
        case sentences
        case reader(any InputReader)
        case finished(name: String, lack: String?)
    }

    private var state: State

    /// `name` is the file's name in errors.
    init(name: String) {
        state = .detecting(InputDetector(file: name))
    }

    /// The bytes of a file that is known to have sentences.
    static var sentences: RecordedInput {
        var input = RecordedInput(name: "")
        input.state = .sentences
        return input
    }

    /// The format of a file that begins so; `nil` for NMEA, and where it is not recognised.
    static func formatName(of head: [UInt8]) -> String? {
        var input = RecordedInput(name: "")
        // Errors are reported when it is read.
        try? input.push(head[...], isLast: true, sentences: { _ in }, { _ in })
        return input.formatName
    }

    /// Whether a file that begins so is NMEA, or of a format that is not recognised.
    static func isSentences(_ head: ArraySlice<UInt8>) -> Bool {
        var detector = InputDetector(file: "")
        if case .sentences = detector.push(head) { return true }
        return false
    }

    /// The reason why a file of another format has no position; `nil` if it is unknown.
    var lack: String? {
        switch state {
        case .reader(let reader): reader.lack
        case .finished(_, let lack): lack
        case .detecting, .sentences: nil
        }
    }

    /// The name of a format other than NMEA, once it is known.
    var formatName: String? {
        switch state {
        case .reader(let reader): reader.formatName
        case .finished(let name, _): name
        case .detecting, .sentences: nil
        }
    }

    /// Hands bytes of sentences to `sentences`, and what other formats contain to `receive`.
    ///
    /// Throws an `InputError` if the file is damaged; everything before it has been handed over.
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
