// SPDX-License-Identifier: MIT
public import GPSIntegrity
package import GPSReceivers

/// The way in which a `LocationManager` uses several receivers.
public struct ReceiverCombination: Sendable {
    /// The places of the antennas, in the order of the sources; `nil` without a vote.
    private let antennas: [LeverArm?]?

    /// Each receiver sends its own locations.
    public static let separate = ReceiverCombination(antennas: nil)

    /// The receivers are compared for each instant. The location is that of the most accurate one among
    /// those that agree, unchanged; `location.fix.vote` has the result.
    public static let consensus = ReceiverCombination(antennas: [])

    /// The same, with the places of the antennas in the order of the sources; `nil` where a place is not
    /// known.
    public static func consensus(antennas: [LeverArm?]) -> ReceiverCombination {
        ReceiverCombination(antennas: antennas)
    }

    private init(antennas: [LeverArm?]?) { self.antennas = antennas }

    /// The sources that a manager reads.
    package func sources(_ sources: [any DeviceSource]) -> [any DeviceSource] {
        guard let antennas else { return sources }
        let members = sources.enumerated().map { index, source in
            ConsensusSource.Member(
                source, antenna: antennas.indices.contains(index) ? antennas[index] : nil)
        }
        return [ConsensusSource(members)]
    }
}
