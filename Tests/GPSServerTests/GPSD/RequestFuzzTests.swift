// SPDX-License-Identifier: MIT
import GPSServer
import GPSTestTraits
import Glibc
import Testing

/// Any input is answered with whole lines, the same for every chunking.
@Suite(.timeLimit(.generous))
struct RequestFuzzTests {
    /// `GPSBRIDGE_FUZZ=10000000` runs more cases than the ordinary tests.
    private static let rounds =
        getenv("GPSBRIDGE_FUZZ").flatMap { Int(String(cString: $0)) } ?? 2000

    private static let pieces = [
        "?", "WATCH", "POLL", "DEVICE", "DEVICES", "VERSION", "=", "{", "}", "[", "]", "\"", ":",
        ",",
        ";", "\n", "\r\n", " ", "\\", "\\u12", "\"enable\":true", "\"json\":true", "\"raw\":2",
        "\"device\":\"/dev/a\"", "\"path\":", "1e999", "-", "null", "\u{0}", "é",
        "?WATCH={\"enable\":true,\"json\":true};\n", "?POLL;\n",
    ]

    @Test func `random requests are answered with whole lines for every chunking`() {
        var random = Random(state: UInt64(getpid()) | 1)
        let seed = random.state
        for _ in 0..<Self.rounds {
            let bytes = Self.request(&random)
            var whole = GPSDConversation()
            let answer = whole.receive(bytes, Self.snapshot)
            let isWhole = answer.isEmpty || answer.suffix(2) == [0x0D, 0x0A]
            let isASCII = answer.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x0D || $0 == 0x0A }
            var cut = GPSDConversation()
            let place = bytes.isEmpty ? 0 : Int(random.next() % UInt64(bytes.count))
            let pieces =
                cut.receive(Array(bytes[..<place]), Self.snapshot)
                + cut.receive(Array(bytes[place...]), Self.snapshot)
            guard isWhole, isASCII, pieces == answer, cut.watch == whole.watch else {
                Issue.record("seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
                return
            }
        }
    }

    private static func request(_ random: inout Random) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<(random.next() % 24) {
            bytes += Array(pieces[Int(random.next() % UInt64(pieces.count))].utf8)
            if random.next() % 16 == 0 { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
        }
        return bytes
    }

    private static func snapshot() -> ServerSnapshot {
        ServerSnapshot(devices: [ServedDevice(path: "/dev/a")], time: nil)
    }

    /// xorshift64*
    private struct Random {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state >> 12
            state ^= state << 25
            state ^= state >> 27
            return (state &* 0x2545_F491_4F6C_DD1D) >> 16
        }
    }
}
