// SPDX-License-Identifier: MIT
package import GNSS

/// Combines gpsd's objects `TPV`, `SKY`, `GST` and `ATT` with the same device and time into one
/// fix. The objects may be in any order.
///
/// A fix is complete when an object with a later time or the next `TPV` is read, unless that `TPV`
/// repeats the last one. A `SKY` from gpsd has no time and belongs to the next `TPV`. At most one
/// object of each class is kept until its `TPV` is read.
struct GPSDJoin {
    /// The maximum number of devices to distinguish.
    private static let maximumDevices = 64
    /// The number of returns to an earlier device after which the devices of a file count as
    /// alternating. Fewer returns occur if a receiver that is plugged in again has another name
    /// for a while.
    private static let maximumReturns = 3
    /// The maximum difference, in degrees, between the positions of repeated `TPV`s. The sentences
    /// of an epoch may have different numbers of decimals.
    private static let repetitionTolerance = 1e-5

    /// The device and the time, which are equal for all objects of a fix.
    struct Key: Equatable {
        var device: String?
        var time: UTCTime?

        func isSameDevice(_ other: Key) -> Bool {
            device == nil || other.device == nil || device == other.device
        }
    }

    /// The content of a `SKY`.
    struct SkyObject {
        var view: SatelliteView
        var used: Int?
        var inView: Int?

        /// Returns the merged content of two objects. Values of `later` take precedence.
        fileprivate func merged(with later: SkyObject) -> SkyObject {
            var merged = SkyObject(
                view: later.hasList ? later.view : view, used: later.used ?? used,
                inView: later.inView ?? inView)
            merged.view.dilution = DilutionOfPrecision(
                hdop: later.view.dilution.hdop ?? view.dilution.hdop,
                vdop: later.view.dilution.vdop ?? view.dilution.vdop,
                pdop: later.view.dilution.pdop ?? view.dilution.pdop)
            return merged
        }

        /// Returns the merged content of two objects of one epoch. The longer list is kept, because
        /// gpsd also sends lists in which later constellations are still missing.
        fileprivate func united(with later: SkyObject) -> SkyObject {
            view.signals.count > later.view.signals.count
                ? later.merged(with: self) : merged(with: later)
        }

        /// Returns whether one of the two lists contains all satellites of the other, in the same
        /// directions, and at least one more.
        fileprivate func isPartOrWhole(of other: SkyObject) -> Bool {
            let (a, b) = (view.signals, other.view.signals)
            let (short, long) = a.count < b.count ? (a, b) : (b, a)
            return short.count < long.count
                && short.allSatisfy { signal in
                    long.contains {
                        ($0.id, $0.elevation, $0.azimuth)
                            == (signal.id, signal.elevation, signal.azimuth)
                    }
                }
        }

        fileprivate var hasList: Bool { !view.signals.isEmpty }

        /// The satellites in view, which may be empty; `nil` for a `SKY` that contains only
        /// DOPs.
        fileprivate var list: SatelliteView? { hasList || inView == 0 ? view : nil }
    }

    /// A `TPV` and the objects that belong to it.
    fileprivate struct Pending {
        let key: Key
        var fix: Fix
        var estimates: GPSDEstimates
        var sky: SkyObject?
        var hasDeviations = false
        var hasAttitude = false
    }

    private var pending: Pending?
    /// The key and the position of the last `TPV`; `nil` if gpsbridge wrote it.
    private var last: (key: Key, coordinate: Coordinate?)?
    // Objects that were read before their `TPV`.
    private var sky: (key: Key, value: SkyObject)?
    private var deviations: (key: Key, value: StandardDeviation)?
    private var attitude: (key: Key, value: Attitude)?
    /// The DOPs of the last `SKY` that belonged to a `TPV`, from which gpsd calculates errors until it
    /// sends the next one.
    private var dilution: (device: String?, value: DilutionOfPrecision)?
    /// Whether a `TPV` has been read.
    private var hasFixes = false
    /// The devices of the fixes so far.
    private var devices: Set<String> = []
    /// The device of the last fix.
    private var device: String?
    /// The number of fixes from a device that sent an earlier fix, but not the fix directly before.
    private var returns = 0
    /// Whether fixes of several devices alternate.
    var alternates: Bool { returns >= Self.maximumReturns }

    // MARK: Objects

    /// Adds a `TPV`. `isOwn` is `true` if gpsbridge wrote it, which repeats none. Then fixes may
    /// have equal times, such as those of a FIT file at more than 1 Hz.
    mutating func add(
        _ fix: Fix, _ estimates: GPSDEstimates, _ key: Key, isOwn: Bool,
        _ receive: (GPSDReader.Event) -> Void
    ) {
        let isRepeated = !isOwn && repeatsLast(fix, key)
        last = isOwn ? nil : (key: key, coordinate: fix.coordinate)
        var repeated: Pending?
        if isRepeated {
            // Without a pending fix, it was already passed on, after an object with another time.
            guard let current = pending else { return }
            (repeated, pending) = (current, nil)
        } else {
            endFix(receive)
        }
        hasFixes = true
        var new = Pending(key: key, fix: fix, estimates: estimates)
        if let sky = take(\.sky, for: key) {
            new.sky = sky
        } else if let other = sky, other.key.isSameDevice(key) {
            endSky(receive)
        }
        if let deviations = take(\.deviations, for: key) { new.set(deviations) }
        if let attitude = take(\.attitude, for: key) { new.set(attitude) }
        if let repeated { new.add(repeated) }
        pending = new
    }

    /// Returns whether a `TPV` has the time, device and position of the last one. gpsd repeats the
    /// `TPV` of an epoch when further sentences arrive: since version 3.25, up to ten times.
    private func repeatsLast(_ fix: Fix, _ key: Key) -> Bool {
        guard let last, key.time != nil, key == last.key, let new = fix.coordinate,
            let old = last.coordinate
        else { return false }
        return (new.latitude - old.latitude).magnitude < Self.repetitionTolerance
            && (new.longitude - old.longitude).magnitude < Self.repetitionTolerance
    }

    mutating func add(_ new: SkyObject, _ key: Key, _ receive: (GPSDReader.Event) -> Void) {
        if pending?.key == key {
            let current = pending?.sky
            guard current?.hasList == true, new.hasList else {
                pending?.sky = current?.merged(with: new) ?? new
                return
            }
            if key.time != nil, let current, current.isPartOrWhole(of: new) {
                pending?.sky = current.united(with: new)
                return
            }
            // The epoch already has a list, so this one belongs to another epoch.
            endFix(receive)
        } else {
            endFix(before: key, receive)
        }
        if let held = sky, held.key == key, !(held.value.hasList && new.hasList) {
            sky = (key, held.value.merged(with: new))
        } else {
            endSky(receive)
            sky = (key, new)
        }
    }

    mutating func add(_ new: StandardDeviation, _ key: Key, _ receive: (GPSDReader.Event) -> Void) {
        if pending?.key == key, pending?.hasDeviations == false {
            pending?.set(new)
        } else {
            endFix(before: key, receive)
            deviations = (key, new)
        }
    }

    mutating func add(_ new: Attitude, _ key: Key, _ receive: (GPSDReader.Event) -> Void) {
        if pending?.key == key, pending?.hasAttitude == false {
            pending?.set(new)
        } else {
            endFix(before: key, receive)
            endAttitude(receive)
            attitude = (key, new)
        }
    }

    mutating func finish(_ receive: (GPSDReader.Event) -> Void) {
        endFix(receive)
        endSky(receive)
        endAttitude(receive)
    }

    // MARK: Completing fixes

    /// Removes and returns a kept object if it belongs to the `TPV` with this key; otherwise
    /// returns `nil`.
    private mutating func take<Value>(
        _ part: WritableKeyPath<Self, (key: Key, value: Value)?>, for key: Key
    ) -> Value? {
        guard let held = self[keyPath: part], held.key.isSameDevice(key) else { return nil }
        guard held.key.time == nil || held.key.time == key.time else { return nil }
        self[keyPath: part] = nil
        return held.value
    }

    /// Completes the current fix if an object of the same device has a later time. An earlier time
    /// does not complete it, because gpsd may repeat the `SKY` of the previous epoch between
    /// repetitions of a `TPV`.
    private mutating func endFix(before key: Key, _ receive: (GPSDReader.Event) -> Void) {
        guard let pending, let time = key.time, key.isSameDevice(pending.key) else { return }
        if let old = pending.key.time, !old.isBefore(time) { return }
        endFix(receive)
    }

    /// Whether a `TPV` waits for further objects.
    var hasFix: Bool { pending != nil }

    mutating func endFix(_ receive: (GPSDReader.Event) -> Void) {
        guard let complete = pending else { return }
        pending = nil
        if complete.fix.coordinate != nil, let device = complete.key.device {
            begin(device, receive)
        }
        if let sky = complete.sky { dilution = (complete.key.device, sky.view.dilution) }
        let earlier = dilution?.device == complete.key.device ? dilution?.value : nil
        receive(.fix(complete.completed(earlier), complete.sky?.list))
    }

    /// Reports that the next fix is from another device. If devices alternate, their fixes are one
    /// track, because a segment for each fix would be useless.
    private mutating func begin(_ device: String, _ receive: (GPSDReader.Event) -> Void) {
        guard device != self.device else { return }
        if devices.contains(device) {
            returns += alternates ? 0 : 1
        } else if devices.count < Self.maximumDevices {
            devices.insert(device)
        }
        if self.device != nil, !alternates { receive(.otherDevice) }
        self.device = device
    }

    /// Passes on a kept `SKY` that has no `TPV`.
    private mutating func endSky(_ receive: (GPSDReader.Event) -> Void) {
        guard let held = sky else { return }
        sky = nil
        if let view = held.value.list { receive(.satellites(view)) }
    }

    /// Passes on a kept attitude that has no `TPV`, as from a compass without a satellite receiver.
    /// If the file contains fixes, the attitude is dropped, because a fix without a position would
    /// split the track.
    private mutating func endAttitude(_ receive: (GPSDReader.Event) -> Void) {
        guard let held = attitude else { return }
        attitude = nil
        guard !hasFixes else { return }
        var fix = Fix()
        if let time = held.key.time { fix.set(time: time) }
        fix.attitude = held.value
        receive(.fix(fix, nil))
    }
}

extension GPSDJoin.Pending {
    mutating func set(_ deviations: StandardDeviation) {
        hasDeviations = true
        if fix.coordinate != nil { fix.standardDeviation = deviations }
    }

    mutating func set(_ attitude: Attitude) {
        hasAttitude = true
        fix.attitude = attitude
    }

    /// Adds the values and objects of an earlier `TPV` of the same epoch, unless there are newer ones.
    mutating func add(_ earlier: GPSDJoin.Pending) {
        let new = fix
        // gpsd also sends repetitions that contain only the position and the speed.
        if !new.hasAltitude, earlier.fix.hasAltitude {
            (fix, estimates) = (earlier.fix, earlier.estimates)
            if hasDeviations { fix.standardDeviation = new.standardDeviation }
            if hasAttitude { fix.attitude = new.attitude }
            fix.instruments = new.instruments
        }
        fix.instruments.fillGaps(with: earlier.fix.instruments)
        if let other = earlier.sky { sky = sky.map { other.united(with: $0) } ?? other }
        if !hasDeviations, earlier.hasDeviations { set(earlier.fix.standardDeviation) }
        if !hasAttitude, earlier.hasAttitude { set(earlier.fix.attitude) }
    }

    /// Returns the fix with its accuracy, and with values from its `SKY` that the `TPV` does not
    /// contain. `earlier` are the DOPs for the errors of a `TPV` without a `SKY`.
    func completed(_ earlier: DilutionOfPrecision?) -> Fix {
        var fix = fix
        fix.satellitesInView = sky?.inView
        guard fix.coordinate != nil else { return fix }
        // A `TPV` from gpsbridge already contains these values.
        if let sky, fix.dilution == DilutionOfPrecision(), fix.satellitesUsed == nil {
            fix.setSatellites(used: sky.used, sky.view.dilution)
        }
        var origin = fix
        if let earlier, fix.dilution == DilutionOfPrecision() { origin.dilution = earlier }
        fix.accuracy = estimates.accuracy(of: origin)
        fix.accuracy.speed = estimates.eps.map {
            fix.accuracy.source == .receiver ? $0 : $0 / Accuracy.heightFactor95
        }
        fix.accuracy.course = estimates.epd.map { $0 / Accuracy.heightFactor95 }
        return fix
    }
}

extension Fix {
    /// Sets the values of a `SKY`. With a position, a count of 0 means that the number is unknown.
    package mutating func setSatellites(used: Int?, _ dilution: DilutionOfPrecision) {
        self.dilution = dilution
        satellitesUsed = used == 0 ? nil : used
    }

    fileprivate var hasAltitude: Bool { altitude != nil || ellipsoidalAltitude != nil }
}

/// The objects in gpsd's answers to `?POLL`. They contain the last `TPV`, `GST` and `SKY` of each
/// device. A program that asks more often than the receiver reports receives the same objects
/// again.
struct GPSDPoll {
    /// The maximum number of devices to distinguish.
    private static let maximumDevices = 64

    /// The time of the last `TPV` of each device.
    private var times: [String: UTCTime] = [:]
    /// The devices whose last `TPV` repeated the time of the `TPV` before it.
    private var repeating: Set<String> = []

    /// Returns the device and the time of an object of the class `name`. An object without a time
    /// gets the time of the device's last `TPV`. Returns `nil` if the object is only repeated.
    mutating func key(_ name: String?, _ key: GPSDJoin.Key) -> GPSDJoin.Key? {
        let device = key.device ?? ""
        guard name == "TPV" else {
            guard !repeating.contains(device) else { return nil }
            return GPSDJoin.Key(device: key.device, time: key.time ?? times[device])
        }
        if let time = key.time, time == times[device] {
            repeating.insert(device)
            return nil
        }
        repeating.remove(device)
        if times[device] != nil || times.count < Self.maximumDevices { times[device] = key.time }
        return key
    }
}
