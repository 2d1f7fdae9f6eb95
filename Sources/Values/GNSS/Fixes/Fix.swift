// SPDX-License-Identifier: MIT

/// A position solution, valid or not: everything a receiver reported about one epoch.
///
/// A property that was not reported is `nil`, never 0. Units are SI and degrees. The stored form
/// omits unknown values; only mode and quality are required:
///
///     {"time":"2026-03-21T10:15:20.250Z","timeOfDay":"10:15:20.250","mode":3,"quality":1,
///      "coordinate":{"latitude":48.2,"longitude":16.36},"altitude":170.5,"speed":10,
///      "dilution":{"hdop":0.9},"satellitesUsed":9}
public struct Fix: Hashable, Sendable {
    /// The time of the fix as reported by the receiver; `nil` until the receiver has sent a date.
    public var time: UTCTime?

    /// The date that the receiver reported, if it was impossible and `time` was corrected by a
    /// multiple of 1024 weeks; otherwise `nil`. See `WeekRollover`.
    @inlinable
    public var receivedDate: CalendarDate? {
        get { rare[\.receivedDate, nil] }
        set { rare[\.receivedDate, nil] = newValue }
    }

    /// The UTC time of day. Some receivers send it long before the date.
    public var timeOfDay: TimeOfDay?

    /// The dimensions of the fix; `.noFix` if it has no position.
    public var mode: FixMode = .noFix

    /// The source of the position.
    public var quality: FixQuality = .invalid

    /// The latitude and longitude in degrees, WGS 84.
    public var coordinate: Coordinate?

    /// The altitude in metres above mean sea level.
    @Compact public var altitude: Double?

    /// The altitude in metres above the WGS 84 ellipsoid.
    @Compact public var ellipsoidalAltitude: Double?

    /// The height of mean sea level above the ellipsoid, in metres.
    @Compact public var geoidSeparation: Double?

    /// The speed over ground in metres per second.
    @Compact public var speed: Double?

    /// The course over ground in degrees from true north, 0 up to 360; `nil` if unknown, for
    /// example at rest.
    @Compact public var course: Double?

    /// The climb rate in metres per second, positive upwards; `nil` if the receiver does not
    /// measure it.
    @Compact public var climb: Double?

    /// The course over ground in degrees from magnetic north, 0 up to 360; `nil` if the receiver
    /// does not send it.
    @Compact public var magneticCourse: Double?

    /// The angle from true north to magnetic north in degrees, positive to the east.
    @Compact public var magneticVariation: Double?

    /// The orientation of the vehicle, which can be known without a position.
    @inlinable
    public var attitude: Attitude {
        get { rare[\.attitude, Attitude()] }
        set { rare[\.attitude, Attitude()] = newValue }
    }

    /// The values of other instruments, such as depth and wind, received over the same connection
    /// since the previous fix.
    @inlinable
    public var instruments: Instruments {
        get { rare[\.instruments, Instruments()] }
        set { rare[\.instruments, Instruments()] = newValue }
    }

    /// The age of the last differential correction, in seconds.
    @Compact public var correctionAge: Double?

    /// The id of the reference station for differential corrections.
    @inlinable
    public var correctionStation: Int? {
        get { station.value }
        set { station.value = newValue }
    }

    /// The dilution of precision.
    public var dilution = DilutionOfPrecision()

    /// The accuracy of the position.
    public var accuracy = Accuracy()

    /// The one-sigma errors that the receiver reports.
    public var standardDeviation = StandardDeviation()

    /// The covariance of the position; `nil` if the receiver does not report it.
    @inlinable
    public var covariance: Covariance? {
        get { rare[\.covariance, nil] }
        set { rare[\.covariance, nil] = newValue }
    }

    /// The covariance of the velocity; `nil` if the receiver does not report it.
    @inlinable
    public var velocityCovariance: Covariance? {
        get { rare[\.velocityCovariance, nil] }
        set { rare[\.velocityCovariance, nil] = newValue }
    }

    /// The error bounds that the receiver guarantees; `nil` if it does not guarantee any at
    /// present.
    @inlinable
    public var protectionLevel: ProtectionLevel? {
        get { rare[\.protectionLevel, nil] }
        set { rare[\.protectionLevel, nil] = newValue }
    }

    /// The state of the receiver's jamming detector; `nil` if the receiver does not report one.
    public var jamming: JammingState?

    /// The state of the receiver's spoofing detector; `nil` if the receiver does not report one.
    public var spoofing: SpoofingState?

    /// The level of narrow-band interference that the receiver measures, from 0 (none) to 255.
    public var interferenceLevel: UInt8?

    /// The first frequency that the receiver reports as jammed, in hertz; `nil` if no frequency is
    /// jammed or the receiver does not report frequencies.
    @inlinable
    public var jammedFrequency: UInt32? {
        get { rare[\.jammedFrequency, nil] }
        set { rare[\.jammedFrequency, nil] = newValue }
    }

    /// The gain of the receiver's amplifier, from 0 to 1. It falls when the antenna receives more
    /// power.
    public var gain: Float?

    /// The state of the antenna; `nil` if the receiver does not supervise it.
    public var antenna: AntennaState?

    /// The temperature of the receiver in degrees Celsius; `nil` if it does not measure it.
    public var temperature: Int8?

    /// The state of the receiver's own clock; `nil` if the receiver does not report it.
    @inlinable
    public var receiverClock: ReceiverClock? {
        get { rare[\.receiverClock, nil] }
        set { rare[\.receiverClock, nil] = newValue }
    }

    /// The difference between GPS time and UTC in seconds; `nil` unless the receiver reports a
    /// valid number.
    public var leapSeconds: Int8?

    /// Whether the data of Galileo's satellites are signed by Galileo; `nil` if that is not verified.
    @inlinable
    public var authentication: FixAuthentication? {
        get { rare[\.authentication, nil] }
        set { rare[\.authentication, nil] = newValue }
    }

    /// The receiver's own check of those signatures: `unknown`, `authenticated` or `failed`; `nil` if it
    /// reports none.
    @inlinable
    package var receiverAuthentication: FixAuthentication.State? {
        get { rare[\.receiverAuthentication, nil] }
        set { rare[\.receiverAuthentication, nil] = newValue }
    }

    /// Whether the position can be trusted, and the evidence against it; `nil` if no
    /// `IntegrityMonitor` has examined the fix.
    @inlinable
    public var integrity: Integrity? {
        get { rare[\.integrity, nil] }
        set { rare[\.integrity, nil] = newValue }
    }

    /// The result of comparing this fix with other receivers; `nil` unless a vote of several
    /// receivers selected it.
    @inlinable
    public var vote: Vote? {
        get { rare[\.vote, nil] }
        set { rare[\.vote, nil] = newValue }
    }

    /// Whether the receiver is stationary, determined from the speeds and positions up to this fix;
    /// `nil` if unknown.
    public var isStationary: Bool?

    /// The source of the corrections in the solution; `nil` if the receiver does not report it.
    public var correctionSource: CorrectionSource?

    /// The number of satellites used in the solution.
    @inlinable
    public var satellitesUsed: Int? {
        get { used.value }
        set { used.value = newValue }
    }

    /// The number of satellites in view, from the most recent complete lists.
    @inlinable
    public var satellitesInView: Int? {
        get { inView.value }
        set { inView.value = newValue }
    }

    /// `true` if epochs between the previous fix and this one were left out, because they repeated
    /// two or more reported times in their order: the receiver's time has gone back.
    @inlinable
    package var followsRepeatedTimes: Bool? {
        get { rare[\.followsRepeatedTimes, nil] }
        set { rare[\.followsRepeatedTimes, nil] = newValue }
    }

    /// See `corrections`. The array has one element.
    @inlinable
    package var correctionReport: [CorrectionReport]? {
        get { rare[\.correctionReport, nil] }
        set { rare[\.correctionReport, nil] = newValue }
    }

    /// See `details`. The array has one element.
    @inlinable
    package var solutionDetails: [SolutionDetails]? {
        get { rare[\.solutionDetails, nil] }
        set { rare[\.solutionDetails, nil] = newValue }
    }

    @usableFromInline var station = CompactInteger()
    @usableFromInline var used = CompactInteger()
    @usableFromInline var inView = CompactInteger()

    /// The values that few receivers report.
    @usableFromInline var rare = RareValues.Reference()

    /// Creates a fix without a position and with all values `nil`.
    public init() {}

    /// Whether the date may be 1024 weeks too early: the day 1024 weeks later is not after this
    /// release. It is also `true` for the correct dates of old recordings.
    package var isDateSuspect: Bool {
        guard receivedDate == nil, let time else { return false }
        return WeekRollover.isSuspect(time.date)
    }

    /// Whether the date is more than one day before this release, or more than 1024 weeks after it.
    /// From a live receiver, such a date is wrong, usually because of a GPS week rollover. It is
    /// corrected only if the system clock is right.
    package var hasImpossibleDate: Bool {
        guard let day = time?.date.daysSince1970 else { return false }
        let release = Release.daysSince1970
        return !(release - 1...release + WeekRollover.days ~= day)
    }

    /// Whether the fix contains only an attitude, as from a compass or an autopilot without a
    /// satellite receiver.
    package var isAttitudeOnly: Bool {
        guard mode == .noFix, timeOfDay == nil, attitude != Attitude() else { return false }
        var rest = self
        (rest.attitude, rest.instruments) = (Attitude(), Instruments())
        (rest.integrity, rest.vote, rest.isStationary) = (nil, nil, nil)
        (rest.followsRepeatedTimes, rest.correctionReport) = (nil, nil)
        return rest == Fix()
    }

    /// Removes a number of satellites of 0 beside a position, which means that the number is unknown:
    /// gpsd counts 0 before the first list of a binary receiver, and programs without the number write
    /// 00, because many readers need one. Dead reckoning and an entered position use none.
    package mutating func removeUnknownSatelliteCount() {
        if satellitesUsed == 0, quality != .estimated, quality != .manual { satellitesUsed = nil }
    }

    /// A copy with only the values that remain known when the receiver has lost its position.
    package var withoutPosition: Fix {
        var fix = Fix()
        fix.dilution = dilution
        fix.magneticVariation = magneticVariation
        fix.attitude = attitude
        fix.instruments = instruments
        fix.satellitesUsed = satellitesUsed
        fix.jamming = jamming
        fix.spoofing = spoofing
        fix.interferenceLevel = interferenceLevel
        fix.jammedFrequency = jammedFrequency
        fix.gain = gain
        fix.antenna = antenna
        fix.temperature = temperature
        fix.authentication = authentication
        fix.receiverAuthentication = receiverAuthentication
        fix.integrity = integrity
        fix.vote = vote
        fix.correctionReport = correctionReport
        return fix
    }
}

extension Fix: CustomStringConvertible, CustomDebugStringConvertible {
    /// The known values on one line: time, coordinate, accuracy, altitude, speed, course, heading,
    /// type of fix and satellites used.
    ///
    ///     2026-03-21T12:00:00.000Z 48.2074883, 16.3633768 ±3 m, altitude 170.7 m ±4.5 m, 10 m/s, 90°, 3D, 12 satellites (simulated)
    public var description: String {
        var parts: [String] = []
        if let coordinate {
            parts.append(
                "\(Self.text(coordinate.latitude, 7)), \(Self.text(coordinate.longitude, 7))"
                    + Self.margin(accuracy.horizontal))
        }
        if let altitude {
            parts.append("altitude \(Self.text(altitude, 1)) m" + Self.margin(accuracy.vertical))
        }
        if let speed { parts.append("\(Self.text(speed, 1)) m/s") }
        if let course { parts.append(Self.degrees(course)) }
        if let heading = attitude.heading {
            parts.append("heading \(Self.degrees(heading))")
        } else if let heading = attitude.magneticHeading {
            parts.append("magnetic heading \(Self.degrees(heading))")
        }
        parts.append(kind)
        if let satellitesUsed {
            parts.append(Plural.text(satellitesUsed, "satellite"))
        }
        let instant = time.map { "\($0) " } ?? timeOfDay.map { "\($0.text) " } ?? ""
        let isSimulated = quality == .simulated
        return instant + parts.joined(separator: ", ") + (isSimulated ? " (simulated)" : "")
    }

    /// All known properties, with their names.
    public var debugDescription: String {
        let properties = Mirror(reflecting: self).children.compactMap { property -> String? in
            let mirror = Mirror(reflecting: property.value)
            guard mirror.displayStyle != .optional || !mirror.children.isEmpty else { return nil }
            // The names of stored numbers begin with an underscore.
            let value = "\(property.value)".replacing("(_", with: "(").replacing(" _", with: " ")
            return "\(property.label ?? ""): \(value)"
        }
        return "Fix(\(properties.joined(separator: ", ")))"
    }

    private var kind: String {
        guard mode > .noFix else { return "no fix" }
        let dimensions = mode == .threeD ? "3D" : "2D"
        guard ![.invalid, .autonomous, .simulated].contains(quality) else { return dimensions }
        return "\(dimensions) \(quality.name)".replacing("rtk_", with: "RTK ")
    }

    private static func text(_ number: Double, _ decimals: Int) -> String {
        String(number, atMostDecimals: decimals)
    }

    /// Formats an angle with one decimal. An angle that would be rounded to 360° becomes 0°.
    private static func degrees(_ angle: Double) -> String {
        "\(text(angle.direction(decimals: 1), 1))°"
    }

    private static func margin(_ accuracy: Double?) -> String {
        accuracy.map { " ±\(text($0, 1)) m" } ?? ""
    }
}

extension TimeOfDay {
    /// The time as `12:00:00`, with milliseconds unless they are 0.
    fileprivate var text: String {
        let milliseconds = nanosecond / 1_000_000
        return milliseconds > 0 ? "\(clock).\(String(milliseconds, width: 3))" : clock
    }
}

/// The dimensions of a fix, as in GSA field 2 and gpsd's `mode`.
public enum FixMode: UInt8, Comparable, Hashable, Sendable {
    /// No position.
    case noFix = 1
    /// A position without a reliable altitude.
    case twoD = 2
    /// A position with an altitude.
    case threeD = 3

    /// Orders modes from no fix to 3D.
    public static func < (a: FixMode, b: FixMode) -> Bool { a.rawValue < b.rawValue }
}

/// The source of a fix. Raw values are those of GGA field 6; other sentences use a mode letter.
public enum FixQuality: UInt8, CaseIterable, Hashable, Sendable {
    /// No fix (GGA 0, mode `N`).
    case invalid = 0
    /// Satellites without corrections (GGA 1, mode `A`).
    case autonomous = 1
    /// Satellites with corrections, including SBAS (GGA 2, mode `D`).
    case differential = 2
    /// Precise positioning service (GGA 3, mode `P`).
    case precise = 3
    /// Real-time kinematic with fixed ambiguities; centimetre accuracy (GGA 4, mode `R`).
    case rtkFixed = 4
    /// Real-time kinematic with floating ambiguities; decimetre accuracy (GGA 5, mode `F`).
    case rtkFloat = 5
    /// Dead reckoning (GGA 6, mode `E`).
    case estimated = 6
    /// A position entered by the user (GGA 7, mode `M`).
    case manual = 7
    /// A simulator (GGA 8, mode `S`).
    case simulated = 8

    /// The priority if sentences of one epoch report different qualities: the quality with the
    /// highest rank is used. `simulated` ranks highest, because a simulator's proprietary sentences
    /// cannot express it and therefore report another quality.
    package var rank: Int { traits.rank }

    /// The name of the quality in GeoJSON and CSV.
    package var name: StaticString { traits.name }

    /// The word in lines of text; `nil` if the line has only the dimensions.
    package var word: String? { traits.word }

    /// gpsd's `status`; `nil` for an autonomous fix and without a fix.
    package var gpsdStatus: Int? { traits.gpsdStatus }

    /// The name in Signal K's specification.
    package var signalK: String { traits.signalK }
}

extension FixQuality {
    fileprivate typealias Traits = (
        rank: Int, name: StaticString, text: String?, word: String?, gpsdStatus: Int?,
        signalK: String
    )

    /// What outputs call the quality, and its rank.
    @inline(__always)
    fileprivate var traits: Traits {
        switch self {
        case .invalid: (0, "invalid", nil, "invalid", nil, "GNSS Fix")
        case .autonomous: (3, "autonomous", "satellites alone", nil, nil, "GNSS Fix")
        case .differential:
            (5, "differential", "corrected by DGPS/SBAS", "DGPS", 2, "DGNSS fix")
        case .precise: (4, "precise", "precise (PPS)", "PPS", 9, "Precise GNSS")
        case .rtkFixed: (7, "rtk_fixed", "RTK fixed", "RTK", 3, "RTK fixed integer")
        case .rtkFloat: (6, "rtk_float", "RTK float", "float", 4, "RTK float")
        case .estimated: (2, "estimated", "dead reckoning", "DR", 5, "Estimated (DR) mode")
        case .manual: (1, "manual", "entered manually", "manual", 7, "Manual input")
        case .simulated: (8, "simulated", "simulated", nil, 8, "Simulator mode")
        }
    }

    /// Creates a quality from gpsd's `status`. Returns `nil` for an autonomous fix and for unknown
    /// codes.
    package init?(gpsdStatus status: Int?) {
        // Status 6 is dead reckoning with satellites.
        let status = status == 6 ? 5 : status
        guard let status, let quality = Self.allCases.first(where: { $0.gpsdStatus == status })
        else { return nil }
        self = quality
    }
}

/// Describes the quality of a fix in words.
package enum FixQualityText {
    /// Returns the dimensions and the source of a position as text: `3D, RTK fixed`.
    package static func text(_ fix: Fix) -> String {
        guard fix.mode > .noFix else { return "no fix" }
        let dimensions = fix.mode == .threeD ? "3D" : "2D, no altitude"
        return [dimensions, kind(fix.quality)].compactMap(\.self).joined(separator: ", ")
    }

    /// Returns the source of a position as text: `satellites alone`. Returns `nil` for `.invalid`.
    package static func kind(_ quality: FixQuality) -> String? { quality.traits.text }
}
