// SPDX-License-Identifier: MIT
package import GNSS
import Glibc

/// Tracks whether the time reaches each clock service, and creates log messages about changes.
package struct ClockReports: Sendable {
    /// A clock service to which the time is sent.
    package struct Target: Sendable {
        /// The name of the target: a socket's path, or `shm` and a unit, such as `shm 2`.
        package let name: String
        /// The number of samples that the target has received.
        package fileprivate(set) var count = 0
        fileprivate var watch: OutageWatch

        /// Whether the time reaches the target, according to the last message; `nil` before the
        /// first message.
        package var isReached: Bool? { watch.works }
    }

    /// The targets: chronyd's sockets, then the units of NTP's shared memory.
    package private(set) var targets: [Target]
    private let socketCount: Int
    private let pulseDevice: String?
    /// The name of the user whose privileges are used for sending.
    private let sender: String
    private var pulseWatch = OutageWatch(delay: .seconds(10))

    /// Creates a tracker for chronyd's sockets and the units of shared memory, to which nothing has
    /// been sent.
    package init(sockets: [String], units: [Int], pulseDevice: String?) {
        // The delays allow for a restart of chronyd, and for readers that poll shared memory once a
        // second.
        targets =
            sockets.map { Target(name: $0, watch: OutageWatch(delay: .seconds(2))) }
            + units.map { Target(name: "shm \($0)", watch: OutageWatch(delay: .seconds(10))) }
        socketCount = sockets.count
        self.pulseDevice = pulseDevice
        let user = geteuid()
        sender = getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
    }

    /// Records the results of a sample, and returns the messages to log. `results` contains 0 or an
    /// `errno` for each socket, and `areRead` whether each unit was read. An element is `nil` if
    /// nothing was sent or the result is unknown.
    package mutating func note(
        results: [CInt?], areRead: [Bool?], hasPulse: Bool, at now: MonotonicInstant
    ) -> [String] {
        var messages: [String] = []
        let outcomes = results.map { $0.map { error in error == 0 } } + areRead
        for (index, outcome) in outcomes.enumerated() where targets.indices.contains(index) {
            guard let outcome else { continue }
            targets[index].count += outcome ? 1 : 0
            guard targets[index].watch.shouldReport(isWorking: outcome, at: now) else { continue }
            let name = targets[index].name
            if index < socketCount {
                messages.append(text(name, results[index] ?? 0))
            } else {
                messages.append(
                    outcome
                        ? "the time goes to NTP's shared memory (\(name)), and a program reads it"
                        : "the time is in NTP's shared memory (\(name)), but no program reads it: add "
                            + "'refclock SHM \(name.dropFirst(4))' to chrony.conf, and restart chronyd"
                )
            }
        }
        if let pulseDevice, pulseWatch.shouldReport(isWorking: hasPulse, at: now) {
            messages.append(
                hasPulse
                    ? "pulses on \(pulseDevice) are used: they mark the seconds"
                    : "pulses on \(pulseDevice) are not used, because they do not arrive once per "
                        + "second, at most 0.9 s before the sentences: check that the receiver "
                        + "has a fix and sends one pulse per second"
            )
        }
        return messages
    }

    private func text(_ path: String, _ error: CInt) -> String {
        guard error != 0 else { return "the time goes to chronyd at \(path)" }
        let remedy =
            switch error {
            case ENOENT, ENOTDIR:
                "there is no such socket: add 'refclock SOCK \(path) refid GPS' to chrony.conf, and start chronyd"
            case ECONNREFUSED:
                "chronyd, which created this socket, is no longer running: start chronyd"
            case EACCES, EPERM:
                "user '\(sender)' is not allowed to write to this socket: start this program as "
                    + "root, or give that user access"
            case EPROTOTYPE, ENOTSOCK:
                "this is not the socket of a reference clock: give the same path as the "
                    + "line 'refclock SOCK' in chrony.conf"
            case EAGAIN, ENOBUFS: "chronyd does not read this socket: restart chronyd"
            case ESRCH: "the process that sends the time has ended: start this program again"
            default: String(cString: strerror(error))
            }
        return "no time reaches chronyd at \(path): \(remedy)"
    }
}
