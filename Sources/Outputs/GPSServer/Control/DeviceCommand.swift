// SPDX-License-Identifier: MIT

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
