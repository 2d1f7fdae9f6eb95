// SPDX-License-Identifier: MIT
package import GNSS
import Glibc

/// Tracks whether the time reaches its destinations, and creates messages about changes.
package struct ClockReports: Sendable {
    /// A destination of the time.
    package struct Target: Sendable {
        /// A socket's path, or `shm` and a unit.
        package let name: String
        /// The number of samples that have reached it.
        package fileprivate(set) var count = 0
        fileprivate var watch: OutageWatch

        /// Whether time reaches it, as last reported; `nil` if nothing has been reported.
        package var isReached: Bool? { watch.works }
    }

    /// chronyd's sockets, followed by the units of NTP's shared memory.
    package private(set) var targets: [Target]
    private let socketCount: Int
    private let pulseDevice: String?
    /// The user with whose rights the time is sent.
    private let sender: String
    private var pulseWatch = OutageWatch(delay: .seconds(10))

    /// Creates reports for destinations to which nothing has been sent.
    package init(sockets: [String], units: [Int], pulseDevice: String?) {
        // chronyd may be restarted; a reader of shared memory polls once a second.
        targets =
            sockets.map { Target(name: $0, watch: OutageWatch(delay: .seconds(2))) }
            + units.map { Target(name: "shm \($0)", watch: OutageWatch(delay: .seconds(10))) }
        socketCount = sockets.count
        self.pulseDevice = pulseDevice
        let user = geteuid()
        sender = getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
    }

    /// Records the results of a sample: an `errno` for each socket, and whether each unit was read;
    /// `nil` if nothing was sent or the result is unknown. Returns the messages to log.
    package mutating func note(
        results: [CInt?], areRead: [Bool?], hasPulse: Bool, at now: MonotonicInstant
    ) -> [String] {
        var news: [String] = []
        let outcomes = results.map { $0.map { error in error == 0 } } + areRead
        for (index, outcome) in outcomes.enumerated() where targets.indices.contains(index) {
            guard let outcome else { continue }
            targets[index].count += outcome ? 1 : 0
            guard targets[index].watch.isNews(works: outcome, at: now) else { continue }
            let name = targets[index].name
            if index < socketCount {
                news.append(words(name, results[index] ?? 0))
            } else {
                news.append(
                    outcome
                        ? "the time goes to NTP's shared memory (\(name)), where a program reads it"
                        : "the time is in NTP's shared memory (\(name)), but no program reads it: give chronyd "
                            + "'refclock SHM \(name.dropFirst(4))' and start it again")
            }
        }
        if let pulseDevice, pulseWatch.isNews(works: hasPulse, at: now) {
            news.append(
                hasPulse
                    ? "pulses on \(pulseDevice) mark the seconds"
                    : "no time of pulses is sent: no pulse on \(pulseDevice) comes once a second, 0 to 0.9 s "
                        + "before the sentences")
        }
        return news
    }

    private func words(_ path: String, _ error: CInt) -> String {
        guard error != 0 else { return "the time goes to chronyd at \(path)" }
        let remedy =
            switch error {
            case ENOENT, ENOTDIR:
                "there is no such socket: give chronyd 'refclock SOCK \(path) refid GPS' and start it"
            case ECONNREFUSED: "chronyd, which has made it, no longer runs: start it"
            case EACCES, EPERM:
                "'\(sender)' may not write to it: start this program as root, or give that user access"
            case EPROTOTYPE, ENOTSOCK: "it is not the socket of a reference clock"
            case EAGAIN, ENOBUFS: "chronyd does not read it"
            case ESRCH: "the process that sends it has ended: start this program again"
            default: String(cString: strerror(error))
            }
        return "no time reaches chronyd at \(path): \(remedy)"
    }
}
