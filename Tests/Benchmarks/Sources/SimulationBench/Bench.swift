// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import Glibc
import SimulatedDevices

/// `simulation-bench`: measures how many simulated receivers a machine can run.
///
/// `GPSBRIDGE_SECONDS` sets the duration of the measurement (default: 10).
@main
enum Bench {
    private static let seconds = getenv("GPSBRIDGE_SECONDS").flatMap { atof($0) } ?? 10

    static func main() async throws {
        print("one receiver, 1 Hz, by steps:")
        for name in ["generic", "nmea20", "ublox8", "ublox9", "lc29h"] {
            guard let personality = Personality.named(name) else { continue }
            print("  \(name): \(try await Stepped(personality).times) x real time")
        }
        print("200 receivers, 10 Hz, on ttys, each with its reader, \(Int(seconds)) s:")
        let fleet = try Fleet(count: 200, rate: 10)
        print(try await fleet.run(for: seconds))
    }
}
