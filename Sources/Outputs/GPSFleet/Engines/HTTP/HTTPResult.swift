// SPDX-License-Identifier: MIT

/// The result of an HTTP request.
package struct HTTPResult: Sendable {
    /// The HTTP status; 0 if no answer arrived.
    package var status = 0
    /// The reason why the answer is missing or incomplete; `nil` if it arrived completely.
    package var failure: String?
    /// The value of the header `Retry-After` in seconds; 0 without this header, and negative for a
    /// date in the past.
    package var retryAfter: Int64 = 0

    /// The maximum pause. A longer one that a server demands is shortened.
    private static let maximumPause = Duration.seconds(3600)

    /// Creates a result.
    package init(status: Int = 0, failure: String? = nil, retryAfter: Int64 = 0) {
        self.status = status
        self.failure = failure
        self.retryAfter = retryAfter
    }

    /// Returns the event that reports the answer to the message with this id. Redirections are
    /// failures and are not followed, because the message and the credentials are meant for one
    /// server.
    package func event(for id: String) -> EngineEvent {
        if let failure { return .failed(id: id, EngineFailure(failure, isGeneral: true)) }
        switch status {
        case 200..<300: return .stored(id: id, nil)
        // A server answers 409 if it already has the message, for example after a lost answer.
        case 400, 409, 413, 414, 415, 422, 431:
            return .refused(id: id, EngineRefusal(text, isOfReceiver: false))
        // Traccar answers with these statuses if it does not know the device.
        case 404, 410: return .refused(id: id, EngineRefusal(text, isOfReceiver: true))
        // With a status from 500 to 599, the message itself may be the cause of the server's error.
        // 503 only means that the server is overloaded.
        default:
            return .failed(
                id: id,
                EngineFailure(
                    text, isGeneral: true, retryAfter: pause,
                    mayBeOfMessage: 500..<600 ~= status && status != 503))
        }
    }

    /// The pause that the server demands, at most an hour; `nil` if it demands none.
    private var pause: Duration? {
        retryAfter > 0 ? min(.seconds(retryAfter), Self.maximumPause) : nil
    }

    private var text: String {
        let meaning: String? =
            switch status {
            case 300..<400:
                "the server redirects to another URL: give that URL"
            case 400, 422:
                "the server does not accept the message, or does not know the device: check "
                    + "--format and --id"
            case 401, 403: "the credentials are missing or wrong"
            case 404, 410:
                "the server has nothing at this URL, or does not know the device: check the URL "
                    + "and --id"
            case 405: "the server does not accept messages at this URL"
            case 407: "the proxy requires credentials"
            case 409: "the server already has this message, or other data in its place"
            case 413, 414, 431: "the message is too large"
            case 415:
                "the server does not accept the format of the messages: choose another with "
                    + "--format"
            case 429: "the server refuses messages because it receives too many"
            default: nil
            }
        return "HTTP status \(status)" + (meaning.map { " (\($0))" } ?? "")
    }
}
