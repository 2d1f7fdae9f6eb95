// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import Glibc
import Synchronization

/// A file with the ground truth as JSON Lines, with one line per epoch.
///
///     {"seconds":0.0,"time":"2026-03-20T09:46:40.000Z","lat":48.2075,"lon":16.3634,"alt":171.0,
///      "speed":10.0,"course":90.0,"climb":0.0,"satellites":[{"id":"G05","elevation":41.2,"azimuth":…}]}
///
/// Units are SI and degrees; `alt` is above mean sea level; `course` is omitted at rest.
/// `satellites` contains all satellites above the horizon, even if they are not tracked. During an
/// attack, `attacks` lists it with its start and end in seconds:
/// `[{"fault":"drag-off","start":600.0,"end":660.0}]`.
package final class TruthFile: SimulationOutput {
    private let descriptor: Mutex<Descriptor>
    private let path: String

    /// Creates the file, or truncates it if it exists. Throws a ``SimulationError`` if it cannot be
    /// opened.
    package init(_ path: String) throws(SimulationError) {
        self.path = path
        descriptor = Mutex(try Self.open(path, O_TRUNC))
    }

    /// Lines are appended, so that they leave no hole if another program truncates the file.
    private static func open(
        _ path: String, _ option: CInt
    ) throws(SimulationError) -> Descriptor {
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        let fd = Glibc.open(FileName.native(path), flags | option, 0o666)
        guard fd >= 0 else {
            let error = errno
            throw SimulationError(
                "cannot write to \(path)", errno: error, IOError.reason(error, writing: path))
        }
        return Descriptor(fd)
    }

    /// The open file, or another one at the path if another program has deleted, renamed or
    /// replaced it.
    private func current() throws(SimulationError) -> Descriptor {
        let open = descriptor.withLock { $0 }
        guard let file = open.use(RegularFile.init) ?? nil, file != RegularFile(path: path) else {
            return open
        }
        let new = try Self.open(path, 0)
        descriptor.withLock { exchange(&$0, with: new) }.close()
        return new
    }

    /// Writes the epoch's ground truth. Waits for the reader of a pipe, so that no epoch is
    /// omitted.
    ///
    /// Throws a ``SimulationError`` if the disk is full or the pipe has been closed.
    package func begin(_ epoch: SimulatedEpoch) async throws {
        let line = Array((epoch.truth.json(after: epoch.seconds, epoch.attacks) + "\n").utf8)
        let error = try await current().write(all: line)
        guard error == 0 || error == ECANCELED else {
            throw SimulationError("cannot write to \(path)", errno: error)
        }
    }

    /// Does nothing, because the file contains only the ground truth.
    package func send(_ bytes: [UInt8]) {}

    package func close() {
        descriptor.withLock { $0 }.close()
    }
}

extension Truth {
    /// Returns the ground truth as one line of JSON.
    func json(after seconds: Double, _ attacks: [Fault]) -> String {
        var text = "{\"seconds\":\(seconds),\"time\":\"\(time)\""
        text += ",\"lat\":\(state.coordinate.latitude),\"lon\":\(state.coordinate.longitude)"
        text += ",\"alt\":\(state.altitude),\"speed\":\(state.speed)"
        if let course = state.course { text += ",\"course\":\(course)" }
        text += ",\"climb\":\(state.climb),\"satellites\":["
        text += satellites.map { satellite in
            "{\"id\":\"\(satellite.id)\",\"elevation\":\(Self.rounded(satellite.elevation))"
                + ",\"azimuth\":\(Self.rounded(satellite.azimuth))}"
        }.joined(separator: ",")
        text += "]"
        guard !attacks.isEmpty else { return text + "}" }
        let listed = attacks.map { attack in
            let end = attack.duration.map { ",\"end\":\(attack.start + $0)" } ?? ""
            return "{\"fault\":\"\(attack.kind.attackName ?? "")\",\"start\":\(attack.start)\(end)}"
        }
        return text + ",\"attacks\":[\(listed.joined(separator: ","))]}"
    }

    private static func rounded(_ degrees: Double) -> Double { (degrees * 100).rounded() / 100 }
}
