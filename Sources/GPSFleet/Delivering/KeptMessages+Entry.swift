// SPDX-License-Identifier: MIT
import GNSS

extension KeptMessages {
    /// A kept message without its content.
    struct Entry {
        let number: Int64
        let position: StreamPosition
        let size: Int
        /// When the message was acknowledged or, if that was in an earlier run, when this run has
        /// started.
        let time: MonotonicInstant
        /// The position of the message in the order of acknowledgements. Numbering begins at 1.
        let order: Int
        var isOfEarlierRun = false
    }
}

extension KeptMessages.Entry {
    /// For this time after the acknowledgement, a server certainly recognises the message's id. A
    /// stream remembers ids for two minutes, unless its settings differ.
    private static let recognitionTime = Duration.seconds(110)

    /// Returns whether the receipt of the message, which was sent again, shows that the server had
    /// lost it.
    ///
    /// After two minutes, the server also stores a message again that it has not lost. Then only a
    /// number that it has assigned before shows a loss.
    func isLost(by receipt: StoreReceipt, now: MonotonicInstant) -> Bool {
        guard !receipt.isDuplicate else { return false }
        let isRecent = !isOfEarlierRun && now < time + Self.recognitionTime
        let new = receipt.position
        return isRecent || new.stream == position.stream && new.number <= position.number
    }
}
