// SPDX-License-Identifier: MIT
import CGPSNATS

/// A stream of JetStream that keeps the fixes of fleets.
package struct NATSStream: Hashable, Sendable {
    /// The name of the stream.
    package var name = "GPS"
    /// On how many servers it is.
    package var replicas = 1
    /// Seconds for which it keeps messages; `nil` for ever.
    package var maximumAge: Double? = 7 * 86_400
    /// Bytes that it keeps; `nil` for what the disk takes.
    package var maximumSize: Int64?
    /// Seconds for which it knows ids, and drops what comes again.
    package var duplicateWindow = 120.0

    /// The subjects that it takes.
    package static let subjects = "gps.>"

    /// A stream on one server, for a week.
    package init() {}

    /// Makes the stream; one that is there stays as it is. Returns what is to be said of it.
    ///
    /// Never deletes a stream: one that is made again under its name loses data when a server is killed.
    ///
    /// Throws where no server answers, or the stream is refused. The corresponding C functions are
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
