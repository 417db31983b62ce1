// Loads what it is linked with, and nothing else.
int main(void) { return 0; }
