// SPDX-License-Identifier: MIT
#include "cargp.h"
