// SPDX-License-Identifier: MIT
public import GNSS
public import GPSIntegrity
import GPSIO

/// Several receivers in one vehicle as one source: a vote decides for each instant whose fix is passed on,
/// unchanged. `fix.vote` has the result.
///
/// A session, a `LocationManager` for example, reads it like any receiver. It has no bytes of its own: the
/// sentences are those of the winner.
public struct ConsensusSource: DeviceSource {
    /// One receiver of a vote.
    public struct Member: Sendable {
        /// The receiver.
        public var source: any DeviceSource
        /// Its name in `fix.vote`.
        public var name: String
        /// The place of its antenna; `nil` if it is not known, or if all antennas are at one place.
        public var antenna: LeverArm?

        /// Creates a member; its name is that of the source, unless given.
        public init(_ source: any DeviceSource, name: String? = nil, antenna: LeverArm? = nil) {
            self.source = source
            self.name = name ?? source.name
            self.antenna = antenna
        }
    }

    /// The receivers; those after the first eight have no vote.
    public let members: [Member]

    /// Creates a vote of receivers.
    public init(_ members: [Member]) {
        self.members = members
    }

    /// `vote`.
    public var name: String { "vote" }

    /// The origin that all receivers have in common; else unknown.
    public var origin: DataOrigin {
        let origins = Set(members.map(\.source.origin))
        return origins.count == 1 ? origins.first ?? .unknown : .unknown
    }

    /// Its receivers are waited for.
    public var capabilities: SourceCapabilities { [.hotPlug] }

    /// Equal for the same receivers with the same antennas.
    public var identity: SourceIdentity {
        let parts = members.map { member in
            let place = member.antenna.map { " \($0.forward) \($0.right)" } ?? ""
            return "\(member.source.identity)\(place)"
        }
        return SourceIdentity("vote \(parts)")
    }

    /// Throws `.notControllable`: only a session can read several receivers.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        throw DeviceError(.notControllable, device: name)
    }

    /// Retries every 30 seconds: each receiver is waited for by its own session.
    public func availability() -> (any DeviceAvailability)? {
        members.contains { $0.source.availability() != nil }
            ? PeriodicRetry(poller: .shared) : nil
    }
}

extension DeviceSource {
    /// The sources that are read: those of a vote, or this one.
    package var parts: [any DeviceSource] {
        (self as? ConsensusSource)?.members.map(\.source) ?? [self]
    }
}
