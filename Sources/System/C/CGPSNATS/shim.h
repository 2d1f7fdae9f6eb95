// SPDX-License-Identifier: MIT
#include <nats/nats.h>
