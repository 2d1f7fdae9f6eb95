// SPDX-License-Identifier: MIT
import GPSIntegrity
import SimulatedDevices

/// An attack as a fault script, and the tests with which a receiver can notice it.
struct ScriptedAttack: Sendable {
    /// The duration of each attack in seconds.
    static let duration = 60

    let fault: String
    /// Seconds from the start of the attack to the end of the window of a test that must notice it, by
    /// the kind of receiver. A kind that is not listed can't notice it.
    let windows: [ExaminedReceiver.Kind: Int]

    /// Runs the attack on a copy of a receiver. Returns the copy, and the second at which the
    /// attack began.
    func run(on receiver: ExaminedReceiver) throws -> (receiver: ExaminedReceiver, start: Int) {
        var attacked = receiver
        let start = receiver.second
        attacked.add(try Fault("\(start)s: \(fault)"))
        attacked.run(seconds: Self.duration)
        return (attacked, start)
    }

    private init(_ fault: String, _ windows: [ExaminedReceiver.Kind: Int]) {
        (self.fault, self.windows) = (fault, windows)
    }

    private static func all(_ seconds: Int) -> [ExaminedReceiver.Kind: Int] {
        [.nmea: seconds, .m10: seconds, .f9p: seconds]
    }

    static let all: [ScriptedAttack] = [
        ScriptedAttack("passing-jammer 25dB for 60s", all(30)),
        ScriptedAttack("spoof 400n", all(1)),
        ScriptedAttack("equal-power 0n", all(5)),
        ScriptedAttack("equal-power 400n", all(1)),
        // Signals become equal within ten seconds, and five lists follow.
        ScriptedAttack("drag-off 1n", all(15)),
        ScriptedAttack("drag-off 10n", all(15)),
        ScriptedAttack("meacon 300e", all(1)),
        // Sentences arrive too irregularly to notice a second at once.
        ScriptedAttack("clock-off 2s", [.nmea: 10, .m10: 1, .f9p: 1]),
        // Repeated times are left out. Later ones are late, which takes half a minute to notice.
        ScriptedAttack("clock-off -2s", all(40)),
        ScriptedAttack("time-walk 300ns", [.m10: 1, .f9p: 1]),
        ScriptedAttack("time-walk 20ns", [:]),
        ScriptedAttack("careful-drag 1n", [:]),
    ]
}
