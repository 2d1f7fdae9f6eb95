// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// Writes the UBX frames of each epoch, and the answers to polls.
struct UBXCycleWriter: Sendable {
    private let chip: UBXChip
    private let personality: Personality
    private let errors: ErrorModel
    private let seed: UInt64
    private var epoch: UBXEpoch?
    private let order: [UBXMessageID]
    private var lastSolution: (solution: Solution, seconds: Double)?
    private var firstFix: Double?
    private var nextSecond = 0.0

    /// Creates a writer. Returns `nil` if the personality has no u-blox chip.
    init?(_ personality: Personality, _ errors: ErrorModel, seed: UInt64) {
        guard let chip = personality.chip else { return nil }
        self.chip = chip
        let others = UBXEpoch.messages.filter { !chip.navigation.contains($0) }
        order = (chip.navigation + others).filter {
            $0 != NavEOE.id && !Self.monitoring.contains($0)
        }
        self.personality = personality
        self.errors = errors
        self.seed = seed
    }

    /// The frames sent after power-on: the personality's start-up texts, each in an `INF-NOTICE`.
    var startUp: [UInt8] {
        personality.startUp.flatMap { body in
            // In a TXT sentence, the text follows the address and three numbers.
            let text = body.split(separator: ",", maxSplits: 4).last ?? ""
            return UBXNotice(level: .notice, text: String(text)).frame
        }
    }

    /// Returns the frames that are due in an epoch, `seconds` after the first epoch, with
    /// `sentences` inserted before `NAV-EOE`.
    mutating func cycle(
        _ observation: SimulatedObservation, after seconds: Double, _ disturbances: Disturbances,
        sentences: [UInt8], _ isDue: (UBXMessageID) -> Bool
    ) -> [UInt8] {
        if observation.solution != nil, firstFix == nil { firstFix = seconds }
        let epoch = UBXEpoch(
            chip: chip, observation: observation, seconds: seconds,
            timeOfWeek: Self.timeOfWeek(observation, after: seconds, disturbances),
            lastSolution: lastSolution.map { ($0.solution, seconds - $0.seconds) },
            firstFix: firstFix, disturbances: disturbances, velocityDeviation: errors.velocity)
        if let solution = observation.solution { lastSolution = (solution, seconds) }
        self.epoch = epoch
        var bytes: [UInt8] = []
        for message in order where isDue(message) { bytes += epoch.frame(message) }
        // No field in UBX can mark data as simulated.
        if !bytes.isEmpty {
            bytes += UBXNotice(level: .notice, text: UBXNotice.simulated).frame
        }
        bytes += sentences
        if isDue(NavEOE.id) { bytes += epoch.frame(NavEOE.id) }
        // The margin of 1 µs allows for rounding errors of `seconds`.
        if seconds >= nextSecond - 1e-6 {
            nextSecond = seconds + 1
            for message in Self.monitoring where isDue(message) { bytes += epoch.frame(message) }
        }
        return bytes
    }

    private static func timeOfWeek(
        _ observation: SimulatedObservation, after seconds: Double, _ disturbances: Disturbances
    ) -> UInt32 {
        guard let time = observation.time else { return UBXEpoch.milliseconds(seconds) }
        // Use the true date: a wrong clock does not change the number of leap seconds that
        // satellites broadcast.
        let date = observation.truth.time.date
        let isLater =
            disturbances.leapSecondDay.map { date.daysSince1970 > $0.daysSince1970 } ?? false
        let leapSeconds = GPSTime.leapSeconds(on: date) + (isLater ? 1 : 0)
        return GPSTime(time, leapSeconds: leapSeconds)?.milliseconds
            ?? UBXEpoch.milliseconds(seconds)
    }

    // MARK: Answers

    /// Returns the answer to a poll of `MON-VER`, `SEC-UNIQID`, or a message that the chip can
    /// send; empty for any other message.
    func answer(toPollOf id: UBXMessageID) -> [UInt8] {
        if id == MonVER.id { return chip.version.frame }
        if id == SecUNIQID.id { return identity?.frame ?? [] }
        return chip.knows(id) ? epoch?.frame(id) ?? [] : []
    }

    /// The messages that are sent once a second, after the epoch.
    private static let monitoring: [UBXMessageID] = [MonHW.id, MonRF.id, SecSIG.id]

    /// The message with the chip's identity, which is derived from the seed; `nil` for a chip
    /// without it.
    var identity: SecUNIQID? {
        guard let version = chip.identityVersion else { return nil }
        var random = SeededGenerator(seed: seed ^ 0x5EED_1D)
        var identity = SecUNIQID()
        identity.version = version
        identity.identity = random.bytes(version == 1 ? 5 : 6)
        return identity
    }
}
