// SPDX-License-Identifier: MIT
package import GNSS

/// The newest ephemerides of all satellites, and the parameters of their systems: what a receiver
/// needs for a fast first fix.
///
/// At most one ephemeris of each satellite's message is kept.
package struct AssistanceData: Hashable, Sendable {
    private struct Source: Hashable {
        let satellite: SatelliteID
        let message: NavigationMessage
    }

    private struct System: Hashable {
        let constellation: Constellation
        let kind: SystemParameters.Kind
    }

    private var newest: [Source: Ephemeris] = [:]
    private var systems: [System: SystemParameters] = [:]
    /// Whether a part of the data comes from simulated receivers. Real ones must not get it.
    package var isSimulated = false

    package init() {}

    package var isEmpty: Bool { newest.isEmpty && systems.isEmpty }

    /// The time of a clock in seconds since 6 January 1980, in GPS time; `nil` before.
    package static func seconds(_ time: UTCTime) -> Int? {
        GPSTime(time)?.seconds
    }

    /// Adds an ephemeris, if it is newer than the present one and useful at `now`, in seconds since
    /// 6 January 1980.
    package mutating func add(_ ephemeris: Ephemeris, at now: Int) {
        let source = Source(satellite: ephemeris.satellite, message: ephemeris.message)
        guard ephemeris.isUseful(at: now) else { return }
        if let present = newest[source], present.toe > ephemeris.toe, present.isUseful(at: now) {
            return
        }
        newest[source] = ephemeris
    }

    /// Adds parameters, unless newer ones are known.
    package mutating func add(_ parameters: SystemParameters) {
        let system = System(
            constellation: parameters.satellite.constellation, kind: parameters.kind)
        guard systems[system].map({ $0.time <= parameters.time }) ?? true else { return }
        systems[system] = parameters
    }

    /// Adds what another collection has.
    package mutating func merge(_ other: AssistanceData, at now: Int) {
        for ephemeris in other.newest.values { add(ephemeris, at: now) }
        for parameters in other.systems.values { add(parameters) }
        isSimulated = isSimulated || other.isSimulated
    }

    /// The ephemerides that are useful at a time, in the order of satellites. Those of Galileo's
    /// E5a are left out, because receivers are not assisted with them.
    package func ephemerides(at now: Int) -> [Ephemeris] {
        newest.values.filter { $0.message != .fnav && $0.isUseful(at: now) }
            .sorted { $0.satellite < $1.satellite }
    }

    /// Parameters are useful for this time after their transmission, in seconds.
    private static let parameterLife = 7 * 86_400

    /// The parameters that are useful at a time, in the order of constellations.
    private func parameters(at now: Int) -> [SystemParameters] {
        systems.values.filter { abs(now - $0.time) <= Self.parameterLife }
            .sorted {
                ($0.satellite, $0.kind.rawValue) < ($1.satellite, $1.kind.rawValue)
            }
    }

    /// A place where a receiver may be, with the radius of its circle in metres.
    package typealias Place = (coordinate: Coordinate, radius: Double)

    /// Returns the frames that assist a receiver of u-blox: ephemerides, the highest satellite
    /// first, then parameters.
    ///
    /// - Parameters:
    ///   - now: The time in seconds since 6 January 1980, in GPS time.
    ///   - place: If it is known, satellites that are below the horizon there are left out.
    ///   - constellations: Those that the receiver uses; `nil` if they are not known.
    package func frames(
        at now: Int, for place: Place?, _ constellations: Set<Constellation>?
    ) -> (ephemerides: [[UInt8]], parameters: [[UInt8]]) {
        let used = ephemerides(at: now).filter {
            (constellations?.contains($0.satellite.constellation) ?? true)
                // The message of GLONASS cannot say that a satellite is not to be used.
                && ($0.message != .fdma || $0.isHealthy)
        }
        // Kilometres to degrees on the ground. The circle may be too large for any choice.
        let margin = place.map { 5 + $0.radius / 111_000 } ?? 90
        let ranked = used.map { ephemeris in
            (
                frame: ephemeris.assistance,
                elevation: place.map { place in
                    ephemeris.elevation(at: Double(now), from: place.coordinate)
                }
            )
        }
        let visible = ranked.filter { $0.elevation.map { $0 >= -margin } ?? true }
            .sorted { ($0.elevation ?? 0) > ($1.elevation ?? 0) }
        let systems = parameters(at: now).filter {
            constellations?.contains($0.satellite.constellation) ?? true
        }
        return (visible.compactMap(\.frame), systems.compactMap(\.assistance))
    }
}

extension Ephemeris {
    /// Whether the ephemeris shortens the first fix of a receiver at a time in seconds since
    /// 6 January 1980: neither too old nor of the future.
    package func isUseful(at now: Int) -> Bool {
        let (past, future) = usefulTime
        return -future...past ~= now - toe
    }

    /// How long after and before `toe` an ephemeris is useful, in seconds. GPS sends it up to two
    /// hours before; GLONASS's is for half an hour, and its time is UTC.
    private var usefulTime: (past: Int, future: Int) {
        switch message {
        case .lnav where satellite.constellation == .qzss: (7200, 7500)
        case .lnav: (14_400, 7500)
        case .inav, .fnav, .d1, .d2: (14_400, 4000)
        case .fdma: (1800, 1800)
        }
    }
}

/// Files of ephemerides.
extension AssistanceData {
    /// The text of the header's comment in files with data of simulated receivers.
    private static let simulated = "origin: simulated"

    /// Reads a RINEX navigation file of version 3 or 4. Of each satellite, the newest ephemeris that
    /// is useful at `now` is kept.
    package init(rinex text: String, at now: Int) {
        var reader = RINEXNavigation()
        var last = 0
        func add(_ ephemeris: Ephemeris?, _ data: inout AssistanceData) {
            guard let ephemeris else { return }
            last = max(last, ephemeris.toe)
            data.add(ephemeris, at: now)
        }
        let header = text.firstRange(of: "END OF HEADER").map { text[..<$0.lowerBound] }
        isSimulated = header?.contains(Self.simulated) ?? false
        // Swift reads CR LF as one character.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            add(reader.push(String(line)), &self)
        }
        add(reader.finish(), &self)
        for parameters in reader.parameters(near: last) { self.add(parameters) }
    }

    /// The data as a RINEX navigation file of version 3.
    package func rinex(at now: Int) -> String {
        TextBuffer.text { text in
            text.append(
                header: "     3.05           NAVIGATION DATA     M", "RINEX VERSION / TYPE")
            text.append(header: "gpsbridge", "PGM / RUN BY / DATE")
            if isSimulated { text.append(header: Self.simulated, "COMMENT") }
            for parameters in parameters(at: now) { text.append(rinex3: parameters) }
            let utc = [Constellation.gps, .galileo].lazy.compactMap {
                systems[System(constellation: $0, kind: .utc)]
            }
            if let leapSeconds = utc.first?.rinexLeapSeconds {
                text.append(header: leapSeconds, "LEAP SECONDS")
            }
            text.append(header: "", "END OF HEADER")
            for ephemeris in newest.values.sorted(by: { $0.satellite < $1.satellite })
            where ephemeris.isUseful(at: now) {
                text.append(rinex: ephemeris, isVersion4: false)
            }
        }
    }
}
