// SPDX-License-Identifier: MIT
import GNSS
import GPSIO

/// A program on this machine that adds and removes receivers with gpsd's control protocol.
struct ControlClient {
    /// The maximum length of a command in bytes.
    private static let limit = 8192
    /// The maximum time between a command's first byte and its end.
    private static let timeout = Duration.seconds(10)

    let connection: ClientConnection

    /// Answers commands until the client disconnects or the task is cancelled. Calls `perform` with
    /// each command, or with `nil` for one that is malformed, too long or not completed in time, and
    /// sends the reply that it returns. After one that is too long or late, disconnects the client.
    func serve(_ perform: (DeviceCommand?) async -> String) async {
        await connection.whileOpen {
            var rest: [UInt8] = []
            var isOpen = true
            var deadline: MonotonicInstant?
            while isOpen {
                deadline = rest.isEmpty ? nil : deadline ?? connection.poller.now + Self.timeout
                switch await connection.read(until: deadline) {
                case .bytes(let bytes): rest += bytes
                case .silence:
                    connection.send(kept: Array(await perform(nil).utf8))
                    isOpen = false
                // gpsd also accepts a command without a line feed.
                case .end: (rest, isOpen) = (rest + [0x0A], false)
                case .hangup, .cancelled, .failed: isOpen = false
                }
                while let end = rest.firstIndex(of: 0x0A) {
                    var line = rest[..<end]
                    if line.last == 0x0D { line.removeLast() }
                    rest.removeSubrange(...end)
                    deadline = nil
                    guard !line.isEmpty else { continue }
                    let reply = Array(await perform(DeviceCommand(line)).utf8)
                    await connection.waitForRoom(for: reply)
                    connection.send(kept: reply)
                }
                if rest.count > Self.limit {
                    connection.send(kept: Array(await perform(nil).utf8))
                    isOpen = false
                }
            }
        }
    }
}

/// A command received at the control socket, for example from `gpsdctl`.
enum DeviceCommand: Equatable {
    /// `+DEVICE`: adds a receiver.
    case add(String)
    /// `-DEVICE`: removes a receiver.
    case remove(String)
    /// `!DEVICE=TEXT` or `&DEVICE=HEX`: writes bytes to a receiver. The associated text is
    /// `DEVICE=TEXT` or `DEVICE=HEX`. Use `divide` to split it, because DEVICE may contain `=`.
    case write(String, isHexadecimal: Bool)
    /// `?devices`: lists the names of the receivers.
    case list

    /// Parses a line without its line end. Returns `nil` if it is not a command.
    init?(_ line: some Collection<UInt8>) {
        guard let text = String(validating: line, as: UTF8.self) else { return nil }
        let words = text.dropFirst()
        switch text.first {
        case "+" where !words.isEmpty: self = .add(String(words))
        case "-" where !words.isEmpty: self = .remove(String(words))
        case "!", "&":
            guard words.contains("=") else { return nil }
            self = .write(String(words), isHexadecimal: text.first == "&")
        case "?" where words == "devices": self = .list
        default: return nil
        }
    }

    /// Splits `DEVICE=CONTENT` after the longest of the given names that matches, or otherwise at
    /// the first `=`. The names are needed because a name may contain `=`, such as
    /// `simulated:seed=1`.
    static func divide(_ text: String, names: [String]) -> (name: String, content: Substring) {
        let known = names.filter { text.hasPrefix("\($0)=") }.max { $0.count < $1.count }
        let name = known ?? String(text.prefix { $0 != "=" })
        return (name, text.dropFirst(name.count + 1))
    }
}
