// SPDX-License-Identifier: MIT
public import GPSIntegrity
package import GPSReceivers

/// How a `LocationManager` combines several receivers.
public struct ReceiverCombination: Sendable {
    /// The positions of the antennas, in the order of the sources; `nil` if the receivers are not
    /// compared.
    private let antennas: [LeverArm?]?

    /// The locations of all receivers are reported.
    public static let separate = ReceiverCombination(antennas: nil)

    /// The receivers' fixes of each epoch are compared. The location is the unchanged location of
    /// the most accurate receiver among those that agree. `location.fix.vote` contains the result.
    public static let consensus = ReceiverCombination(antennas: [])

    /// Returns a consensus that takes the distances between antennas into account. `antennas`
    /// contains their positions in the order of the sources, with `nil` for an unknown position.
    public static func consensus(antennas: [LeverArm?]) -> ReceiverCombination {
        ReceiverCombination(antennas: antennas)
    }

    private init(antennas: [LeverArm?]?) { self.antennas = antennas }

    /// Returns the sources that a manager reads instead of `sources`: one `ConsensusSource`, or
    /// `sources` themselves.
    package func sources(_ sources: [any DeviceSource]) -> [any DeviceSource] {
        guard let antennas, !sources.isEmpty else { return sources }
        let members = zip(sources, sources.distinctNames).enumerated().map { index, member in
            ConsensusSource.Member(
                member.0, name: member.1,
                antenna: antennas.indices.contains(index) ? antennas[index] : nil)
        }
        return [ConsensusSource(members)]
    }
}
