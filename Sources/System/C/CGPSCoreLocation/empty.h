// SPDX-License-Identifier: MIT
// Empty: the module only provides submodule names.
