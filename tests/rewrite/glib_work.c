// Containers, text, regular expressions, markup and variants of GLib.
#include <glib.h>
#include <stdio.h>

static int depth;

static void start(GMarkupParseContext *context, const char *name, const char **names,
                  const char **values, void *unused, GError **error) {
    (void)context, (void)unused, (void)error;
    printf("%*s%s %s\n", ++depth, "", name, names[0] ? values[0] : "");
}

static void end(GMarkupParseContext *context, const char *name, void *unused, GError **error) {
    (void)context, (void)name, (void)unused, (void)error;
    depth--;
}

static int by_name(const void *a, const void *b, void *unused) {
    (void)unused;
    return g_strcmp0(*(char *const *)a, *(char *const *)b);
}

int main(void) {
    GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GPtrArray *names = g_ptr_array_new();
    for (int i = 0; i < 5000; i++) {
        char *name = g_strdup_printf("name %d", i * 7919 % 5003);
        g_hash_table_insert(table, name, GINT_TO_POINTER(i));
        g_ptr_array_add(names, name);
    }
    g_ptr_array_sort_with_data(names, by_name, NULL);
    printf("%u %s\n", g_hash_table_size(table), (char *)names->pdata[17]);
    g_ptr_array_free(names, TRUE);
    g_hash_table_unref(table);

    GRegex *regex = g_regex_new("(\\w+)@(\\w+)\\.org", G_REGEX_CASELESS, 0, NULL);
    char *text = g_regex_replace(regex, "me@here.org, you@There.ORG", -1, 0, "\\2:\\1", 0, NULL);
    puts(text);
    g_free(text);
    g_regex_unref(regex);

    GMarkupParser parser = {.start_element = start, .end_element = end};
    GMarkupParseContext *markup = g_markup_parse_context_new(&parser, 0, NULL, NULL);
    GError *error = NULL;
    const char *document = "<a b='1'><c d='2'/><e f='&lt;'>x</e></wrong>";
    if (!g_markup_parse_context_parse(markup, document, -1, &error))
        puts(error->message);
    g_clear_error(&error);
    g_markup_parse_context_free(markup);

    GVariant *variant = g_variant_parse(NULL, "{'a': <[1, 2]>, 'b': <('x', 2.5)>}", NULL, NULL, &error);
    text = g_variant_print(variant, TRUE);
    puts(text);
    g_free(text);
    g_variant_unref(variant);

    GString *longer = g_string_new(NULL);
    for (int i = 0; i < 2000; i++)
        g_string_append_unichar(longer, 0x391 + i % 24);
    char *folded = g_utf8_casefold(longer->str, -1), *sum;
    sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, folded, -1);
    puts(sum);
    g_free(sum);
    g_free(folded);
    g_string_free(longer, TRUE);

    GDateTime *date = g_date_time_new_utc(2024, 2, 29, 12, 30, 1.5);
    text = g_date_time_format(date, "%F %T %j %V");
    puts(text);
    g_free(text);
    g_date_time_unref(date);
    return 0;
}
