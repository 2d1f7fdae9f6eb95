// SPDX-License-Identifier: MIT
package import GNSS

/// Magnetic heading as measured by the sensor, with deviation and variation.
///
///     $--HDG,x.x,x.x,a,x.x,a*hh
///     $HCHDG,98.3,1.5,W,4.6,E*64
public struct HDG: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "HDG"

    /// The heading of the sensor in degrees from magnetic north, not corrected for the deviation.
    public var sensorHeading: Double?
    /// The deviation in degrees, positive to the east. Add it to the sensor heading to get the
    /// magnetic heading.
    public var deviation: Double?
    /// The variation in degrees, positive to the east. Add it to the magnetic heading to get the
    /// true heading.
    public var variation: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&sensorHeading)
        coder.decimal(&deviation, plus: "E", minus: "W", upTo: 180)
        coder.decimal(&variation, plus: "E", minus: "W", upTo: 180)
    }

    /// The heading in degrees from magnetic north. A missing deviation counts as 0.
    public var magneticHeading: Double? {
        sensorHeading.map { ($0 + (deviation ?? 0)).wrappedDegrees }
    }

    /// The heading in degrees true; `nil` without a variation.
    public var trueHeading: Double? {
        guard let magneticHeading, let variation else { return nil }
        return (magneticHeading + variation).wrappedDegrees
    }

    /// Sets the magnetic heading, and the true heading if no other sentence reports it.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(magneticHeading: magneticHeading, variation: variation)
    }
}

/// Magnetic heading.
///
///     $--HDM,x.x,M*hh
///     $HCHDM,238.5,M*25
package struct HDM: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "HDM"

    /// The heading in degrees magnetic.
    package var heading: Double?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&heading, unit: "M")
    }

    package func contribute(to epoch: inout Epoch) {
        epoch.fill(magneticHeading: heading)
    }
}

/// True heading: the direction of the bow, which can differ from the course.
///
///     $--HDT,x.x,T*hh
///     $HEHDT,123.4,T*2B
public struct HDT: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "HDT"

    /// The heading in degrees true.
    public var heading: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&heading, unit: "T")
    }

    public func contribute(to epoch: inout Epoch) {
        epoch.fill(trueHeading: heading)
    }
}

/// Unicore: heading, pitch and roll from two antennas.
///
///     $--HPR,hhmmss.ss,x.x,x.x,x.x,x,xx,x.x,xxxx*hh
///     $GNHPR,101520.00,348.25,-1.50,000.00,4,22,1.0,0999*47
package struct HPR: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "HPR"
    /// All fields up to the quality are required.
    package static let minimumFieldCount = 5

    /// The UTC time.
    package var time: TimeOfDay?
    /// The heading in degrees true.
    private var heading: Double?
    /// The pitch in degrees; positive if the bow is up.
    private var pitch: Double?
    /// The roll in degrees. Two antennas cannot measure it, so receivers send 0.
    private var roll: Double?
    /// The quality, as in GGA: 0 means no solution.
    package var quality: Int?
    package var satellites: Int?
    /// The time since the last correction, in seconds.
    package var correctionAge: Double?
    /// The id of the reference station.
    package var station: Int?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.decimal(&heading, in: 0...360, decimals: 2)
        coder.decimal(&pitch, in: -90...90, decimals: 2)
        coder.decimal(&roll, in: -180...180, decimals: 2)
        coder.integer(&quality)
        coder.integer(&satellites, width: 2)
        coder.decimal(&correctionAge, in: 0...1e9)
        coder.integer(&station, width: 4)
    }

    package var timing: EpochTiming { .attaches(time) }

    /// Sets heading and pitch. A roll of exactly 0 means that it is unknown.
    package func contribute(to epoch: inout Epoch) {
        guard let quality, quality != 0 else { return }
        epoch.fill(trueHeading: heading?.wrappedDegrees)
        epoch.fill(\.attitude.pitch, pitch)
        epoch.fill(\.attitude.roll, roll == 0 ? nil : roll)
    }
}

/// Unicore, ComNav and others: position, attitude and velocity. Only the attitude is used, because
/// receivers send the position in other sentences, too.
///
///     $KSXT,yyyymmddhhmmss.ss,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x,x,…*hh
///     $KSXT,20260321101520.00,16.37,48.2,171.4,123.4,1.2,90.0,9.26,0.5,3,3,12,12*2F
package struct KSXT: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "KSXT"
    /// All fields up to the quality of the heading are required.
    package static let minimumFieldCount = 11

    /// The UTC date and time as fourteen digits and decimals.
    package var instant: String?
    /// The longitude in degrees.
    package var longitude: Double?
    /// The latitude in degrees.
    package var latitude: Double?
    /// The height in metres.
    private var height: Double?
    /// The heading in degrees true.
    private var heading: Double?
    /// The pitch in degrees; positive if the bow is up.
    private var pitch: Double?
    /// The course over ground in degrees.
    package var course: Double?
    /// The speed over ground in kilometres per hour.
    private var speedKilometresPerHour: Double?
    /// The roll in degrees; positive to starboard.
    private var roll: Double?
    /// The quality of the position: 0 none, 1 autonomous, 2 RTK float, 3 RTK fixed.
    package var quality: Int?
    /// The quality of the heading: 0 none, 1 autonomous, 2 RTK float, 3 RTK fixed.
    private var headingQuality: Int?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.text(&instant)
        coder.decimal(&longitude, in: -180...180, decimals: 8)
        coder.decimal(&latitude, in: -90...90, decimals: 8)
        coder.decimal(&height, decimals: 4)
        coder.decimal(&heading, in: 0...360, decimals: 2)
        coder.decimal(&pitch, in: -90...90, decimals: 2)
        coder.decimal(&course, in: 0...360, decimals: 2)
        coder.decimal(&speedKilometresPerHour, in: 0...1e6, decimals: 3)
        coder.decimal(&roll, in: -180...180, decimals: 2)
        coder.integer(&quality)
        coder.integer(&headingQuality)
    }

    /// The time of day; `nil` if `instant` is not a date and a time.
    package var time: TimeOfDay? {
        guard let digits = instant?.utf8.dropFirst(8) else { return nil }
        let numbers = digits.prefix(6).compactMap { 0x30...0x39 ~= $0 ? Int($0 - 0x30) : nil }
        guard numbers.count == 6 else { return nil }
        var (nanosecond, unit) = (0, 100_000_000)
        for digit in digits.dropFirst(7).prefix(9) where 0x30...0x39 ~= digit {
            nanosecond += Int(digit - 0x30) * unit
            unit /= 10
        }
        return TimeOfDay(
            hour: 10 * numbers[0] + numbers[1], minute: 10 * numbers[2] + numbers[3],
            second: 10 * numbers[4] + numbers[5], nanosecond: nanosecond)
    }

    package var timing: EpochTiming { .attaches(time) }

    package func contribute(to epoch: inout Epoch) {
        guard let headingQuality, headingQuality != 0 else { return }
        epoch.fill(trueHeading: heading?.wrappedDegrees)
        epoch.fill(\.attitude.pitch, pitch)
        epoch.fill(\.attitude.roll, roll)
    }
}

/// Rate of turn.
///
///     $--ROT,x.x,A*hh
///     $TIROT,-35.6,A*26
package struct ROT: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "ROT"

    /// The rate of turn in degrees per minute; negative to port.
    package var rate: Double?
    /// The status: `A` valid, `V` not valid.
    package var status: UInt8?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&rate)
        coder.letter(&status)
    }

    /// Sets the rate of turn if it is valid.
    package func contribute(to epoch: inout Epoch) {
        guard status != UInt8(ascii: "V") else { return }
        epoch.fill(\.attitude.rateOfTurn, rate.map { $0 / 60 })
    }
}

/// True heading and its source.
///
///     $--THS,x.x,a*hh
///     $GNTHS,217.45,A*1C
package struct THS: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "THS"
    /// Both fields are required.
    package static let minimumFieldCount = 2

    /// The heading in degrees true.
    package var heading: Double?
    /// The source of the heading: `A` autonomous, `E` estimated, `M` manual, `S` simulated, `V` not
    /// valid.
    package var mode: UInt8?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&heading)
        coder.letter(&mode)
    }

    /// Sets the true heading if it is valid.
    package func contribute(to epoch: inout Epoch) {
        guard mode != UInt8(ascii: "V") else { return }
        epoch.fill(trueHeading: heading)
    }
}
