// SPDX-License-Identifier: MIT
import GNSS

/// A command received at the control socket, for example from `gpsdctl`.
enum DeviceCommand: Equatable {
    /// `+DEVICE`: adds a receiver.
    case add(String)
    /// `-DEVICE`: removes a receiver.
    case remove(String)
    /// `!DEVICE=TEXT` or `&DEVICE=HEX`: writes bytes to a receiver. `TEXT` is converted to
    /// hexadecimal digits, too.
    case write(String, hexadecimal: String)
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
            guard let sign = words.firstIndex(of: "=") else { return nil }
            let content = words[words.index(after: sign)...]
            let digits =
                text.first == "&"
                ? String(content)
                : content.utf8.map { String(hexadecimal: UInt64($0), width: 2) }.joined()
            self = .write(String(words[..<sign]), hexadecimal: digits)
        case "?" where words == "devices": self = .list
        default: return nil
        }
    }
}
