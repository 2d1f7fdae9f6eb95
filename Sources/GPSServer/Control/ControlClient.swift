// SPDX-License-Identifier: MIT
import GNSS
import GPSIO

/// A program on this machine that adds and removes receivers with gpsd's control protocol.
struct ControlClient {
    /// The maximum length of a command in bytes.
    private static let limit = 8192
    /// The time without further bytes after which the bytes received so far count as a complete
    /// command.
    private static let timeout = Duration.seconds(10)

    let connection: ClientConnection

    /// Answers commands until the client disconnects or the task is cancelled. Calls `perform` with
    /// each command, or with `nil` for a malformed one, and sends the reply that it returns.
    func serve(_ perform: (DeviceCommand?) async -> String) async {
        await connection.whileOpen {
            var rest: [UInt8] = []
            var isOpen = true
            while isOpen, rest.count <= Self.limit {
                let deadline = rest.isEmpty ? nil : connection.poller.now + Self.timeout
                switch await connection.read(until: deadline) {
                case .bytes(let bytes): rest += bytes
                // gpsd also accepts a command without a line feed.
                case .silence: rest.append(0x0A)
                case .end: (rest, isOpen) = (rest + [0x0A], false)
                case .hangup, .cancelled, .failed: isOpen = false
                }
                while let end = rest.firstIndex(of: 0x0A) {
                    var line = rest[..<end]
                    if line.last == 0x0D { line.removeLast() }
                    rest.removeSubrange(...end)
                    guard !line.isEmpty else { continue }
                    let reply = Array(await perform(DeviceCommand(line)).utf8)
                    await connection.waitForRoom(for: reply)
                    connection.send(kept: reply)
                }
            }
        }
    }
}
