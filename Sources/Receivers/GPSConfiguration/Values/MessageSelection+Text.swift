// SPDX-License-Identifier: MIT
import GNSS

extension MessageSelection {
    /// Creates a selection from the text of an option: `nmea`, `ubx`, `both`, or a comma-separated
    /// list of names such as `RMC,GGA,GSV/5`. Returns `nil` for any other text.
    public init?(_ text: String) {
        switch text {
        case "nmea": self = .nmea
        case "ubx": self = .ubx
        case "both": self = .both
        default:
            var list: [String: Int] = [:]
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let (name, interval) = Self.entry(String(part)) else { return nil }
                list[name] = interval
            }
            self = .list(list)
        }
    }

    init(fileValue: TOMLValue) throws(TOMLMismatch) {
        if case .string(let text) = fileValue {
            guard let selection = MessageSelection(text) else {
                throw TOMLMismatch("'\(text)' is not nmea, ubx, both or a list of messages")
            }
            self = selection
            return
        }
        var list: [String: Int] = [:]
        for text in try fileValue.strings("names of messages") {
            guard let (name, interval) = Self.entry(text) else {
                throw TOMLMismatch("'\(text)' is not a message such as \"RMC\" or \"GSV/5\"")
            }
            list[name] = interval
        }
        self = .list(list)
    }

    /// The intervals of the messages in a list, in fixes; empty for other selections.
    var intervals: [String: Int] { if case .list(let list) = self { list } else { [:] } }

    var fileValue: TOMLValue {
        switch self {
        case .nmea: .string("nmea")
        case .ubx: .string("ubx")
        case .both: .string("both")
        case .list(let list):
            .array(
                list.sorted { $0.key < $1.key }
                    .map { .string($0.value == 1 ? $0.key : "\($0.key)/\($0.value)") })
        }
    }

    /// Parses `NAME` or `NAME/INTERVAL`, with an interval of 1 to 255 fixes; `nil` for other text.
    private static func entry(_ text: String) -> (name: String, interval: Int)? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let name = parts.first, !name.isEmpty, parts.count <= 2,
            name.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "-") })
        else { return nil }
        guard parts.count == 2 else { return (name.uppercased(), 1) }
        guard let interval = Int(parts[1]), 1...255 ~= interval else { return nil }
        return (name.uppercased(), interval)
    }
}

extension UInt8 {
    var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
