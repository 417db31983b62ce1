// What the library in shelf.c can do.
#ifdef __cplusplus
extern "C" {
#endif
void mutex_put(void *thing);
void *mutex_take(void);
void *mutex_take_if(int (*wanted)(void *));
void rwlock_put(void *thing);
void *rwlock_take(void);
void rwlock_leave(void);
int rwlock_left(void);
void spin_put(void *thing);
void *spin_take(void);
void c11_put(void *thing);
void *c11_take(void);
int shelf_open(void);
void shelf_use(void);
void shelf_close(void);
int last_put(void *thing);
int last_take(void);
void shelf_pass(void);
void shelf_lock(void);
void shelf_unlock(void);
#ifdef __cplusplus
}
#endif
