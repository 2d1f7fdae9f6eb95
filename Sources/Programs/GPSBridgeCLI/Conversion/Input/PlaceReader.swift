// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// Reads the waypoints and routes of a file before a conversion reads its fixes.
struct PlaceReader {
    private static let chunk = 1 << 16

    private let recording: Recording
    private var input: RecordedInput
    private var buffer = [UInt8](repeating: 0, count: PlaceReader.chunk)
    private var isOver = false

    /// Creates a reader. Returns `nil` if the recording cannot be read twice (a pipe), or is plain
    /// NMEA, which contains no waypoints or routes.
    init?(_ recording: Recording) {
        guard Self.canRead(recording) else { return nil }
        self.recording = recording
        input = RecordedInput(name: FileName.shown(recording.name), keepsWaypoints: true)
    }

    /// Returns whether a recording can be read twice, and may contain waypoints or routes.
    static func canRead(_ recording: Recording) -> Bool {
        recording.size != nil && recording.name != "-" && recording.sentenceSource == nil
    }

    /// Returns the waypoints and routes in the next bytes. At the end, or if the format turns out
    /// to store neither, rewinds the recording and returns `nil`. Damage is treated as the end,
    /// because the conversion of the fixes reports it later.
    ///
    /// - Throws: `CancellationError` on a signal.
    mutating func next() throws -> [InputEvent]? {
        guard !isOver, input.mayHavePlaces else {
            recording.rewind()
            return nil
        }
        var places: [InputEvent] = []
        func receive(_ event: InputEvent) {
            switch event {
            case .waypoint, .route: places.append(event)
            case .fix, .satellites, .segment: break
            }
        }
        do {
            let count = try recording.read(into: &buffer)
            isOver = count == nil
            try input.push(
                buffer[..<(count ?? 0)], isLast: isOver, sentences: { _ in }, receive)
        } catch let error as CancellationError {
            throw error
        } catch is Recording.DamageError {
            isOver = true
            // The damage is the reason for any error in the rest.
            try? input.push([], isCutOff: true, sentences: { _ in }, receive)
        } catch {
            isOver = true
        }
        return places
    }
}
