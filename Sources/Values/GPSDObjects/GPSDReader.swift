// SPDX-License-Identifier: MIT
package import GNSS
import NMEA
import UBX

/// Reads gpsd's objects `TPV`, `SKY`, `GST` and `ATT`, as written by `gpspipe -w`, `monitor` and
/// `convert`.
///
/// Objects of the same device and time are combined into one fix; see `GPSDJoin`. Objects in a
/// `POLL` are also read; see `GPSDPoll`.
package struct GPSDReader {
    /// What the reader has found.
    package enum Event: Sendable {
        /// A fix, and the satellites in view at its time; `nil` if they are not listed.
        case fix(Fix, SatelliteView?)
        /// The satellites in view at a time without a fix.
        case satellites(SatelliteView)
        /// The next fix is from another device.
        case otherDevice
        /// A value with this text cannot be read, in the object with this number.
        case unreadable(Value, text: String, object: Int)
    }

    /// A value of a `TPV`.
    package enum Value: Sendable {
        case time, position
        case number(name: String)
    }

    /// The maximum number of members of an object; further ones are ignored. gpsd's objects have
    /// about forty.
    private static let maximumMembers = 256
    private static let maximumSatellites = 512
    private static let maximumDevices = 1024

    private static let maximumReasons = 64
    private static let maximumListLength = 64
    /// The members of a `TPV` that only gpsbridge writes. Nearly each of its `TPV`s has one.
    private static let ownNames =
        ["modelled", "hdop", "vdop", "pdop", "uSat", "stationary", "integrity"]
        + FixProperty.reported.compactMap { $0.member?.isOfGPSD == false ? $0.member?.name : nil }
    /// What a receiver reports about itself, by the name of the member.
    private static let reported = (FixProperty.reported + FixProperty.details + FixProperty.clock)
        .compactMap {
            property in
            property.member.map { (name: $0.name, property: property) }
        }

    /// The members of the current object. Earlier versions of gpsbridge wrote some as objects, whose
    /// members get the names of today: `voteWinner`.
    private var members: [String: JSONScalar] = [:]
    /// The members that earlier versions wrote as lists, likewise.
    private var lists: [String: [JSONScalar]] = [:]
    /// The members of the current reason in `integrity`.
    private var reason: [String: JSONScalar] = [:]
    private var reasons: [Integrity.Reason] = []
    /// The members of the current object in the list `satellites` or `devices`.
    private var satellite: [String: JSONScalar] = [:]
    /// The paths of the devices whose errors gpsd copies from UBX.
    private var oneSigmaDevices: Set<String> = []
    private var signals: [SatelliteSignal] = []
    private var used = SatelliteIDSet()
    private var join = GPSDJoin()
    private var poll = GPSDPoll()
    /// The number of the current object, from 1. The first one has begun before its format is known.
    private var objectCount = 1
    /// The members of a `TPV` that are numbers.
    private static let numberNames = [
        "altHAE", "altMSL", "alt", "geoidSep", "speed", "track", "climb", "magtrack", "magvar",
        "eph", "epv", "hdop", "vdop", "pdop",
    ]
    /// Whether the current object is a `POLL`.
    private var isInPoll = false

    /// The path of the device to read; `nil` for all devices.
    private let device: String?

    /// Creates a reader at the beginning of an object. `device` is the path of the device to read;
    /// `nil` for all devices.
    package init(device: String? = nil) {
        self.device = device
    }

    /// Reads an object. If it is damaged, the values after the damage are missing, or all of them.
    package mutating func read(_ object: [UInt8], _ receive: (Event) -> Void) {
        var scanner = JSONScanner(isTolerant: true)
        do throws(JSONError) {
            try scanner.push(object[...]) { handle($0, $1, receive) }
        } catch {
            dropObject()
        }
    }

    /// Whether a fix waits for further objects of its epoch.
    package var hasFix: Bool { join.hasFix }

    /// Passes on the fix that waits for further objects. Those that follow nevertheless are no
    /// longer part of it.
    package mutating func completeFix(_ receive: (Event) -> Void) { join.endFix(receive) }

    /// Reads an event of the scanner.
    package mutating func handle(
        _ event: JSONScanner.Event, _ path: JSONScanner.Path, _ receive: (Event) -> Void
    ) {
        guard isInPoll else {
            handleObject(event, path, receive)
            guard path.count == 1, path[0] == "class" else { return }
            return isInPoll = members["class"]?.string == "POLL"
        }
        if path.isEmpty { return isInPoll = false }
        // The lists of a `POLL`, such as `tpv`, contain objects.
        guard path.count > 1, path[1] == nil else { return }
        handleObject(event, Array(path.dropFirst(2)), receive)
    }

    private mutating func handleObject(
        _ event: JSONScanner.Event, _ path: JSONScanner.Path, _ receive: (Event) -> Void
    ) {
        switch (event, path.count) {
        case (.begin, 0):
            objectCount += 1
            members.removeAll(keepingCapacity: true)
            lists.removeAll(keepingCapacity: true)
            reasons.removeAll(keepingCapacity: true)
            signals = []
            used = SatelliteIDSet()
        case (.scalar(let scalar), 1): if let key = path[0] { add(scalar, key) }
        case (.begin, 2): satellite.removeAll(keepingCapacity: true)
        case (.scalar(let scalar), 3)
        where (path[0] == "satellites" || path[0] == "devices") && path[1] == nil:
            if let key = path[2], satellite.count < Self.maximumMembers { satellite[key] = scalar }
        case (.scalar(let scalar), 2):
            guard let name = path[0] else { break }
            if let key = path[1] {
                add(scalar, Self.flat(name, key))
            } else {
                add(scalar, toList: name)
            }
        case (.scalar(let scalar), 3) where path[0] == "vote" && path[2] == nil:
            if let key = path[1] { add(scalar, toList: Self.flat("vote", key)) }
        case (.begin, 3): reason.removeAll(keepingCapacity: true)
        case (.scalar(let scalar), 4) where path[0] == "integrity" && path[1] == "reasons":
            if let key = path[3], reason.count < Self.maximumMembers { reason[key] = scalar }
        case (.end, 3) where path[0] == "integrity" && path[1] == "reasons": addReason()
        case (.end, 2) where path[0] == "satellites" && path[1] == nil: addSatellite()
        case (.end, 2) where path[0] == "devices" && path[1] == nil: addDevice(satellite)
        case (.end, 0): endObject(receive)
        default: break
        }
    }

    /// Drops the current object, because the rest of it is missing.
    package mutating func dropObject() {
        isInPoll = false
    }

    /// Passes on the fix that is not complete, at the end of the input.
    package mutating func finish(_ receive: (Event) -> Void) {
        join.finish(receive)
    }

    /// Whether fixes of several devices alternate.
    package var alternates: Bool { join.alternates }

    // MARK: Objects

    /// Returns the name of today for a member of an object: `integritySince`, and `integrity` for its
    /// state.
    private static func flat(_ object: String, _ key: String) -> String {
        key == "state" ? object : object + key.prefix(1).uppercased() + String(key.dropFirst())
    }

    private mutating func add(_ scalar: JSONScalar, _ key: String) {
        if members.count < Self.maximumMembers { members[key] = scalar }
    }

    private mutating func add(_ scalar: JSONScalar, toList key: String) {
        guard lists.count < Self.maximumMembers,
            lists[key, default: []].count < Self.maximumListLength
        else { return }
        lists[key, default: []].append(scalar)
    }

    private mutating func endObject(_ receive: (Event) -> Void) {
        // Modelled values are not values of the receiver, so they are ignored.
        if let modelled = members["modelled"]?.string {
            for name in modelled.split(separator: " ") { members[String(name)] = nil }
        }
        if let device, members["device"]?.string != device { return }
        guard let key = key() else { return }
        switch members["class"]?.string {
        case "TPV":
            reportOddValues(receive)
            let estimates = GPSDEstimates(
                eph: error("eph"), epv: error("epv"), sep: error("sep"),
                eps: error("eps"), epd: error("epd"),
                mayBeOneSigma: !isOwn
                    && members["device"]?.string.map(oneSigmaDevices.contains) == true)
            join.add(fix, estimates, key, isOwn: isOwn, receive)
        case "DEVICE": addDevice(members)
        case "SKY":
            let view = SatelliteView(
                signals: signals.sorted { $0.sortKey < $1.sortKey }, used: used,
                dilution: dilution, time: time)
            let counts: (inView: Int?, used: Int?) =
                signals.isEmpty ? (nil, nil) : (view.counts.inView, view.counts.used)
            let sky = GPSDJoin.SkyObject(
                view: view, used: members["uSat"]?.integer ?? counts.used,
                inView: members["nSat"]?.integer ?? counts.inView)
            join.add(sky, key, receive)
        case "GST":
            let deviations = StandardDeviation(
                latitude: metres("lat"), longitude: metres("lon"), altitude: metres("alt"),
                semiMajor: metres("major"), semiMinor: metres("minor"),
                orientation: members["orient"]?.number, range: metres("rms"))
            join.add(deviations, key, receive)
        case "ATT":
            var attitude = Attitude()
            attitude.heading = members["heading"]?.number
            attitude.magneticHeading = members["mheading"]?.number
            attitude.pitch = members["pitch"]?.number
            attitude.roll = members["roll"]?.number
            attitude.rateOfTurn = members["rot"]?.number.map { $0 / 60 }
            join.add(attitude, key, receive)
        default: break
        }
    }

    /// Reports the values of a `TPV` that cannot be read.
    private func reportOddValues(_ receive: (Event) -> Void) {
        func report(_ value: Value, _ text: String) {
            receive(.unreadable(value, text: text, object: objectCount))
        }
        func isOdd(_ value: JSONScalar) -> Bool { value != .null && value.number == nil }
        if let value = members["time"], time == nil, value != .null, value != .string("") {
            report(.time, value.text)
        }
        for name in Self.numberNames {
            guard let value = members[name], isOdd(value) else { continue }
            report(.number(name: name), value.text)
        }
        guard let latitude = members["lat"], let longitude = members["lon"],
            latitude != .null, longitude != .null, members["mode"]?.integer ?? 2 > 1
        else { return }
        if let north = latitude.number, let east = longitude.number,
            Coordinate(checking: north, east) != nil
        {
            return
        }
        report(.position, "\(latitude.text), \(longitude.text)")
    }

    /// Whether the current `TPV` was written by gpsbridge.
    private var isOwn: Bool {
        Self.ownNames.contains { members[$0] != nil }
    }

    /// Stores whether a device, described by `DEVICE`, is read by gpsd's driver for u-blox. Of its
    /// drivers, this one copies one-sigma errors.
    private mutating func addDevice(_ members: [String: JSONScalar]) {
        guard let path = members["path"]?.string, let driver = members["driver"]?.string else {
            return
        }
        if driver != "u-blox" {
            oneSigmaDevices.remove(path)
        } else if oneSigmaDevices.count < Self.maximumDevices {
            oneSigmaDevices.insert(path)
        }
    }

    /// Returns the device and the time of the object; `nil` for an object that a `POLL` only
    /// repeats.
    private mutating func key() -> GPSDJoin.Key? {
        let key = GPSDJoin.Key(device: members["device"]?.string, time: time)
        return isInPoll ? poll.key(members["class"]?.string, key) : key
    }

    /// The time of the object. Old versions of gpsd sent it as seconds since 1970.
    private var time: UTCTime? {
        switch members["time"] {
        case .string(let text)?: UTCTime(written: text)
        case .number(let seconds)? where 1..<9e9 ~= seconds:
            UTCTime(unixNanoseconds: Int64((seconds * 1000).rounded()) * 1_000_000)
        default: nil
        }
    }

    private var dilution: DilutionOfPrecision {
        DilutionOfPrecision(
            hdop: metres("hdop"), vdop: metres("vdop"), pdop: metres("pdop"))
    }

    /// Returns the value of a member that cannot be negative, such as an error in metres or a DOP;
    /// `nil` if the value is negative or missing.
    private func metres(_ key: String) -> Double? {
        members[key]?.number.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Returns the value of a member that is an estimated error; `nil` if it is 0, which stands for an
    /// unknown one.
    private func error(_ key: String) -> Double? { metres(key).flatMap { $0 > 0 ? $0 : nil } }

    private mutating func addReason() {
        guard reasons.count < Self.maximumReasons, let test = reason["test"]?.string else { return }
        reasons.append(
            Integrity.Reason(
                test: Integrity.Test(rawValue: test), value: reason["value"]?.number ?? 0,
                threshold: reason["threshold"]?.number ?? 0, unit: reason["unit"]?.string ?? "",
                since: reason["since"]?.string.flatMap { UTCTime(written: $0) },
                text: reason["text"]?.string ?? ""))
    }

    private var verdict: Integrity? {
        guard var verdict = Integrity(members: members) else { return nil }
        if !reasons.isEmpty { verdict.reasons = reasons }
        return verdict
    }

    private var vote: Vote? {
        guard var vote = Vote(members: members) else { return nil }
        if let names = lists["voteWitnesses"] { vote.witnesses = names.compactMap(\.string) }
        if let names = lists["voteDisagreeing"] { vote.disagreeing = names.compactMap(\.string) }
        return vote
    }

    private func matrix(_ names: Covariance.MemberNames) -> Covariance? {
        Covariance(names, members: members)
            ?? lists[names.rawValue].flatMap { list in
                Covariance(rows: list.map { Float($0.number ?? .nan) })
            }
    }

    private var fix: Fix {
        var fix = Fix()
        fix.integrity = verdict
        fix.vote = vote
        if let time {
            fix.set(time: time)
        } else {
            fix.timeOfDay = members["timeOfDay"]?.number.flatMap { TimeOfDay(seconds: $0) }
        }
        // gpsd's TPV does not have these members; gpsbridge adds them because satellite lists are
        // not sent in every epoch.
        fix.dilution = dilution
        fix.satellitesUsed = members["uSat"]?.integer
        fix.instruments = Instruments(invalid: members["invalid"]?.string) { members[$0]?.number }
        fix.isStationary = members["stationary"]?.bool
        for (name, property) in Self.reported {
            // gpsd's own leap seconds come from its table, if the receiver reports none.
            guard let member = members[name], isOwn || name != "leapseconds" else { continue }
            let number = member.string.flatMap { property.number(of: $0) } ?? member.number
            if let number { property.set(&fix, number) }
        }
        fix.covariance = matrix(.covariance)
        fix.velocityCovariance = matrix(.velocityCovariance)
        fix.protectionLevel = ProtectionLevel(members: members)
        let mode = members["mode"]?.integer.flatMap { UInt8(exactly: $0) }
            .flatMap { FixMode(rawValue: $0) }
        let status = members["status"]?.integer
        if status == 8 { fix.quality = .simulated }
        guard mode != .noFix,
            let latitude = members["lat"]?.number, let longitude = members["lon"]?.number,
            let coordinate = Coordinate(checking: latitude, longitude)
        else { return fix }
        fix.coordinate = coordinate
        fix.ellipsoidalAltitude = members["altHAE"]?.number
        // Before version 3.20, gpsd sent only `alt`, which is above mean sea level.
        fix.altitude = members["altMSL"]?.number
        if fix.altitude == nil, fix.ellipsoidalAltitude == nil {
            fix.altitude = members["alt"]?.number
        }
        fix.geoidSeparation = geoidSeparation(of: fix)
        fix.speed = metres("speed")
        fix.course = members["track"]?.number
        fix.climb = members["climb"]?.number ?? members["velD"]?.number.map { -$0 }
        if fix.speed == nil, let north = members["velN"]?.number,
            let east = members["velE"]?.number
        {
            fix.speed = (north * north + east * east).squareRoot()
        }
        fix.magneticCourse = members["magtrack"]?.number
        fix.magneticVariation = members["magvar"]?.number
        fix.correctionAge = metres("dgpsAge")
        fix.correctionStation = members["dgpsSta"]?.integer
        fix.details.datum = members["datum"]?.string
        if let types = members["correctionTypes"]?.string { fix.corrections.types = types }
        fix.complete(mode: mode, quality: FixQuality(gpsdStatus: status))
        fix.removeUnknownSatelliteCount()
        return fix
    }

    /// Returns the geoid separation that fits the two altitudes of `fix`, if both are known. gpsd's
    /// `geoidSep` is the value of its own table, even if the receiver reports both altitudes.
    private func geoidSeparation(of fix: Fix) -> Double? {
        let stated = members["geoidSep"]?.number
        guard let altitude = fix.altitude, let height = fix.ellipsoidalAltitude else {
            return stated
        }
        // gpsd writes four decimals.
        let difference = ((height - altitude) * 1e4).rounded() / 1e4
        // Rounded values may differ by one and a half units of the third decimal.
        guard let stated, abs(stated - difference) < 0.001_6 else { return difference }
        return stated
    }

    // MARK: Satellites

    private mutating func addSatellite() {
        guard signals.count < Self.maximumSatellites, let id else { return }
        let az = satellite["az"]?.number, el = satellite["el"]?.number
        var state = SignalState()
        state.number = satellite["sigid"]?.integer
        state.frequency = satellite["freqid"]?.integer
        state.residual = satellite["prRes"]?.number
        state.quality = satellite["qual"]?.integer
        state.isHealthy = satellite["health"]?.integer.flatMap { 1...2 ~= $0 ? $0 == 1 : nil }
        let signal = state.number.flatMap {
            id.constellation.nmeaSignal(ofUBX: UInt8(clamping: $0))
        }
        signals.append(
            SatelliteSignal(
                id: id, signal: signal ?? 0,
                elevation: el.flatMap { $0.magnitude <= 90 ? $0 : nil },
                azimuth: az.flatMap { 0..<360 ~= $0 ? $0 : nil },
                cn0: satellite["ss"]?.number.flatMap { 0..<100 ~= $0 ? $0 : nil }, state: state))
        if satellite["used"]?.bool == true { used.insert(id) }
    }

    private var id: SatelliteID? {
        guard let gnssID = satellite["gnssid"]?.integer, let number = satellite["svid"]?.integer
        else {
            // Old versions, such as 3.17, send only this number.
            return satellite["PRN"]?.integer
                .flatMap { SatelliteID(number: $0, listedUnder: nil) }
        }
        return Constellation(gnssID: gnssID).flatMap { SatelliteID($0, number) }
    }
}
