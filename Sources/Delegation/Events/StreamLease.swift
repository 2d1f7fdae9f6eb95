// SPDX-License-Identifier: MIT

/// An iterator's hold on its subscription, given back or ended when the iterator goes away.
final class StreamLease<Element: Sendable>: Sendable {
    let source: StreamSource<Element>
    private let lender: StreamStorage<Element>?

    init(_ source: StreamSource<Element>, of lender: StreamStorage<Element>?) {
        self.source = source
        self.lender = lender
    }

    deinit {
        lender?.takeBack(source)
    }
}
