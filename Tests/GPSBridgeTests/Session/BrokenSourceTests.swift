// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Synchronization
import Testing

/// A recording on a disk that fails.
private struct BrokenSource: DeviceSource {
    final class Connection: DeviceConnection {
        let name = "broken"
        func read(until deadline: MonotonicInstant?) throws(DeviceError) -> DeviceInput {
            throw DeviceError(.ioFailed, device: name, errno: 5)
        }
        func close() {}
    }

    let name = "broken"
    let identity = SourceIdentity.unique()
    var origin: DataOrigin { .replay }

    func open() async throws(DeviceError) -> any DeviceConnection { Connection() }
}

@Suite(.timeLimit(.generous))
struct BrokenSourceTests {
    @Test func `a permanent error ends the session, which does not retry`()
        async throws
    {
        let session = ReceiverPool.shared.session(for: BrokenSource())
        let end = Promise<DeviceError?>()
        let losses = Mutex(0)
        let joined = session.join { update in
            switch update {
            case .condition(.ended(let ending), _): end.fulfill(ending.error)
            case .condition(.lost, _): losses.withLock { $0 += 1 }
            default: break
            }
        }
        #expect(try await end.value?.code == .ioFailed)
        #expect(losses.withLock { $0 } == 0)
        withExtendedLifetime(joined) {}
    }
}
