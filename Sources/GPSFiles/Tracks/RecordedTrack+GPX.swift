// SPDX-License-Identifier: MIT
public import SimulatedDevices

extension RecordedTrack {
    /// Reads the track of a GPX file. If `speed` is `nil`, uses the times of its points; otherwise
    /// a constant speed in metres per second.
    ///
    /// Throws the errors of `GPXFile`, such as `.noTimes` if there are neither times nor a speed.
    public init(gpx path: String, speed: Double? = nil) throws(GPXError) {
        let file = try GPXFile(path: path)
        if let speed {
            self = try file.track(speed: speed)
        } else {
            self = try file.track()
        }
    }
}
