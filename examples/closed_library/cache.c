/* A library one gets without its source: its cache has no lock. */
static int last_key, last_value;

int square(int key)
{
    if (last_key != key) {
        last_value = key * key;
        last_key = key;
    }
    return last_value;
}
