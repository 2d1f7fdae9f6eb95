// SPDX-License-Identifier: MIT

/// A place that bytes come from. It knows nothing of sentences.
public protocol DeviceSource: Sendable {
    /// What a user calls it: `/dev/ttyUSB0`, `-`, `track.nmea`.
    var name: String { get }

    /// Whether its bytes are live, recorded or invented.
    var origin: DataOrigin { get }

    /// Which receiver it is; equal for two sources that would read the same one.
    ///
    /// Ask when reading starts: a link may point elsewhere later.
    var identity: SourceIdentity { get }

    /// How many times faster than recorded a recording is read, infinite for as fast as it can be.
    /// Whoever reads keeps the pace; 1 unless given.
    var replaySpeed: Double { get }

    /// Whether its bytes wait until they are read, as those of a file or a pipe do; a reader may take
    /// its time then. By default whether it is a recording.
    var canWait: Bool { get }

    /// Opens the source.
    ///
    /// Never waits for a device to appear: throws `.notFound` or `.noReceiver` instead.
    func open() async throws(DeviceError) -> any DeviceConnection

    /// Opens the source for a reader that can detect messages: if the line's rate is not known, the
    /// connection finds it by listening for them.
    ///
    /// Throws as `open()` does, and is the same unless a source has something to find out.
    func open(
        detectingWith makeDetector: @escaping MessageDetectorFactory
    ) async throws(DeviceError) -> any DeviceConnection

    /// Watches from now on for the device to come (back); make it before the first `open()`.
    ///
    /// Nil where what ends never comes back, as with a regular file.
    func availability() -> (any DeviceAvailability)?
}

extension DeviceSource {
    /// Whether it is a recording.
    public var canWait: Bool { origin == .replay }

    /// As fast as recorded.
    public var replaySpeed: Double { 1 }

    /// Nothing to be found out.
    public func open(
        detectingWith makeDetector: @escaping MessageDetectorFactory
    ) async throws(DeviceError) -> any DeviceConnection {
        try await open()
    }
}

/// Where bytes come from in the end; shown wherever the data is shown.
public enum DataOrigin: Sendable {
    /// A receiver, now.
    case live
    /// A recording.
    case replay
    /// Invented.
    case simulated
}
