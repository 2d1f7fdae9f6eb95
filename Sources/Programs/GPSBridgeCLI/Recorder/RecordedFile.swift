// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSFiles
import GPSFormats
import GPSIO
import GPSReceivers

/// Describes the file to record to: its name, format, compression and rotation.
struct RecordedFile: Sendable {
    /// The path of the file without the time, which is inserted if files are rotated, or if the
    /// user gave no name.
    let path: String
    /// Whether the user gave no name, so that the name contains the time at which the file begins.
    let isNamedByTime: Bool
    /// The output format; `nil` for the receiver's bytes.
    let format: (any OutputFormat.Type)?
    let compression: CompressionFormat?
    let rotation: Rotation?
    let selection: FixSelection
    /// Additional columns of CSV.
    let columns: OutputColumns

    /// Creates the encoder of the file's format. `isCopy` states whether a recording is copied as
    /// fast as possible, so that the times of arrival have no meaning.
    func content(isCopy: Bool = false) -> any RecordContent {
        format.map { FixContent(to: $0, selecting: selection, columns: columns) }
            ?? RawContent(isCopy: isCopy)
    }

    /// Opens the file. `inputs` are the paths of the recordings that are read, which must not be
    /// overwritten.
    ///
    /// - Throws: `RecordFile.Failure`, or `UsageError` if the system's clock is not set.
    func target(
        _ content: any RecordContent, avoiding inputs: [String] = []
    ) throws -> RecordTarget {
        guard let now = SystemClock.now else {
            throw UsageError("the system's clock is not set: set it with `sudo date --set=TIME`")
        }
        let path =
            isNamedByTime && rotation == nil ? RecordName(self.path).unusedPath(at: now) : self.path
        return try RecordTarget(
            path, rotation, content, compression.map(CompressedCoding.init) ?? PlainCoding(),
            avoiding: try inputs.compactMap { try Recording($0).file }, at: now)
    }

    /// Records the receiver of a source until `work`, which also reads it, ends.
    ///
    /// - Throws: The error of `work` or of the recording. If recording fails, `work` is cancelled.
    ///   If both are cancelled, `CancellationError`, or the `ExitStatus` that one of them throws.
    func record(
        _ source: any DeviceSource, while work: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            let subscribed = Promise<Void>()
            group.addTask {
                let content = content()
                let target = try target(content)
                var recorder = Recorder(
                    source, messages: .ofFile, isShared: true, content: content, target: target)
                try await recorder.run { subscribed.fulfill(()) }
                return false
            }
            group.addTask {
                try await subscribed.value
                try await work()
                return true
            }
            defer { group.cancelAll() }
            do {
                while let isWork = try await group.next() {
                    if isWork { group.cancelAll() }
                }
            } catch is CancellationError {
                // The recording ends after `work`, and only then reports whether bytes were lost.
                try await group.endCancelled()
            }
        }
    }
}
