// SPDX-License-Identifier: MIT
import CGPSNATS

/// A JetStream stream that stores the fixes of fleets.
package struct NATSStream: Hashable, Sendable {
    /// The name of the stream.
    package var name = "GPS"
    /// The number of servers that store it.
    package var replicas = 1
    /// Seconds for which messages are kept; `nil` for ever.
    package var maximumAge: Double? = 7 * 86_400
    /// The maximum size in bytes; `nil` for no limit.
    package var maximumSize: Int64?
    /// Seconds for which it recognises and drops duplicates by their ids.
    package var duplicateWindow = 120.0

    /// The subjects that it stores.
    package static let subjects = "gps.>"

    /// Creates the default settings: one server, one week.
    package init() {}

    /// Creates the stream; an existing one is not changed. Returns a line for the log, if there is
    /// one.
    ///
    /// Never deletes a stream: a stream that is created again under the same name loses data when a
    /// server is killed.
    ///
    /// Throws if no server answers or the stream is refused. The corresponding C functions are
    /// `js_GetStreamInfo` and `js_AddStream`.
    package func establish(_ connection: NATSConnection) throws(FleetError) -> String? {
        if let present = try present(connection) {
            let differs = present.replicas != replicas
            return differs
                ? "the stream \(name) has \(present.replicas) replicas, not \(replicas); it is left so"
                : nil
        }
        try add(connection)
        return "the stream \(name) was made, with \(replicas) replicas"
    }

    private func present(
        _ connection: NATSConnection
    ) throws(FleetError) -> (replicas: Int, messages: UInt64)? {
        var info: UnsafeMutablePointer<jsStreamInfo>?
        var code = jsErrCode(0)
        let status = js_GetStreamInfo(&info, connection.jetStream, name, nil, &code)
        defer { jsStreamInfo_Destroy(info) }
        if let info, status == NATS_OK {
            return (Int(info.pointee.Config.pointee.Replicas), info.pointee.State.Msgs)
        }
        if status == NATS_NOT_FOUND || code == JSStreamNotFoundErr { return nil }
        throw FleetError("the stream \(name): \(Self.text(status))")
    }

    private func add(_ connection: NATSConnection) throws(FleetError) {
        var config = jsStreamConfig()
        jsStreamConfig_Init(&config)
        var code = jsErrCode(0)
        config.Replicas = Int64(replicas)
        config.Storage = js_FileStorage
        config.Retention = js_LimitsPolicy
        config.Discard = js_DiscardOld
        config.MaxAge = maximumAge.map { Int64($0 * 1e9) } ?? 0
        config.MaxBytes = maximumSize ?? -1
        config.Duplicates = Int64(min(duplicateWindow, maximumAge ?? .infinity) * 1e9)
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
            throw FleetError("the stream \(name) cannot be made: \(Self.text(status))")
        }
    }

    private static func text(_ status: natsStatus) -> String {
        let detail = nats_GetLastError(nil).map { String(cString: $0) } ?? ""
        return detail.isEmpty ? NATSConnection.text(status) : detail
    }
}
