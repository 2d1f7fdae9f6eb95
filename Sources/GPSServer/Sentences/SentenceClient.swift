// SPDX-License-Identifier: MIT
import GPSIO

/// A client that receives only sentences. Its input is ignored.
final class SentenceClient: ReportRecipient {
    private let connection: ClientConnection

    init(_ connection: ClientConnection) {
        self.connection = connection
    }

    func send(reports: [UInt8]) {
        connection.send(reports: reports)
    }

    /// Serves the client until it disconnects or the task is cancelled.
    func serve(_ filter: ReportFilter, from hub: ReportHub) async {
        await withTaskCancellationHandler {
            hub.set(filter, for: self)
            while case .bytes = await connection.read() {}
            hub.remove(self)
            connection.close()
        } onCancel: {
            connection.close()
        }
    }
}
