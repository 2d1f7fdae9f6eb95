// SPDX-License-Identifier: MIT

/// All has been said: the process ends with this status.
struct ExitStatus: Error {
    let code: CInt
}
