// SPDX-License-Identifier: MIT
import Glibc

/// Calls `body` with pointers to the strings as C strings; a missing string is a null pointer. The
/// pointers are only valid during the call.
func withCStrings<R>(_ strings: [String?], _ body: ([UnsafePointer<CChar>?]) -> R) -> R {
    let copies = strings.map { $0.flatMap { strdup($0) } }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) })
}
