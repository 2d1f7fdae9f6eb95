// SPDX-License-Identifier: MIT
import GNSS
import GPSDObjects
import NMEA

/// Makes epochs of the objects that gpsd reports about one receiver.
struct ReportedEpochs {
    /// The time after which no further objects of an epoch are expected. gpsd sends them together.
    private static let pause = Duration.milliseconds(100)
    /// The time for which a list of satellites is part of the following epochs.
    private static let lifetime = Duration.seconds(10)

    private var reader: GPSDReader
    /// The last list of satellites, and the time when it was received.
    private var list: (view: SatelliteView, time: MonotonicInstant)?
    /// The arrival of the objects since the last epoch; `nil` if there are none.
    private var arrival: EpochArrival?
    private var epochs: [ReportedEpoch] = []
    /// The time at which to call `receive` even without objects; `nil` if no fix waits.
    private(set) var end: MonotonicInstant?

    /// Prepares to read objects of the device with this path; `nil` for any device.
    init(of device: String?) {
        reader = GPSDReader(device: device)
    }

    /// Reads objects. Returns the sentences of the epochs that are complete.
    mutating func receive(_ objects: [[UInt8]], at now: MonotonicInstant) -> [UInt8] {
        let count = epochs.count
        for object in objects {
            var events: [GPSDReader.Event] = []
            reader.read(object) { events.append($0) }
            add(events, at: now)
            arrival = EpochArrival(
                firstByte: arrival?.firstByte ?? now, lastByte: now,
                byteCount: (arrival?.byteCount ?? 0) + object.count)
        }
        if objects.isEmpty, let end, end <= now {
            var events: [GPSDReader.Event] = []
            reader.completeFix { events.append($0) }
            add(events, at: now)
        }
        if !objects.isEmpty || !reader.hasFix { end = reader.hasFix ? now + Self.pause : nil }
        return epochs[count...].flatMap(\.sentences)
    }

    private mutating func add(_ events: [GPSDReader.Event], at now: MonotonicInstant) {
        for event in events {
            switch event {
            case .fix(var fix, let view):
                if let view { list = (view, now) }
                if let list, list.time + Self.lifetime < now { self.list = nil }
                // gpsd does not send a list in each epoch.
                if let list, fix.coordinate != nil, fix.satellitesUsed == nil {
                    fix.setSatellites(used: list.view.counts.used, list.view.dilution)
                }
                epochs.append(
                    ReportedEpoch(
                        fix: fix, satellites: list?.view ?? SatelliteView(),
                        listsSatellites: view != nil, arrival: arrival))
                arrival = nil
            case .satellites(let view):
                list = (view, now)
                // An empty list has no sentences. It is part of the next epoch.
                guard !view.signals.isEmpty else { break }
                epochs.append(
                    ReportedEpoch(fix: nil, satellites: view, listsSatellites: true, arrival: nil))
            case .otherDevice, .unreadable: break
            }
        }
    }

    mutating func takeEpochs() -> [ReportedEpoch] { exchange(&epochs, with: []) }
}

/// An epoch that a server has reported instead of sending the receiver's bytes.
package struct ReportedEpoch: Sendable {
    /// The fix; `nil` for a list of satellites at another time than that of a fix.
    let fix: Fix?
    /// The last list of satellites; empty if it is too old.
    let satellites: SatelliteView
    /// Whether `satellites` is a new list.
    let listsSatellites: Bool
    /// The arrival of the reports; `nil` without a fix.
    let arrival: EpochArrival?
    /// The epoch as sentences.
    let sentences: [UInt8]

    init(fix: Fix?, satellites: SatelliteView, listsSatellites: Bool, arrival: EpochArrival?) {
        self.fix = fix
        self.satellites = satellites
        self.listsSatellites = listsSatellites
        self.arrival = arrival
        var writer = SentenceWriter()
        if let fix { writer.write(fix, used: satellites.used) }
        if listsSatellites { writer.write(satellites) }
        sentences = writer.bytes
    }
}
