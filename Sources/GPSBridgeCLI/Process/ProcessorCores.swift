// SPDX-License-Identifier: MIT
import Glibc

/// The processor cores of the machine.
enum ProcessorCores {
    /// The number of online cores, at least one.
    ///
    /// The corresponding C function is `sysconf`.
    static var count: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }
}
