// SPDX-License-Identifier: MIT
public import GNSS
public import GPSIntegrity
import GPSIO

/// A source that combines several receivers in one vehicle. For each epoch, a vote selects one
/// receiver's fix and passes it on unchanged. `fix.vote` contains the result of the vote.
///
/// A session, for example of a `LocationManager`, reads it like any receiver. It has no bytes of
/// its own; its sentences are those of the selected receiver.
public struct ConsensusSource: DeviceSource {
    /// One receiver of a vote.
    public struct Member: Sendable {
        /// The source of the receiver's data.
        public var source: any DeviceSource
        /// The receiver's name in `fix.vote`.
        public var name: String
        /// The position of the antenna in the vehicle; `nil` if it is not known, or if all antennas
        /// are at the same place.
        public var antenna: LeverArm?

        /// Creates a member. Its default name is that of the source.
        public init(_ source: any DeviceSource, name: String? = nil, antenna: LeverArm? = nil) {
            self.source = source
            self.name = name ?? source.name
            self.antenna = antenna
        }
    }

    /// The receivers. Only the first eight take part in the vote. Of two sources of the same tty,
    /// only one takes part. Servers are not compared, so do not read one under two names.
    public let members: [Member]

    /// Creates a vote of receivers.
    public init(_ members: [Member]) {
        self.members = members
    }

    /// The name of every vote.
    package static let name = "vote"

    /// The source's name, which is always `vote`.
    public var name: String { Self.name }

    /// The common origin of all receivers; unknown if they differ.
    public var origin: DataOrigin {
        let origins = Set(members.map(\.source.origin))
        return origins.count == 1 ? origins.first ?? .unknown : .unknown
    }

    /// The capabilities: a session waits for receivers that are not connected.
    public var capabilities: SourceCapabilities { [.hotPlug] }

    /// The identity: equal for sources with the same receivers and antenna positions.
    public var identity: SourceIdentity {
        let parts = members.map { member in
            let antenna = member.antenna.map { " \($0.forward) \($0.right)" } ?? ""
            return "\(member.source.identity)\(antenna)"
        }
        return SourceIdentity("vote \(parts)")
    }

    /// Always throws `.notControllable`, because only a session can read several receivers.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        throw DeviceError(.notControllable, device: name)
    }

    /// Returns an object that ends each wait after 30 seconds, or `nil` if none of the receivers
    /// can be opened again. Each receiver's own session waits for that receiver.
    public func availability() -> (any DeviceAvailability)? {
        members.contains { $0.source.availability() != nil }
            ? PeriodicRetry(poller: .shared) : nil
    }
}

extension DeviceSource {
    /// The sources of the receivers that this source combines; this source itself if it is not a
    /// `ConsensusSource`.
    package var parts: [any DeviceSource] {
        (self as? ConsensusSource)?.members.map(\.source) ?? [self]
    }
}
