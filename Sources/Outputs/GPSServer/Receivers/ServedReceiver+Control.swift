// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSIO
import GPSReceivers
import Synchronization

extension ServedReceiver {
    /// Changes the receiver's settings or writes bytes to it, as a client requested. Other clients
    /// keep receiving data. Returns the reply lines. Calls `send` with lines that report progress.
    func perform(
        _ change: ReceiverChange, _ send: @escaping @Sendable ([UInt8]) -> Void
    ) async -> [UInt8] {
        let path = change.path
        let isFree = !state.withLock { exchange(&$0.isChanging, with: true) }
        guard isFree else {
            return answer(change, failure: "Can't change \(path): another client is changing it.")
        }
        let answer = await carryOut(change, send)
        let device = state.withLock { state in
            state.isChanging = false
            state.device.baudRate =
                session.line?.knownBaudRate?.rawValue ?? state.device.baudRate
            return state.device
        }
        publish(device)
        return answer + (change.isConfigure ? [] : ControlReports.device(device))
    }

    private func carryOut(
        _ change: ReceiverChange, _ send: @escaping @Sendable ([UInt8]) -> Void
    ) async -> [UInt8] {
        let path = change.path
        do throws(DeviceError) {
            if let bytes = change.bytes {
                guard let line = session.line else {
                    throw DeviceError(.notControllable, device: path)
                }
                try await line.connection.write(bytes)
            }
            guard let request = change.request else { return ControlReports.acknowledgement }
            let outcome = try await session.configure(request, journals: journals) { progress in
                guard change.isConfigure,
                    let text = ConfigurationText.text(progress, of: request)
                else { return }
                send(ControlReports.configure(path, progress: text))
            }
            switch outcome {
            case .done(let report):
                state.withLock { $0.device.cycle = report.measuredRate.map { 1 / $0 } }
                guard change.isConfigure else {
                    return change.bytes == nil ? [] : ControlReports.acknowledgement
                }
                let warnings = report.warnings.flatMap {
                    ControlReports.configure(path, progress: "warning: \($0)")
                }
                let stored =
                    request.readsStoredValues && report.isOfUBlox
                    ? await session.warmStartData(in: journals ?? .default) : nil
                return warnings + ControlReports.configure(path, report, stored)
            case .failed(let error, let rollback):
                return answer(change, failure: "\(error)" + ConfigurationText.text(rollback))
            }
        } catch {
            return answer(change, failure: "Can't change \(path): \(error)")
        }
    }

    private func answer(_ change: ReceiverChange, failure: String) -> [UInt8] {
        change.isConfigure
            ? ControlReports.configure(change.path, failure: failure)
            : ControlReports.error(failure)
    }

    /// Starts to undo a change of the receiver's settings that was interrupted earlier, if a
    /// journal file records one. `path` is the path of the opened tty.
    func finishRollback(at path: String) {
        guard let journals else { return }
        Task(executorPreference: BackgroundExecutor.shared) { [session, log] in
            guard let message = await session.finishRollback(at: path, journals) else { return }
            log(message)
        }
    }
}
