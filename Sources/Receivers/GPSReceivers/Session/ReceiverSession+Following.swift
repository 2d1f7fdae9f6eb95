// SPDX-License-Identifier: MIT
import GNSS
import GPSIO

extension ReceiverSession {
    /// Reads the receiver with a driver until it ends or the task is cancelled. If it is lost, waits
    /// for it and opens it again.
    func follow(by driver: ReceiverDriver) async {
        let availability = source.availability()
        var backoff = ReopenBackoff()
        // A busy device is tried a second time, because another session of this process may just be
        // opening or closing it.
        var hasTriedAgain = false
        var graceEnd = poller.now
        // The links to a pseudo terminal that was lost. See `linksToPseudoTerminal`.
        var staleLinks: [Node.Link] = []
        while !Task.isCancelled {
            let links = source.linksToPseudoTerminal
            let (failure, hasMessages) =
                links.isEmpty || links != staleLinks
                ? await read(by: driver) : (DeviceError(.notFound, device: source.name), nil)
            // A simulation may end while its receiver is unplugged.
            let isOver = failure?.code == .ended && hasMessages == nil
            guard let failure, !isOver else { return driver.receive(.ended(nil)) }
            // If only the session whose tty is shared is being reopened, the tty is shared again.
            let isReopened = failure.code == .cancelled && hasMessages != nil && !Task.isCancelled
            guard isReopened || failure.code != .cancelled else { return }
            if hasMessages != nil, !isReopened { staleLinks = links }
            // A source that cannot return, such as a file on a failing disk, is not opened again.
            guard availability != nil else { return driver.receive(.ended(failure)) }
            // A pseudo terminal is not opened again: the kernel may have given its number to
            // another program, for example to a new terminal window.
            if source.isPseudoTerminal, !isReopened,
                hasMessages != nil || failure.code == .notFound
            {
                return driver.receive(.ended(failure))
            }
            if let hasMessages {
                // A server that refuses a client may send it a text, and then disconnect it.
                if hasMessages { backoff = ReopenBackoff() }
                driver.receive(.lost(failure))
            } else if failure.isTransient,
                poller.now < graceEnd || failure.code == .busy && !hasTriedAgain
            {
                hasTriedAgain = true
                _ = await poller.sleep(until: poller.now + .milliseconds(50))
                continue
            } else {
                driver.receive(.unavailable(failure))
            }
            hasTriedAgain = false
            let deadline = backoff.next(after: failure, at: poller.now)
            await availability?.next(until: deadline)
            // A node may appear before its permissions are set. Until `graceEnd`, errors are not
            // reported.
            if deadline == nil { graceEnd = poller.now + .seconds(2) }
        }
    }
}

extension DeviceError {
    /// Whether the error may disappear within moments, for example just after the device was
    /// plugged in.
    fileprivate var isTransient: Bool {
        [.permissionDenied, .busy, .ioFailed, .configurationFailed].contains(code)
    }
}
