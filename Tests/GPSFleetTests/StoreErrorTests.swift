// SPDX-License-Identifier: MIT
import GPSFleet
import GPSTestTraits
import Testing

/// What a collector does after an error of PostgreSQL.
@Suite(.timeLimit(.generous))
struct StoreErrorTests {
    @Test(arguments: ["08006", "40P01", "53100", "53300", "57P01", "25006", "58030"])
    func `a collector waits while the server is away, full, read-only or busy`(_ code: String) {
        #expect(StoreError.kind(code, isDisconnected: false) == .passing)
    }

    @Test(arguments: ["22003", "22P05", "23514", "54000"])
    func `data that the server cannot store is rejected, so that it does not stop a collector`(
        _ code: String
    ) {
        #expect(StoreError.kind(code, isDisconnected: false) == .data)
    }

    @Test(arguments: ["42501", "3D000", "28P01", "58P01"])
    func `other errors need an administrator`(_ code: String) {
        #expect(StoreError.kind(code, isDisconnected: false) == .permanent)
    }

    @Test func `a lost connection is opened again, but not with a wrong password`() {
        #expect(StoreError.kind(nil, isDisconnected: true) == .passing)
        #expect(StoreError.kind("XX000", isDisconnected: true) == .passing)
        #expect(StoreError.kind("28P01", isDisconnected: true) == .permanent)
        #expect(StoreError.kind(nil, isDisconnected: false) == .permanent)
    }
}
