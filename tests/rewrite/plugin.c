// A library that leaves everything to another one.
void bump_unguarded(void);
void bump_mutex(void);

void plugin_unguarded(void) { bump_unguarded(); }
void plugin_mutex(void) { bump_mutex(); }
