// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// Writes an epoch's UBX frames as a chip does, and answers polls.
struct UBXCycleWriter: Sendable {
    private let chip: UBXChip
    private let personality: Personality
    private let errors: ErrorModel
    private let seed: UInt64
    private var input = UBXInput()
    private var epoch: UBXEpoch?
    private var lastSolution: (solution: Solution, seconds: Double)?
    private var firstFix: Double?
    private var nextSecond = 0.0

    /// Creates a writer; `nil` if the personality has no UBX.
    init?(_ personality: Personality, _ errors: ErrorModel, seed: UInt64) {
        guard let chip = personality.chip else { return nil }
        self.chip = chip
        self.personality = personality
        self.errors = errors
        self.seed = seed
    }

    /// The texts sent after power-on, in frames of their own.
    var startUp: [UInt8] {
        personality.startUp.flatMap { body in
            // A sentence TXT has three numbers before the text.
            let text = body.split(separator: ",", maxSplits: 4).last ?? ""
            return UBXFrame.bytes(Self.notice, payload: Array(text.utf8))
        }
    }

    /// `INF-NOTICE`.
    private static let notice = UBXMessageID(0x04, 0x02)

    /// Returns the frames of an epoch, `seconds` after the first, with the sentences among them.
    mutating func cycle(
        _ observation: Observation, after seconds: Double, _ disturbances: Disturbances,
        sentences: [UInt8]
    ) -> [UInt8] {
        if observation.solution != nil, firstFix == nil { firstFix = seconds }
        let epoch = UBXEpoch(
            chip: chip, observation: observation, seconds: seconds,
            timeOfWeek: Self.timeOfWeek(observation, after: seconds, disturbances),
            lastSolution: lastSolution.map { ($0.solution, seconds - $0.seconds) },
            firstFix: firstFix, jamming: max(0, disturbances.jamming),
            velocityDeviation: errors.velocity)
        if let solution = observation.solution { lastSolution = (solution, seconds) }
        self.epoch = epoch
        var bytes: [UInt8] = []
        for message in chip.navigation where message != .eoe { bytes += epoch.frame(message) }
        // No field of UBX can mark data as simulated.
        bytes += UBXNotice(level: .notice, text: UBXNotice.simulated).frame
        bytes += sentences
        if chip.navigation.contains(.eoe) { bytes += epoch.frame(.eoe) }
        // The margin is for rounding: the seconds are sums of fractions.
        if seconds >= nextSecond - 1e-6 {
            nextSecond = seconds + 1
            for message in chip.monitoring { bytes += epoch.frame(message) }
        }
        return bytes
    }

    private static func timeOfWeek(
        _ observation: Observation, after seconds: Double, _ disturbances: Disturbances
    ) -> UInt32 {
        guard let time = observation.time else { return UBXEpoch.milliseconds(seconds) }
        // A wrong clock does not change the number of leap seconds that the satellites send.
        let date = observation.truth.time.date
        let isLater =
            disturbances.leapSecondDay.map { date.daysSince1970 > $0.daysSince1970 } ?? false
        let leapSeconds = GPSTime.leapSeconds(on: date) + (isLater ? 1 : 0)
        let instant = GPSTime(time, leapSeconds: leapSeconds)
        return instant?.milliseconds ?? UBXEpoch.milliseconds(seconds)
    }

    // MARK: Answers

    /// Returns the answers to what a program has written.
    mutating func answers(to bytes: [UInt8]) -> [UInt8] {
        input.requests(in: bytes).flatMap(answer)
    }

    /// Answers a poll of a message that the chip sends, of the version and of the identity; refuses
    /// configuration; ignores the rest.
    private func answer(_ request: UBXInput.Request) -> [UInt8] {
        let configuration: UInt8 = 6
        if request.id.messageClass == configuration {
            var refusal = AckNAK()
            refusal.messageClass = request.id.messageClass
            refusal.number = request.id.number
            return refusal.frame
        }
        guard request.isPoll else { return [] }
        if request.id == MonVER.id { return chip.version.frame }
        if request.id == SecUNIQID.id { return identity?.frame ?? [] }
        let messages = chip.navigation + chip.monitoring
        guard let message = messages.first(where: { $0.id == request.id }) else { return [] }
        return epoch?.frame(message) ?? []
    }

    /// The chip's number, another one for each seed.
    private var identity: SecUNIQID? {
        guard let version = chip.identityVersion else { return nil }
        var random = SeededGenerator(seed: seed ^ 0x5EED_1D)
        var identity = SecUNIQID()
        identity.version = version
        identity.identity = random.bytes(version == 1 ? 5 : 6)
        return identity
    }
}
