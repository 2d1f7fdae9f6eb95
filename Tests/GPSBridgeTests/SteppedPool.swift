// SPDX-License-Identifier: MIT
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport

/// A pool whose clock stands still until a test advances it.
final class SteppedPool {
    let clock = SteppedClock()
    private let poller: Poller
    private let pool: ReceiverPool

    init() {
        poller = Poller(clock: clock)
        pool = ReceiverPool(poller: poller)
    }

    func stop() { poller.stop() }

    /// Advances the clock until a delegate receives the error `locationUnknown`.
    func advance(untilUnknownTo delegate: RecordingDelegate) async {
        while !delegate.calls.all.contains(.failure(.locationUnknown)), !Task.isCancelled {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
    }

    /// Creates a manager of a receiver that is read on the polling thread.
    func manager(of receiver: ScriptedReceiver) -> LocationManager {
        var source = receiver.source
        source.poller = poller
        return LocationManager(sources: [source], queue: nil, member: SessionMember(), pool: pool)
    }
}
