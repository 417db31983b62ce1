#ifndef FROM_THE_FOLDER
#error "the flags of the folder are missing"
#endif
#include "../../sources/count.c"
