// SPDX-License-Identifier: MIT
import CGPSNATS
import GNSS

/// A JetStream stream that stores the fixes of fleets.
package struct NATSStream: Hashable, Sendable {
    /// The name of the stream.
    package var name = "GPS"
    /// The number of servers that store the stream.
    package var replicas = 1
    /// How long messages are kept, in seconds; `nil` to keep them indefinitely.
    package var maximumAge: Double? = 7 * 86_400
    /// The maximum size in bytes; `nil` for no limit.
    package var maximumSize: Int64?
    /// How long the stream remembers message ids to drop duplicates, in seconds.
    private static let duplicateWindow = 120.0

    /// The subjects that the stream stores.
    package static let subjects = "gps.>"

    /// Creates the default settings: the stream `GPS`, on one server, with messages kept for one
    /// week.
    package init() {}

    /// Returns whether NATS accepts a name for a stream: 1 to 255 bytes without blanks, control
    /// characters, `.`, `*`, `>`, `/` and `\`.
    package static func isName(_ text: String) -> Bool {
        1...255 ~= text.utf8.count
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !".*>/\\".utf8.contains($0) }
    }

    /// Creates the stream if it does not exist. An existing stream is not changed. Returns a line
    /// for the log; `nil` if there is nothing to report.
    ///
    /// An existing stream is never deleted and created again, because a stream that was recreated
    /// with the same name loses data when a server is killed.
    ///
    /// Throws an error if no server answers or the stream is refused. The corresponding C functions
    /// are `js_GetStreamInfo` and `js_AddStream`.
    func establish(_ connection: NATSConnection) throws(FleetError) -> String? {
        if let present = try presentReplicas(connection) {
            return present != replicas
                ? "the number of replicas of the stream \(name) is \(present), not \(replicas); an "
                    + "existing stream is not changed"
                : nil
        }
        try add(connection)
        return "the stream \(name) was created; its number of replicas is \(replicas)"
    }

    /// Returns the number of replicas of the stream; `nil` if the stream does not exist.
    private func presentReplicas(_ connection: NATSConnection) throws(FleetError) -> Int? {
        do throws(NATSConnection.Failure) {
            return try connection.streamInfo(name) { Int($0.Config.pointee.Replicas) }
        } catch {
            if error.status == NATS_NOT_FOUND || error.code == JSStreamNotFoundErr { return nil }
            throw FleetError("the stream \(name): \(NATSConnection.lastError(error.status))")
        }
    }

    private func add(_ connection: NATSConnection) throws(FleetError) {
        var config = jsStreamConfig()
        jsStreamConfig_Init(&config)
        var code = jsErrCode(0)
        config.Replicas = Int64(replicas)
        config.Storage = js_FileStorage
        config.Retention = js_LimitsPolicy
        config.Discard = js_DiscardOld
        config.MaxAge = maximumAge.map { Int64(nanosecondsIn: $0) } ?? 0
        config.MaxBytes = maximumSize ?? -1
        config.Duplicates = Int64(
            nanosecondsIn: min(Self.duplicateWindow, maximumAge ?? .infinity))
        let status = name.withCString { name in
            Self.subjects.withCString { subject in
                var subjects: [UnsafePointer<CChar>?] = [subject]
                return subjects.withUnsafeMutableBufferPointer { subjects in
                    config.Name = name
                    config.Subjects = subjects.baseAddress
                    config.SubjectsLen = 1
                    return js_AddStream(nil, connection.jetStream, &config, nil, &code)
                }
            }
        }
        guard status == NATS_OK else {
            throw FleetError(
                "the stream \(name) cannot be created: \(NATSConnection.lastError(status))")
        }
    }
}
