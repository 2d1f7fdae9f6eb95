// SPDX-License-Identifier: MIT
#include "cserial.h"
