// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

extension StandardError {
    /// Prints the name of a recording and a warning about its content, such as omitted records.
    static func printWarning(_ warning: String, in name: String) {
        print("\(FileName.shown(name)) \(warning)", level: .warning)
    }

    /// Reports that a source contains no valid sentence. If known, the message names its binary
    /// protocol, or the reason why most sentences were rejected. The message is dropped if standard
    /// error is blocked for more than `limit` milliseconds.
    static func reportNoSentence(
        in name: String, binary: BinaryProtocol? = nil, rejection: String? = nil, limit: CInt? = nil
    ) {
        let name = name == "-" ? "standard input" : FileName.shown(name)
        let error = binary.map { "\($0.error(of: name, isRecording: true))" }
        let reason = rejection.map { ", only rejected ones, mostly \($0)" } ?? ""
        print(error ?? "\(name) contains no valid sentence\(reason)", limit: limit)
    }
}
