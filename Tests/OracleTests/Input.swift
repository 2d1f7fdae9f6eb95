// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// An event for a receiver or for the program that reads it.
enum Input: Sendable {
    case plug
    case unplug
    /// RMC and GGA of the current time.
    case epoch(FixQuality)
    /// The same, cut off after RMC.
    case half
    /// A UBX frame without a position (RXM-RAWX).
    case binary
    /// A UBX solution of the current time and the end of its epoch (NAV-PVT, NAV-EOE).
    case solution
    /// A number of random bytes.
    case noise(Int)
    /// The receiver sends at another rate from now on.
    case rate(Int)
    /// The receiver sends seven data bits and two stop bits from now on.
    case sevenBits
    /// Another program has the tty open from now on.
    case share
    /// Whether the tty may be opened, now and after it is plugged in again.
    case allow(Bool)
    /// The program receives a signal.
    case signal(CInt)
    /// Only time passes.
    case wait

    /// Parses a step of a scenario, such as `rate 4800`; `nil` if it is invalid.
    init?(_ words: [String]) {
        let qualities: [String: FixQuality] = [
            "fix": .autonomous, "dgps": .differential, "simulated": .simulated, "none": .invalid,
        ]
        let number = words.last.flatMap { Int($0) }
        switch words.first {
        case "plug": self = .plug
        case "unplug": self = .unplug
        case "epoch": self = .epoch(words.last.flatMap { qualities[$0] } ?? .autonomous)
        case "half": self = .half
        case "binary": self = .binary
        case "solution": self = .solution
        case "noise": self = .noise(number ?? 0)
        case "rate": self = .rate(number ?? 0)
        case "7N2": self = .sevenBits
        case "share": self = .share
        case "forbid": self = .allow(false)
        case "allow": self = .allow(true)
        case "SIGINT": self = .signal(SIGINT)
        case "SIGHUP": self = .signal(SIGHUP)
        case "wait": self = .wait
        default: return nil
        }
    }
}
