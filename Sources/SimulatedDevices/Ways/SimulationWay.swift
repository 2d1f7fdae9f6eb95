// SPDX-License-Identifier: MIT

/// A way for what a simulated receiver says to those who read it.
///
/// A way never waits for a reader longer than it must: what does not go out is dropped and counted.
public protocol SimulationWay: Sendable {
    /// Takes an epoch before any of its bytes are sent.
    func begin(_ epoch: SimulatedEpoch) async throws

    /// Sends a piece of the epoch: the whole, unless the line is slow.
    func send(_ bytes: [UInt8]) async throws

    /// Pulls the device out.
    func unplug()

    /// Plugs it in again, under another name if one is given.
    func plug(as name: String?) throws

    /// Ends it.
    func close()
}

extension SimulationWay {
    /// Nothing.
    public func begin(_ epoch: SimulatedEpoch) {}

    /// Nothing.
    public func unplug() {}

    /// Nothing.
    public func plug(as name: String?) {}
}
