// SPDX-License-Identifier: MIT
package import Devices
import NMEA

/// Tells a receiver's messages from noise, for lines whose rate is being searched: NMEA sentences,
/// UBX and RTCM 3 frames, each with a right checksum.
package struct SentenceJudge: LineJudge {
    private var framer = Framer()

    /// Makes a judge that has heard nothing.
    package init() {}

    package mutating func hear(_ bytes: [UInt8]) -> LineSense {
        var messages = 0
        framer.push(bytes.span) { messages += $0.isMessage ? 1 : 0 }
        let headers = zip(bytes, bytes.dropFirst()).contains { $0 == 0xB5 && $1 == 0x62 }
        return LineSense(messages: messages, mayBeBinary: headers)
    }

    package mutating func silence() -> LineSense {
        var messages = 0
        framer.silence { messages += $0.isMessage ? 1 : 0 }
        return LineSense(messages: messages)
    }
}

extension FramerEvent {
    fileprivate var isMessage: Bool {
        switch self {
        case .sentence, .frame: true
        case .rejected, .junk, .tagBlock: false
        }
    }
}
