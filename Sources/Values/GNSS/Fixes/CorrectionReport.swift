// SPDX-License-Identifier: MIT

/// The state of the corrections that gpsbridge sends to a receiver. Messages of `gpsbridge-fleet` contain
/// the numbers of the cases, so new ones are added at the end.
package enum CorrectionState: String, CaseIterable, Hashable, Sendable, Codable {
    /// Messages are received and sent to the receiver.
    case flowing
    /// The source is being opened.
    case connecting
    /// The source could not be opened, or was lost. It is opened again after a pause.
    case waiting
    /// The caster waits for the receiver's position, which has no fix yet.
    case waitingForPosition
    /// The source is open, but has sent no messages yet.
    case silent
    /// No messages have been received for ten seconds.
    case stale
    /// The caster has refused the request.
    case refused
    /// The base is too far away for centimetres.
    case farBase
    /// The line does not carry all messages.
    case slowLine
    /// The receiver does not use the messages that it gets.
    case unused
    /// The receiver's position jumped when it began to use the messages: the base's position is wrong,
    /// or in another datum.
    case wrongDatum
    /// The base is simulated, and the receiver is not.
    case simulatedBase
}

/// How a receiver has solved the ambiguities of the carrier phase.
package enum CarrierSolution: String, CaseIterable, Hashable, Sendable, Codable {
    /// Not at all: metres.
    case unsolved = "none"
    /// As real numbers: decimetres.
    case float
    /// As whole numbers: centimetres.
    case fixed
}

/// The state of the corrections that are sent to a receiver, and their effect.
@usableFromInline
package struct CorrectionReport: Hashable, Sendable, Codable {
    package var state: CorrectionState?
    package var carrier: CarrierSolution?
    /// The rate of the source in bits per second.
    package var bitRate: Double?
    /// The distance to the station in metres.
    package var baseDistance: Double?
    /// The numbers of messages that were sent to the receiver, and that its line did not carry.
    package var sentCount: UInt32?
    package var droppedCount: UInt32?
    /// The numbers of messages that the receiver has used, and not used, as it reports
    /// (`RXM-RTCM`, `RXM-COR`).
    package var usedCount: UInt32?
    package var unusedCount: UInt32?
    /// The seconds from the first message until the carrier solution was float, and fixed.
    package var timeToFloat: Double?
    package var timeToFixed: Double?
    /// The percentage of fixed epochs since the first message.
    package var fixedShare: Double?
    /// The types of the messages in the stream: `1005 1077 1230`.
    package var types: String?
    /// The vector from the station's antenna to the receiver's in metres, which a u-blox receiver
    /// reports (`NAV-RELPOSNED`).
    package var baselineNorth: Double?
    package var baselineEast: Double?
    package var baselineDown: Double?

    /// The length of the vector from the station's antenna in metres.
    package var baselineLength: Double? {
        guard let baselineNorth, let baselineEast, let baselineDown else { return nil }
        return Vector(x: baselineNorth, y: baselineEast, z: baselineDown).length
    }

    package init() {}
}

extension Fix {
    /// The state and the effect of the corrections that are sent to the receiver. Without any, the fix
    /// stores nothing.
    package var corrections: CorrectionReport {
        get { correctionReport?.first ?? CorrectionReport() }
        set { correctionReport = newValue == CorrectionReport() ? nil : [newValue] }
    }
}

extension CorrectionState: NumberedState {}
extension CarrierSolution: NumberedState, Comparable {
    package static func < (one: Self, other: Self) -> Bool { one.number < other.number }
}

extension FixProperty {
    /// The state and the effect of the corrections that are sent to the receiver.
    static let corrections: [FixProperty] = [
        .init(
            "correctionState", { $0.state }, { $0.state = $1 },
            column: .init(50, "correctionState", 0),
            member: .own(#","correctionState":"#), label: Label("Corrections", isRare: true),
            words: words([
                (CorrectionState.flowing, "received", .good),
                (.connecting, "connecting", .neutral), (.waiting, "connection lost", .poor),
                (.waitingForPosition, "caster needs position", .fair),
                (.silent, "none sent", .fair), (.stale, "none for 10 s", .poor),
                (.refused, "refused by the caster", .poor), (.farBase, "base is far away", .fair),
                (.slowLine, "line too slow", .fair), (.unused, "not used by receiver", .poor),
                (.wrongDatum, "base's position is wrong", .poor),
                (.simulatedBase, "base is simulated", .poor),
            ])),
        .init(
            "carrierSolution", { $0.carrier }, { $0.carrier = $1 }, column: .init(51, "rtk", 0),
            member: .own(#","rtk":"#), label: Label("RTK", isRare: true),
            words: words([
                (CarrierSolution.unsolved, "none", .neutral), (.float, "float", .fair),
                (.fixed, "fixed", .good),
            ])),
        .init(
            "correctionRate", { $0.bitRate }, { $0.bitRate = $1 }, "bit/s", 0,
            .own(#","correctionRate":"#),
            "Correction rate"),
        .init(
            "baseDistance", { $0.baseDistance }, { $0.baseDistance = $1 }, "m", 1,
            .own(#","baseDistance":"#, 1), "Base",
            column: .init(52, "baseDistance", 1)),
        .init(
            "correctionsSent", { $0.sentCount }, { $0.sentCount = $1 },
            .own(#","correctionsSent":"#), "Sent"),
        .init(
            "correctionsDropped", { $0.droppedCount }, { $0.droppedCount = $1 },
            .own(#","correctionsDropped":"#), "Dropped"),
        .init(
            "correctionsUsed", { $0.usedCount }, { $0.usedCount = $1 },
            .own(#","correctionsUsed":"#), "Used"),
        .init(
            "correctionsUnused", { $0.unusedCount }, { $0.unusedCount = $1 },
            .own(#","correctionsUnused":"#), "Not used"),
        .init(
            "timeToFloat", { $0.timeToFloat }, { $0.timeToFloat = $1 }, "s", 0,
            .own(#","timeToFloat":"#), "To float"),
        .init(
            "timeToFixed", { $0.timeToFixed }, { $0.timeToFixed = $1 }, "s", 0,
            .own(#","timeToFixed":"#), "To fixed"),
        .init(
            "fixedShare", { $0.fixedShare }, { $0.fixedShare = $1 }, "%", 1,
            .own(#","fixedShare":"#, 1), "Fixed"),
        .init(
            "baselineNorth", { $0.baselineNorth }, { $0.baselineNorth = $1 }, "m", 3,
            .gpsd(#","relN":"#, 3), "From base N",
            column: .init(53, "relN", 3)),
        .init(
            "baselineEast", { $0.baselineEast }, { $0.baselineEast = $1 }, "m", 3,
            .gpsd(#","relE":"#, 3), "From base E",
            column: .init(54, "relE", 3)),
        .init(
            "baselineDown", { $0.baselineDown }, { $0.baselineDown = $1 }, "m", 3,
            .gpsd(#","relD":"#, 3), "From base D",
            column: .init(55, "relD", 3)),
    ]

    private typealias Get<Value> = @Sendable (CorrectionReport) -> Value?
    private typealias Set<Value> = @Sendable (inout CorrectionReport, Value?) -> Void

    /// Most fixes have no report, and an empty one need not be read.
    private static func value<Value>(_ get: Get<Value>, of fix: Fix) -> Value? {
        // `first` would copy the report for each value.
        guard let reports = fix.correctionReport, !reports.isEmpty else { return nil }
        return get(reports[0])
    }

    private init(
        _ name: String, _ get: @escaping Get<Double>, _ set: @escaping Set<Double>, _ unit: String,
        _ decimals: Int, _ member: Member, _ label: String, column: Column? = nil
    ) {
        self.init(
            // Tables have no columns in the other units.
            name, { Self.value(get, of: $0) }, { set(&$0.corrections, $1) },
            unit == "m" ? unit : "", decimals, cell: .receiver, column: column, member: member,
            label: Label(label, suffix: " \(unit)", isRare: true))
    }

    private init(
        _ name: String, _ get: @escaping Get<UInt32>, _ set: @escaping Set<UInt32>,
        _ member: Member, _ label: String
    ) {
        self.init(
            name, { Self.value(get, of: $0).map(Double.init) },
            { set(&$0.corrections, UInt32(exactly: $1)) }, "", 0, cell: .receiver,
            member: member, label: Label(label, isRare: true))
    }

    private init<State: NumberedState & SendableMetatype>(
        _ name: String, _ get: @escaping Get<State>, _ set: @escaping Set<State>, column: Column,
        member: Member, label: Label, words: [Word]
    ) {
        self.init(
            name, { Self.value(get, of: $0).map { Double($0.number) } },
            { set(&$0.corrections, State(number: $1)) }, "", 0, cell: .receiver,
            column: column, words: words, member: member, label: label)
    }
}
