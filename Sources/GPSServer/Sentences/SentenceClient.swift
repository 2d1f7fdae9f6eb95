// SPDX-License-Identifier: MIT
import GPSIO

/// A connected client that receives only sentences. Bytes from it are ignored.
final class SentenceClient: ReportRecipient {
    private let connection: ClientConnection

    init(_ connection: ClientConnection) {
        self.connection = connection
    }

    func send(reports: [UInt8]) {
        connection.send(reports: reports)
    }

    /// Sends the reports that `filter` selects until the client disconnects or the task is
    /// cancelled.
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
