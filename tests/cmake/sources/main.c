/* racy, locked, or fails after either: argv[1] says which, argv[2] the status. */
#include "count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int racy = argc > 1 && strcmp(argv[1], "racy") == 0;
    int sum = racy ? count_racy() : count_locked();
    printf("sum %d, %d arguments, last \"%s\"\n", sum, argc - 1, argv[argc - 1]);
    return argc > 2 ? atoi(argv[2]) : 0;
}
