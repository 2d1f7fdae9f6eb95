// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import Glibc

/// Sends notifications to systemd if systemd started this process as a service.
///
/// The corresponding C function is `sd_notify`, which sends a datagram.
package struct ServiceManager: Sendable {
    /// The connection to the service manager; `nil` if this process does not run as a service.
    package static let shared = ServiceManager()

    /// The path of the notification socket. A leading `@` marks an abstract name.
    private let path: String

    private init?() {
        guard let path = Self.variable("NOTIFY_SOCKET"), path.hasPrefix("/") || path.hasPrefix("@")
        else { return nil }
        self.path = path
    }

    /// Reports that the service is ready.
    package func ready() {
        notify("READY=1")
    }

    /// Reports the status of the service, for `systemctl status`.
    package func report(_ text: String) {
        // A newline would start another variable.
        notify("STATUS=\(TerminalText.safe(text))")
    }

    /// Runs `body` while sending watchdog notifications. When the task is cancelled, reports that
    /// the service is stopping.
    package static func watching(_ body: @escaping @Sendable () async throws -> Void) async throws {
        guard let shared else { return try await body() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await withTaskCancellationHandler {
                    try await body()
                } onCancel: {
                    shared.notify("STOPPING=1")
                }
            }
            if let period = watchdogPeriod {
                group.addTask { await shared.notifyWatchdog(every: period) }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Sends watchdog notifications, timed by the polling thread. If this task or that thread
    /// hangs, no more notifications are sent.
    private func notifyWatchdog(every period: Duration) async {
        repeat {
            notify("WATCHDOG=1")
        } while await Poller.shared.sleep(until: .now + period) == .timedOut
        // If sleeping fails, waits until the task is cancelled, because it must not end before the
        // work.
        while !Task.isCancelled { _ = await Poller.shared.sleep(until: .now + .seconds(3600)) }
    }

    /// Half of systemd's watchdog timeout; `nil` if the watchdog is disabled.
    private static var watchdogPeriod: Duration? {
        guard let limit = variable("WATCHDOG_USEC").flatMap({ Int64($0) }), limit > 0 else {
            return nil
        }
        let process = variable("WATCHDOG_PID")
        guard process == nil || process == "\(getpid())" else { return nil }
        return .microseconds(max(1, limit / 2))
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Sends a datagram without waiting. It is lost if the service manager's buffer is full.
    private func notify(_ state: String) {
        let fd = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard fd >= 0 else { return }
        defer { close(fd) }
        let isAbstract = path.hasPrefix("@")
        guard
            let address = SocketAddress(
                unix: isAbstract ? String(path.dropFirst()) : path, isAbstract: isAbstract)
        else { return }
        let bytes = Array(state.utf8)
        let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
        _ = address.use { sendto(fd, bytes, bytes.count, flags, $0, $1) }
    }
}
