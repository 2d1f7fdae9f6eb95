// SPDX-License-Identifier: MIT
public import GNSS
import GPSDObjects
import UBX

/// Writes gpsd's JSON objects, one per line. They are compact, begin with `class`, and omit unknown
/// values.
///
/// Most values are reported by the receiver, or calculated from reported values. For the estimated
/// errors (`eph`, `epv`, `sep`…) see `GPSDErrors`. If the receiver does not measure `climb`, it is
/// computed from the altitudes of the last ten seconds (`AltitudeTrend`). Other values that the
/// receiver omits are calculated: magnetic values with `MagneticModel`, the geoid separation with
/// `GeoidModel`, and `eps`, `epd` and `epc` with gpsd's formulae. The member `modelled` lists the
/// values that depend on these models and formulae.
///
/// A `TPV` may have members that gpsd does not have. For example, it contains the DOPs and the
/// number of satellites used in its epoch, because satellite lists are not sent in every epoch.
/// These members are named as in `SKY`. Until a date is known, `timeOfDay` contains the time of
/// day in seconds.
///
/// The members that gpsd does not have are words, numbers and booleans, never objects or lists,
/// because the libgps after gpsd 3.27.5 ends the session at the first unknown object.
public struct GPSDReports: Equatable {
    var text = TextBuffer()
    /// The device's name as a JSON string, with its quotes.
    let device: TextBuffer
    private let smallNumbers = SmallNumbers()
    /// Whether all fixes have gpsd's status 8 (simulated), even if the receiver does not mark them.
    public var isSimulated: Bool
    private let hasOwnMembers: Bool
    /// The anchor watch and the route, which become members of each `TPV`; `nil` without either.
    package var navigation: Navigation? {
        didSet {
            guard navigation != oldValue else { return }
            var members = JSONObject()
            navigation?.add(to: &members)
            navigationMembers.removeAll()
            navigationMembers.append(text: members.members)
        }
    }
    private var navigationMembers = TextBuffer()
    private var altitudes = AltitudeTrend()
    private var derivation = GPSDDerivation()

    /// Creates a writer for one device. If `hasOwnMembers` is `false`, the members that gpsd does
    /// not have are omitted, except `modelled`, `integrity`, `vote`, those of `navigation`, and those
    /// about corrections and signatures.
    public init(device name: String, isSimulated: Bool = false, hasOwnMembers: Bool = true) {
        self.hasOwnMembers = hasOwnMembers
        var device = TextBuffer()
        device.append(json: name)
        self.device = device
        self.isSimulated = isSimulated
    }

    /// Begins the reports of a device that has been opened. `navigation` remains.
    package mutating func begin(device name: String, isSimulated: Bool) {
        let navigation = navigation
        self = GPSDReports(
            device: name, isSimulated: isSimulated, hasOwnMembers: hasOwnMembers)
        self.navigation = navigation
    }

    /// The bytes written since the last `removeAll`.
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { text.bytes }
    }

    /// Removes the output and keeps the capacity.
    public mutating func removeAll() {
        text.removeAll()
    }

    /// Writes a `TPV` with the time, position and velocity of an epoch, and an `ATT` if the
    /// attitude is known. For an attitude without a satellite receiver, the `TPV` has mode 0.
    ///
    /// `timing` adds the times of arrival and of the report (`sor` and `rtime`), as gpsd does if a
    /// client requests them. The latency is `rtime` minus `time`.
    package mutating func report(_ fix: Fix, _ timing: ReportTiming? = nil) {
        let timing: ReportTiming? = timing?.byteCount != nil && fix.time == nil ? nil : timing
        altitudes.add(fix)
        let climb = fix.climb ?? altitudes.slope
        let values = derivation.values(of: fix)
        let errors = values.errors
        text.appendRecord {
            [device, hasOwnMembers, navigationMembers, isSimulated] record in
            record.append(#"{"class":"TPV","device":"#)
            record.append(device)
            let quality = isSimulated ? .simulated : fix.quality
            record.append(#","status":"#, quality.gpsdStatus)
            // Mode 0 is gpsd's "unknown": a compass does not report whether there is a fix.
            record.append(#","mode":"#, fix.isAttitudeOnly ? 0 : Int(fix.mode.rawValue))
            record.append(time: fix.time)
            // If the receiver does not report the accuracy of its time, gpsd's constant is used.
            if fix.time != nil {
                record.append(#","ept":"#, errors.ept ?? 0.005, decimals: errors.ept == nil ? 3 : 9)
            }
            if let position = fix.coordinate { record.append(position, of: fix, values, climb) }
            record.append(ReceiverMember.ofGPSD, of: fix)
            if fix.coordinate != nil {
                // gpsd sends these with a position only.
                if fix.solutionDetails != nil { record.append(detailsOf: fix) }
                if fix.receiverClock?.drift != nil { record.append(ReceiverMember.clock, of: fix) }
            }
            if !fix.instruments.isEmpty { record.append(fix.instruments, own: hasOwnMembers) }
            record.append(values.modelled)
            record.append(fix.integrity)
            record.append(fix.vote)
            if navigationMembers.count > 0 { record.append(navigationMembers) }
            if hasOwnMembers {
                record.appendOwnMembers(of: fix)
            } else if fix.hasRareState {
                record.appendReceiverState(of: fix, ReceiverMember.rareIndices)
            }
            if timing == nil { record.append("}\n") }
        }
        if let timing {
            text.append(#","rtime":"#)
            text.append(fixed: timing.reported, decimals: 6)
            text.append(#","sor":"#)
            text.append(fixed: timing.firstByte, decimals: 6)
            if let count = timing.byteCount { text.append(profileOf: fix, byteCount: count) }
            text.append("}\n")
        }
        if fix.attitude != Attitude() { report(fix.attitude, of: fix, values) }
    }

    /// Writes a `SKY` with the satellites in view, the satellites used and the DOPs, all from
    /// one epoch.
    public mutating func report(_ view: SatelliteView) {
        let sky = derivation.update(view)
        let geometry = sky.geometry
        text.appendRecord { [device, smallNumbers] record in
            record.append(#"{"class":"SKY","device":"#)
            record.append(device)
            record.append(time: view.time)
            record.append(view.dilution)
            record.append(#","xdop":"#, geometry?.xdop, decimals: 2)
            record.append(#","ydop":"#, geometry?.ydop, decimals: 2)
            record.append(#","tdop":"#, geometry?.tdop, decimals: 2)
            record.append(#","gdop":"#, geometry?.gdop, decimals: 2)
            record.append(#","nSat":"#, sky.inView)
            record.append(#","uSat":"#, sky.used)
            if sky.inView > 0 { record.append(satellites: view, smallNumbers.texts) }
            record.append("}\n")
        }
    }

    private mutating func report(_ attitude: Attitude, of fix: Fix, _ values: GPSDDerivedValues) {
        text.appendRecord { [device] record in
            record.append(#"{"class":"ATT","device":"#)
            record.append(device)
            record.append(time: fix.time)
            record.append(#","heading":"#, direction: attitude.heading, decimals: 3)
            record.append(#","mheading":"#, direction: values.magneticHeading, decimals: 3)
            record.append(#","pitch":"#, attitude.pitch, decimals: 3)
            record.append(#","roll":"#, attitude.roll, decimals: 3)
            record.append(#","rot":"#, attitude.rateOfTurn.map { $0 * 60 }, decimals: 3)
            if values.isHeadingModelled { record.append(#","modelled":"mheading""#) }
            record.append("}\n")
        }
    }

    /// Writes a `DEVICE` for an opened device. For a replay or a simulation, `subtype` contains the
    /// origin.
    package mutating func reportActivated(origin: DataOrigin) {
        text.append(#"{"class":"DEVICE","path":"#)
        text.append(device)
        text.append(#","driver":"NMEA0183""#)
        text.append(#","subtype":"#, json: origin.subtype)
        text.append("}\n")
    }

    /// Writes a `DEVICE` with `activated` 0, for a device that was disconnected.
    package mutating func reportGone() {
        text.append(#"{"class":"DEVICE","path":"#)
        text.append(device)
        text.append(",\"activated\":0}\n")
    }
}

/// A member for what a receiver reports about itself, from the list of properties.
private struct ReceiverMember: Sendable {
    let text: StaticString
    let decimals: Int
    let value: @Sendable (Fix) -> Double?
    /// The words for the numbers; empty if it has none.
    let words: [FixProperty.Word]

    static let ofGPSD = all(FixProperty.reported) { $0.isOfGPSD }
    static let details = all(FixProperty.details) { $0.isOfGPSD }
    static let clock = all(FixProperty.clock) { $0.isOfGPSD }
    /// The members that gpsd does not have contain words, if the property has words.
    static let own = all(FixProperty.reported) { !$0.isOfGPSD }
    /// The number of those before the rare ones.
    static let usualCount = own.count - all(FixProperty.rare) { !$0.isOfGPSD }.count
    static let rareIndices = usualCount..<own.count

    private static func all(
        _ properties: [FixProperty], _ isIncluded: (FixProperty.Member) -> Bool
    ) -> [ReceiverMember] {
        properties.compactMap { property in
            guard let member = property.member, isIncluded(member) else { return nil }
            return ReceiverMember(
                text: member.text, decimals: member.decimals, value: property.value,
                words: property.words)
        }
    }
}

extension RecordWriter {
    @_lifetime(self: copy self)
    mutating func append(time: UTCTime?) {
        guard let time else { return }
        append(#","time":""#)
        append(iso8601: time)
        append("\"")
    }

    @inline(__always)
    @_lifetime(self: copy self)
    mutating func append(_ dilution: DilutionOfPrecision) {
        append(#","hdop":"#, dilution.hdop, decimals: 2)
        append(#","pdop":"#, dilution.pdop, decimals: 2)
        append(#","vdop":"#, dilution.vdop, decimals: 2)
    }

    @_lifetime(self: copy self)
    fileprivate mutating func appendOwnMembers(of fix: Fix) {
        append(fix.dilution)
        append(#","uSat":"#, fix.satellitesUsed)
        append(#","stationary":"#, fix.isStationary)
        appendReceiverState(
            of: fix,
            fix.hasRareState ? ReceiverMember.own.indices : 0..<ReceiverMember.usualCount)
        append(.covariance, fix.covariance)
        append(.velocityCovariance, fix.velocityCovariance)
        append(fix.protectionLevel)
        guard fix.time == nil, let time = fix.timeOfDay else { return }
        append(#","timeOfDay":"#, Double(time.nanoseconds) / 1e9, decimals: 3)
    }

    /// Appends the numbers that a receiver reports about itself.
    @_lifetime(self: copy self)
    fileprivate mutating func append(_ members: [ReceiverMember], of fix: Fix) {
        for index in members.indices {
            guard let number = members[index].value(fix) else { continue }
            append(members[index].text, number, decimals: members[index].decimals)
        }
    }

    /// Appends the rare values of the solution.
    @_lifetime(self: copy self)
    fileprivate mutating func append(detailsOf fix: Fix) {
        append(ReceiverMember.details, of: fix)
        guard let datum = fix.solutionDetails?.first?.datum else { return }
        var text = TextBuffer()
        text.append(#","datum":"#, json: datum.prefix(utf8: String.maximumGPSDLength))
        append(text)
    }

    /// Appends what a receiver reports about itself, with the indices in `ReceiverMember.own`.
    @_lifetime(self: copy self)
    fileprivate mutating func appendReceiverState(of fix: Fix, _ indices: Range<Int>) {
        for index in indices {
            guard let number = ReceiverMember.own[index].value(fix) else { continue }
            guard !ReceiverMember.own[index].words.isEmpty else {
                append(
                    ReceiverMember.own[index].text, number,
                    decimals: ReceiverMember.own[index].decimals)
                continue
            }
            guard let word = ReceiverMember.own[index].words.word(of: number) else { continue }
            append(ReceiverMember.own[index].text)
            append("\"")
            append(text: word.name)
            append("\"")
        }
        guard indices.upperBound > ReceiverMember.usualCount else { return }
        if let types = fix.correctionReport?.first?.types {
            var text = TextBuffer()
            text.append(#","correctionTypes":"#, json: types)
            append(text)
        }
    }

    @_lifetime(self: copy self)
    private mutating func append(_ name: StaticString, _ flag: Bool?) {
        guard let flag else { return }
        append(name)
        append(flag ? "true" : "false")
    }

    /// Appends the members for position and velocity.
    @_lifetime(self: copy self)
    fileprivate mutating func append(
        _ position: Coordinate, of fix: Fix, _ values: GPSDDerivedValues, _ climb: Double?
    ) {
        let errors = values.errors
        append(#","lat":"#, position.latitude, decimals: 9)
        append(#","lon":"#, position.longitude, decimals: 9)
        append(#","altHAE":"#, values.ellipsoidalAltitude, decimals: 4)
        append(#","altMSL":"#, values.altitude, decimals: 4)
        append(#","alt":"#, values.altitude ?? values.ellipsoidalAltitude, decimals: 4)
        append(#","epx":"#, errors.epx, decimals: 3)
        append(#","epy":"#, errors.epy, decimals: 3)
        append(#","epv":"#, errors.epv, decimals: 3)
        append(#","track":"#, direction: fix.course, decimals: 4)
        append(#","magtrack":"#, direction: values.magneticCourse, decimals: 4)
        append(#","magvar":"#, values.magneticVariation, decimals: 1)
        append(#","speed":"#, fix.speed, decimals: 3)
        append(#","climb":"#, fix.mode == .threeD ? climb : nil, decimals: 3)
        append(#","eps":"#, errors.eps, decimals: 3)
        append(#","epd":"#, errors.epd, decimals: 3)
        append(#","epc":"#, values.epc, decimals: 3)
        appendVelocity(of: fix, fix.mode == .threeD ? climb : nil)
        append(#","geoidSep":"#, values.geoidSeparation, decimals: 3)
        append(#","eph":"#, errors.eph, decimals: 3)
        append(#","sep":"#, errors.sep, decimals: 3)
        append(#","dgpsAge":"#, fix.correctionAge, decimals: 1)
        append(#","dgpsSta":"#, fix.correctionStation)
    }

    /// Appends the components of the velocity. They are calculated from the rounded values that are
    /// written, so that reading the report gives the same result.
    @_lifetime(self: copy self)
    private mutating func appendVelocity(of fix: Fix, _ climb: Double?) {
        if let speed = fix.speed?.rounded(decimals: 1e3),
            let course = fix.course?.direction(decimals: 4).rounded(decimals: 1e4)
        {
            let (east, north) = PortableMath.sinCos(course * (.pi / 180))
            append(#","velN":"#, speed * north, decimals: 3)
            append(#","velE":"#, speed * east, decimals: 3)
        }
        append(#","velD":"#, climb.map { 0 - $0.rounded(decimals: 1e3) }, decimals: 3)
    }

    @_lifetime(self: copy self)
    fileprivate mutating func append(satellites view: SatelliteView, _ numbers: Span<UInt64>) {
        append(#","satellites":["#)
        let (signals, used) = (view.signals.span, view.used)
        var index = 0
        while let satellite = SatelliteView.nextCombinedSignal(of: signals, after: &index) {
            // All names together have at most 110 characters, and each number has at most 40.
            guard hasRoom(for: 110 + 10 * 40) else { return }
            put(#"{"PRN":"#, satellite.id.nmeaNumber, numbers)
            put(#","gnssid":"#, satellite.id.constellation.gnssID, numbers)
            put(#","svid":"#, Int(satellite.id.svid), numbers)
            // Satellites of sentences have no state, and are checked for it only once.
            let hasState = !satellite.state.isEmpty
            // The main signal is omitted.
            if hasState
                || satellite.signal != 0
                    && satellite.signal != satellite.id.constellation.mainSignal
            {
                putSignal(of: satellite, numbers)
            }
            put(#","az":"#, tenths: satellite.azimuth, numbers)
            put(#","el":"#, tenths: satellite.elevation, numbers)
            if hasState { putTracking(of: satellite, numbers) }
            put(#","ss":"#, tenths: satellite.cn0, numbers)
            if used.contains(satellite.id) {
                put(#","used":true"#)
            } else {
                put(#","used":false"#)
            }
            if hasState, let isHealthy = satellite.state.isHealthy {
                put(#","health":"#, isHealthy ? 1 : 2, numbers)
            }
            put("},")
        }
        // The bracket replaces the last comma.
        replaceLast(with: "]")
    }

    @inline(never)
    @_lifetime(self: copy self)
    private mutating func putTracking(of satellite: SatelliteSignal, _ numbers: Span<UInt64>) {
        if let tenths = satellite.state.residualTenths { putResidual(tenths, numbers) }
        if let quality = satellite.state.quality { put(#","qual":"#, quality, numbers) }
    }

    /// Writes a range residual without checking for free space. A fraction is too slow, because each
    /// satellite has one.
    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func putResidual(_ tenths: Int, _ numbers: Span<UInt64>) {
        let (whole, digit) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        guard whole < 1000 else {
            return append(#","prRes":"#, Double(tenths) / 10, decimals: 1)
        }
        put(tenths < 0 ? #","prRes":-"# : #","prRes":"#, Int(whole), numbers)
        put(".", Int(digit), numbers)
    }

    /// Writes the number and the frequency of a signal without checking for free space. As in gpsd,
    /// the number of a constellation's main signal, 0, is omitted.
    @inline(never)
    @_lifetime(self: copy self)
    private mutating func putSignal(of satellite: SatelliteSignal, _ numbers: Span<UInt64>) {
        let constellation = satellite.id.constellation
        let number = satellite.state.number ?? constellation.ubxSignal(ofNMEA: satellite.signal)
        if let number, number != 0 { put(#","sigid":"#, number, numbers) }
        if let frequency = satellite.state.frequency { put(#","freqid":"#, frequency, numbers) }
    }
}

extension Fix {
    /// Whether the fix has values of signatures or corrections.
    fileprivate var hasRareState: Bool {
        authentication != nil || receiverAuthentication != nil || correctionReport != nil
    }
}

extension Double {
    /// Returns the number rounded to a number of decimals. `scale` is 10 to the power of the
    /// decimals, such as 1000 for three.
    func rounded(decimals scale: Double) -> Double { (self * scale).rounded() / scale }
}

extension DataOrigin {
    /// The `subtype` of gpsd's `DEVICE`; `nil` for a live receiver and for an unknown origin.
    package var subtype: String? { mayBeLive ? nil : rawValue }
}

extension GPSDReports {
    /// Writes a `GST` with the receiver's standard deviations. Writes nothing if none are known.
    package mutating func reportDeviations(of fix: Fix) {
        let sigma = fix.standardDeviation
        guard sigma.horizontal != nil || sigma.altitude != nil else { return }
        text.appendRecord { [device] record in
            record.append(#"{"class":"GST","device":"#)
            record.append(device)
            record.append(time: fix.time)
            record.append(#","rms":"#, sigma.range, decimals: 3)
            record.append(#","major":"#, sigma.semiMajor, decimals: 3)
            record.append(#","minor":"#, sigma.semiMinor, decimals: 3)
            record.append(#","orient":"#, sigma.orientation, decimals: 3)
            record.append(#","lat":"#, sigma.latitude, decimals: 3)
            record.append(#","lon":"#, sigma.longitude, decimals: 3)
            record.append(#","alt":"#, sigma.altitude, decimals: 3)
            record.append("}\n")
        }
    }
}

extension RecordWriter {
    /// Appends the values of instruments. If `own` is `true`, members that gpsd does not have are
    /// included: further values, and the names of the invalid values.
    @_lifetime(self: copy self)
    mutating func append(_ instruments: Instruments, own: Bool) {
        for (quantity, value) in instruments.known {
            guard let row = FixProperty.ofQuantity[quantity], let member = row.member,
                own || member.isOfGPSD
            else { continue }
            let written = row.isDirection ? value.direction(decimals: member.decimals) : value
            append(member.text, written, decimals: member.decimals)
        }
        let invalid = instruments.invalid
        guard own, !invalid.isEmpty else { return }
        var names = TextBuffer()
        names.append(json: invalid.map(\.memberName).joined(separator: " "))
        append(#","invalid":"#)
        append(names)
    }
}

extension RecordWriter {
    /// Appends the result of a vote of several receivers:
    ///
    ///     "vote":"agreed","voteWinner":"bow","voteWitnesses":"aft, mast","voteDisagreeing":"","voteRadius":2.500
    ///
    /// The lists are omitted if the names of the receivers are not known.
    @_lifetime(self: copy self)
    mutating func append(_ vote: Vote?) {
        guard let vote else { return }
        let limit = String.maximumGPSDLength
        var text = TextBuffer()
        text.append(#","vote":"#, json: vote.state.rawValue)
        text.append(#","voteWinner":"#, json: vote.winner?.prefix(utf8: limit))
        if vote.hasNames {
            for (name, list) in [
                (#","voteWitnesses":"#, vote.witnesses),
                (#","voteDisagreeing":"#, vote.disagreeing),
            ] as [(StaticString, [String])] {
                text.append(name, json: list.joined(separator: Vote.separator, utf8: limit))
            }
        }
        text.append(#","voteRadius":"#, vote.radius, decimals: 3)
        append(text)
    }
}

extension RecordWriter {
    /// Appends the integrity verdict, with as many of its reasons as libgps accepts:
    ///
    ///     "integrity":"alarm","integritySince":"2026-03-21T12:01:00.000Z",
    ///     "integrityReasons":"positionStep: moved 412 m in 1 s; signalSpread: …"
    @_lifetime(self: copy self)
    mutating func append(_ integrity: Integrity?) {
        guard let integrity else { return }
        append(#","integrity":""#)
        append(text: integrity.state.rawValue)
        append("\"")
        if let since = integrity.since {
            append(#","integritySince":""#)
            append(iso8601: since)
            append("\"")
        }
        guard !integrity.reasons.isEmpty else { return }
        let reasons = integrity.reasons.map { "\($0.test.rawValue)\(Integrity.colon)\($0.text)" }
        var text = TextBuffer()
        text.append(
            #","integrityReasons":"#,
            json: reasons.joined(separator: Integrity.separator, utf8: String.maximumGPSDLength))
        append(text)
    }
}

extension RecordWriter {
    /// Appends the upper half of a covariance matrix as six members. Appends nothing if a number is
    /// 1e9 or more, because it would be missing.
    @_lifetime(self: copy self)
    mutating func append(_ names: Covariance.MemberNames, _ covariance: Covariance?) {
        guard let rows = covariance?.rows, rows.allSatisfy({ $0.magnitude < 1e9 }) else { return }
        for (name, number) in zip(names.texts, rows) { append(name, Double(number), decimals: 6) }
    }

    /// Appends the protection levels and their risk. Appends nothing if a level is 1e9 or more.
    @_lifetime(self: copy self)
    mutating func append(_ level: ProtectionLevel?) {
        guard let level, max(level.horizontal, level.vertical) < 1e9 else { return }
        append(#","protectionLevelHorizontal":"#, Double(level.horizontal), decimals: 3)
        append(#","protectionLevelVertical":"#, Double(level.vertical), decimals: 3)
        append(#","protectionLevelRisk":"#, Double(level.risk), decimals: 12)
    }
}

extension Covariance.MemberNames {
    /// The text before each number of the matrix.
    fileprivate var texts: [StaticString] {
        switch self {
        case .covariance:
            [
                #","covarianceNN":"#, #","covarianceNE":"#, #","covarianceND":"#,
                #","covarianceEE":"#, #","covarianceED":"#, #","covarianceDD":"#,
            ]
        case .velocityCovariance:
            [
                #","velocityCovarianceNN":"#, #","velocityCovarianceNE":"#,
                #","velocityCovarianceND":"#, #","velocityCovarianceEE":"#,
                #","velocityCovarianceED":"#, #","velocityCovarianceDD":"#,
            ]
        }
    }
}

/// The times at which a fix arrived and was reported, according to the system clock.
package struct ReportTiming: Hashable, Sendable {
    /// The arrival of the epoch's first byte, in seconds of Unix time.
    package var firstByte: Double
    /// The time of the report, in seconds of Unix time.
    package var reported: Double

    /// The size of the epoch's data in bytes. If it is set, the report also contains the members
    /// for gpsprof: the size, the satellites used, the GPS week and the time of week. A fix
    /// without a time then has no timing, because gpsprof requires the time. Default: `nil`.
    package var byteCount: Int?

    package init(firstByte: Double, reported: Double) {
        self.firstByte = firstByte
        self.reported = reported
    }
}

extension TextBuffer {
    /// Appends the members of a `TPV` that gpsprof uses. An unknown number of satellites is 0, as
    /// in gpsd; other unknown values are omitted.
    mutating func append(profileOf fix: Fix, byteCount: Int) {
        append(#","chars":"#, byteCount)
        append(#","sats":"#, fix.satellitesUsed ?? 0)
        guard let time = fix.time.flatMap({ GPSTime($0) }) else { return }
        append(#","week":"#, time.week)
        append(#","tow":"#)
        append(fixed: Double(time.nanoseconds) / 1e9, decimals: 3)
    }
}
