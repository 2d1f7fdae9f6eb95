// SPDX-License-Identifier: MIT
import GNSS

/// Statistics of the C/N0 of several satellites.
struct Strengths: Sendable {
    private(set) var count = 0
    private var sum = 0.0
    private var squares = 0.0
    private(set) var highest = 0.0
    private(set) var lowest = Double.infinity

    mutating func add(_ cn0: Double) {
        count += 1
        sum += cn0
        squares += cn0 * cn0
        highest = max(highest, cn0)
        lowest = min(lowest, cn0)
    }

    /// Whether all satellites have the same C/N0, in all digits.
    var isUniform: Bool { lowest >= highest }

    /// Whether all satellites have 99, the largest C/N0 that a sentence can contain. A receiver
    /// with another scale, such as a percentage, reports 99 for all strong signals.
    var isSaturated: Bool { lowest >= 99 }

    /// The mean in dB-Hz; 0 without satellites.
    var mean: Double { count > 0 ? sum / Double(count) : 0 }

    /// The standard deviation in dB; 0 without satellites.
    var spread: Double {
        guard count > 0 else { return 0 }
        return max(0, squares / Double(count) - mean * mean).squareRoot()
    }

    init() {}

    /// Computes the statistics from the strongest signal of each received satellite.
    init(of view: SatelliteView) {
        var index = 0
        while let signal = view.nextCombinedSignal(after: &index) {
            if let strength = signal.strength { add(strength) }
        }
    }
}

extension SatelliteSignal {
    /// The C/N0 in dB-Hz; `nil` if the signal is not received. Some receivers report 0 instead of
    /// nothing in GSV.
    var strength: Double? { cn0.flatMap { $0 > 0 ? $0 : nil } }
}

extension SatelliteID {
    /// The number of elements for each constellation in a table of satellites.
    static let slotsPerSystem = 64

    /// The index of the satellite in a table of all satellites.
    var slot: Int {
        let first = constellation == .sbas ? 120 : 1
        return Int(constellation.rawValue) * Self.slotsPerSystem + Int(svid) - first
    }
}
