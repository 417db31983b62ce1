/* protobuf's maps have two members more where __SANITIZE_THREAD__ is defined, and
 * libprotobuf is usually built without: programs would crash. In front of the
 * library's own header, whoever includes it sees the same types as that. */
#pragma GCC system_header
#pragma push_macro("__SANITIZE_THREAD__")
#undef __SANITIZE_THREAD__
#include_next <google/protobuf/map_field.h>
#pragma pop_macro("__SANITIZE_THREAD__")
