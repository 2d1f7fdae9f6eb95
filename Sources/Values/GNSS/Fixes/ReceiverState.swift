// SPDX-License-Identifier: MIT

/// The state of a receiver's antenna, as its supervisor measures it.
public enum AntennaState: String, CaseIterable, Hashable, Sendable, Codable {
    /// The antenna draws the expected current.
    case ok
    /// No antenna draws current.
    case open
    /// The antenna draws too much current.
    case short
}

/// Whether the navigation data of Galileo's satellites in a fix are Galileo's, by its signatures. It
/// says nothing about ranges, and nothing about other constellations: see `docs/authentication.md`.
public struct FixAuthentication: Hashable, Sendable, Codable {
    /// The result of all of Galileo's satellites in a fix.
    public enum State: String, CaseIterable, Hashable, Sendable, Codable {
        /// Nothing is known, for example without a key or a clock that does not depend on receivers.
        case unknown
        /// Some are authenticated, and none failed.
        case partial
        /// All are authenticated.
        case authenticated
        /// Those of a recording fit together. Whether they were received when they were sent is not
        /// known.
        case consistent
        /// Signatures do not fit.
        case failed
    }

    /// The result of all of Galileo's satellites.
    public var state: State
    /// The number of Galileo's satellites in the fix.
    public var satellites: UInt8
    /// How many of them have authenticated data now. The state tolerates some minutes without, while
    /// data change.
    public var authenticated: UInt8
    /// How many of them have data that do not fit their signature.
    public var failed: UInt8

    /// Creates a result.
    package init(
        state: State, satellites: UInt8 = 0, authenticated: UInt8 = 0, failed: UInt8 = 0
    ) {
        self.state = state
        self.satellites = satellites
        self.authenticated = authenticated
        self.failed = failed
    }
}

extension Fix {
    /// The numbers of Galileo's satellites. Their state is not known without its own value.
    fileprivate var authenticationCounts: FixAuthentication {
        get { authentication ?? FixAuthentication(state: .unknown) }
        set { authentication = newValue }
    }
}

extension [FixProperty.Word] {
    /// Returns the word for a number; `nil` if it has none.
    package func word(of number: Double) -> FixProperty.Word? {
        first { Double($0.number) == number }
    }
}

extension FixProperty {
    /// A word for one number of a property, such as `warning`.
    package struct Word: Sendable {
        /// The meaning of the word for the position.
        package enum Condition: String, Sendable { case neutral, good, fair, poor }

        package let number: Int
        /// The word in JSON and tables.
        package let name: String
        /// The words for people: `interference, no fix`.
        package let text: String
        package let condition: Condition
    }

    /// The member of a `TPV`: the text before the value, its decimals, and whether gpsd has this
    /// member. Members of gpsbridge contain the word, if there is one, and gpsd's contain the number.
    package struct Member: Sendable {
        package let text: StaticString
        package let decimals: Int
        package let isOfGPSD: Bool

        static func gpsd(_ text: StaticString, _ decimals: Int = 0) -> Member {
            Member(text: text, decimals: decimals, isOfGPSD: true)
        }

        static func own(_ text: StaticString, _ decimals: Int = 0) -> Member {
            Member(text: text, decimals: decimals, isOfGPSD: false)
        }

        package var name: String { String("\(text)".dropFirst(2).dropLast(2)) }
    }

    /// The text for people: the label, such as `Jamming`, and the text after a number.
    package struct Label: Sendable {
        package let text: String
        package let suffix: String
        /// Whether the value belongs to a position, not only to an epoch.
        package let needsPosition: Bool
        /// Whether an unknown value is left out instead of being shown as unknown.
        package let isRare: Bool

        init(
            _ text: String, suffix: String = "", needsPosition: Bool = false, isRare: Bool = false
        ) {
            (self.text, self.suffix) = (text, suffix)
            (self.needsPosition, self.isRare) = (needsPosition, isRare)
        }
    }

    /// The word for the value in a fix; `nil` if the value is unknown or has no word.
    package func word(_ fix: Fix) -> Word? { value(fix).flatMap { word(of: $0) } }

    /// The word for a value; `nil` if it has none.
    package func word(of number: Double) -> Word? { words.word(of: number) }

    /// The number for a word; `nil` if the property does not have that word.
    package func number(of name: String) -> Double? {
        words.first { $0.name == name }.map { Double($0.number) }
    }

    /// The value in a fix as people are shown it: `interference, no fix` or `17 of 255`; `nil` if it
    /// is unknown.
    package func text(_ fix: Fix) -> String? {
        words.isEmpty
            ? value(fix).map { "\(Number.short($0))\(label?.suffix ?? "")" } : word(fix)?.text
    }

    /// The receiver's reports about its signals, its antenna, its time and its temperature.
    static let receiver: [FixProperty] = [
        .init(
            "jamming", { $0.jamming.map { Double($0.number) } },
            { $0.jamming = JammingState(number: $1) },
            words: words([
                (JammingState.none, "none detected", .good), (.warning, "interference", .fair),
                (.critical, "interference, no fix", .poor),
            ]), member: .own(#","jamming":"#), label: Label("Jamming")),
        .init(
            "spoofing", { $0.spoofing.map { Double($0.number) } },
            { $0.spoofing = SpoofingState(number: $1) },
            words: words([
                (SpoofingState.none, "none detected", .good), (.indicated, "indicated", .poor),
                (.affirmed, "affirmed", .poor),
            ]), member: .own(#","spoofing":"#), label: Label("Spoofing")),
        .init(
            "interferenceLevel", { $0.interferenceLevel.map { Double($0) } },
            { $0.interferenceLevel = UInt8(exactly: $1) },
            member: .gpsd(#","jam":"#),
            label: Label("Narrowband", suffix: " of 255")),
        .init(
            "correctionSource", { $0.correctionSource.map { Double($0.number) } },
            { $0.correctionSource = CorrectionSource(number: $1) },
            words: words([
                (CorrectionSource.sbas, "by SBAS", .neutral), (.rtcm, "by RTCM", .neutral),
                (.spartn, "by SPARTN", .neutral), (.slas, "by QZSS SLAS", .neutral),
                (.clas, "by QZSS CLAS", .neutral), (.beiDou, "by BeiDou", .neutral),
                (.has, "by Galileo HAS", .neutral),
            ]), member: .own(#","corrections":"#),
            label: Label("Corrected", needsPosition: true)),
        .init(
            "antenna", { $0.antenna.map { Double($0.number) } },
            { $0.antenna = AntennaState(number: $1) },
            words: words([
                (AntennaState.ok, "ok", .good), (.open, "not connected", .poor),
                (.short, "short circuit", .poor),
            ]), member: .gpsd(#","ant":"#),
            label: Label("Antenna", isRare: true), geoJSON: #","antenna":"#,
            column: .init(43, "antenna", 0)),
        .init(
            "leapSeconds", { $0.leapSeconds.map { Double($0) } },
            { $0.leapSeconds = Int8(exactly: $1) },
            member: .gpsd(#","leapseconds":"#),
            label: Label("Leap", suffix: " s", isRare: true), geoJSON: #","leapSeconds":"#,
            column: .init(44, "leapSeconds", 0)),
        .init(
            "temperature", { $0.temperature.map { Double($0) } },
            { $0.temperature = Int8(exactly: $1) },
            member: .gpsd(#","temp":"#),
            label: Label("Temperature", suffix: " °C", isRare: true), geoJSON: #","temperature":"#,
            column: .init(56, "temperature", 0)),
    ]

    /// The result of Galileo's signatures.
    static let signatures: [FixProperty] = [
        .init(
            "authentication", { $0.authentication.map { Double($0.state.number) } },
            { $0.authentication = FixAuthentication(number: $1) },
            words: words([
                (FixAuthentication.State.unknown, "unknown", .neutral),
                (.partial, "some satellites", .fair), (.authenticated, "all satellites", .good),
                (.consistent, "consistent (a recording)", .good), (.failed, "failed", .poor),
            ]), member: .own(#","authentication":"#),
            label: Label("Signatures", isRare: true), geoJSON: #","authentication":"#,
            column: .init(45, "authentication", 0)),
        .init(
            "galileoSatellites", { $0.authentication.map { Double($0.satellites) } },
            { $0.authenticationCounts.satellites = UInt8(exactly: $1) ?? 0 },
            member: .own(#","galileoSatellites":"#), label: Label("Galileo used", isRare: true),
            geoJSON: #","galileoSatellites":"#, column: .init(46, "galileoSatellites", 0)),
        .init(
            "authenticatedSatellites", { $0.authentication.map { Double($0.authenticated) } },
            { $0.authenticationCounts.authenticated = UInt8(exactly: $1) ?? 0 },
            member: .own(#","authenticatedSatellites":"#),
            label: Label("Authenticated", isRare: true),
            geoJSON: #","authenticatedSatellites":"#,
            column: .init(47, "authenticatedSatellites", 0)),
        .init(
            "failedSatellites", { $0.authentication.map { Double($0.failed) } },
            { $0.authenticationCounts.failed = UInt8(exactly: $1) ?? 0 },
            member: .own(#","failedSatellites":"#), label: Label("Failed", isRare: true),
            geoJSON: #","failedSatellites":"#, column: .init(48, "failedSatellites", 0)),
        .init(
            "receiverAuthentication", { $0.receiverAuthentication.map { Double($0.number) } },
            { $0.receiverAuthentication = FixAuthentication.State(number: $1) },
            words: words([
                (FixAuthentication.State.unknown, "unknown", .neutral),
                (.authenticated, "authenticated", .good), (.failed, "failed", .poor),
            ]), member: .own(#","receiverAuthentication":"#),
            label: Label("Receiver's check", isRare: true),
            geoJSON: #","receiverAuthentication":"#,
            column: .init(49, "receiverAuthentication", 0)),
    ]

    static func words<State: NumberedState & RawRepresentable<String>>(
        _ states: [(State, text: String, condition: Word.Condition)]
    ) -> [Word] {
        states.map {
            Word(number: $0.number, name: $0.rawValue, text: $1, condition: $2)
        }
    }

    private init(
        _ name: String, _ value: @escaping @Sendable (Fix) -> Double?,
        _ set: @escaping @Sendable (inout Fix, Double) -> Void, words: [Word] = [],
        member: Member, label: Label, geoJSON: StaticString? = nil, column: Column? = nil
    ) {
        self.init(
            name, value, set, "", 0, cell: .receiver, geoJSON: geoJSON,
            column: column, words: words, member: member, label: label)
    }
}

extension FixAuthentication {
    /// Creates a result without counts. Returns `nil` for the number of no state.
    fileprivate init?(number: Double) {
        guard let state = State(number: number) else { return nil }
        self.init(state: state)
    }
}

extension FixAuthentication.State: NumberedState {}
extension AntennaState: NumberedState {
    /// gpsd's numbers begin with 1.
    package static var firstNumber: Int { 1 }
}
extension JammingState: NumberedState {}
extension SpoofingState: NumberedState {}
extension CorrectionSource: NumberedState {}
