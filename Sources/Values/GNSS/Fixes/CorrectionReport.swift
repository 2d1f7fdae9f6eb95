// SPDX-License-Identifier: MIT

/// The state of the corrections that gpsbridge sends to a receiver, from the best to the worst
/// reason why its position is not accurate to centimetres.
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
            "correctionState", \.state, member: .own(#","correctionState":"#),
            label: Label("Corrections", isRare: true),
            words: words([
                (CorrectionState.flowing, "received", .good),
                (.connecting, "connecting", .neutral), (.waiting, "connection lost", .poor),
                (.waitingForPosition, "caster needs position", .fair),
                (.silent, "none sent", .fair), (.stale, "none for 10 s", .poor),
                (.refused, "refused by the caster", .poor), (.farBase, "base is far away", .fair),
                (.slowLine, "line too slow", .fair), (.unused, "not used by receiver", .poor),
            ])),
        .init(
            "carrierSolution", \.carrier, member: .own(#","rtk":"#),
            label: Label("RTK", isRare: true),
            words: words([
                (CarrierSolution.unsolved, "none", .neutral), (.float, "float", .fair),
                (.fixed, "fixed", .good),
            ])),
        .init(
            "correctionRate", \.bitRate, "bit/s", 0, .own(#","correctionRate":"#),
            "Correction rate"),
        .init("baseDistance", \.baseDistance, "m", 1, .own(#","baseDistance":"#, 1), "Base"),
        .init("correctionsSent", \.sentCount, .own(#","correctionsSent":"#), "Sent"),
        .init("correctionsDropped", \.droppedCount, .own(#","correctionsDropped":"#), "Dropped"),
        .init("correctionsUsed", \.usedCount, .own(#","correctionsUsed":"#), "Used"),
        .init("correctionsUnused", \.unusedCount, .own(#","correctionsUnused":"#), "Not used"),
        .init("timeToFloat", \.timeToFloat, "s", 0, .own(#","timeToFloat":"#), "To float"),
        .init("timeToFixed", \.timeToFixed, "s", 0, .own(#","timeToFixed":"#), "To fixed"),
        .init("fixedShare", \.fixedShare, "%", 1, .own(#","fixedShare":"#, 1), "Fixed"),
        .init("baselineNorth", \.baselineNorth, "m", 3, .gpsd(#","relN":"#, 3), "From base N"),
        .init("baselineEast", \.baselineEast, "m", 3, .gpsd(#","relE":"#, 3), "From base E"),
        .init("baselineDown", \.baselineDown, "m", 3, .gpsd(#","relD":"#, 3), "From base D"),
    ]

    private typealias Path<Value> = WritableKeyPath<CorrectionReport, Value?> & Sendable

    private init(
        _ name: String, _ path: any Path<Double>, _ unit: String, _ decimals: Int,
        _ member: Member, _ label: String
    ) {
        self.init(
            // Tables have no columns in the other units.
            name, { $0.corrections[keyPath: path] }, { $0.corrections[keyPath: path] = $1 },
            unit == "m" ? unit : "", decimals, cell: .receiver, member: member,
            label: Label(label, suffix: " \(unit)", isRare: true))
    }

    private init(_ name: String, _ path: any Path<UInt32>, _ member: Member, _ label: String) {
        self.init(
            name, { $0.corrections[keyPath: path].map(Double.init) },
            { $0.corrections[keyPath: path] = UInt32(exactly: $1) }, "", 0, cell: .receiver,
            member: member, label: Label(label, isRare: true))
    }

    private init<State: NumberedState & SendableMetatype>(
        _ name: String, _ path: any Path<State>, member: Member, label: Label, words: [Word]
    ) {
        self.init(
            name, { $0.corrections[keyPath: path].map { Double($0.number) } },
            { $0.corrections[keyPath: path] = State(number: $1) }, "", 0, cell: .receiver,
            words: words, member: member, label: label)
    }
}
