// SPDX-License-Identifier: MIT
#include <expat.h>

// Newer releases deprecate these functions in favour of others, which Debian 12's release lacks.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

static inline long gpsbridge_xml_byte_index(XML_Parser parser) {
    return (long)XML_GetCurrentByteIndex(parser);
}

static inline unsigned long gpsbridge_xml_line(XML_Parser parser) {
    return (unsigned long)XML_GetCurrentLineNumber(parser);
}

#pragma clang diagnostic pop
