// Loops and their address arithmetic.

#include "shim.h"
