// Parses, changes and writes a document. The few functions used are declared
// here, so that the library alone is needed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *xmlReadMemory(const char *bytes, int size, const char *address, const char *encoding,
                    int options);
void *xmlDocGetRootElement(void *document);
unsigned char *xmlNodeGetContent(void *node);
void *xmlNewChild(void *parent, void *namespace, const unsigned char *name,
                  const unsigned char *content);
void xmlDocDumpMemory(void *document, unsigned char **bytes, int *size);
void xmlFreeDoc(void *document);
void xmlCleanupParser(void);
void *xmlXPathNewContext(void *document);
void *xmlXPathEvalExpression(const unsigned char *expression, void *context);
double xmlXPathCastToNumber(void *result);
void xmlXPathFreeObject(void *result);
void xmlXPathFreeContext(void *context);

enum { RECOVER = 1, QUIET = 32 | 64 };

static void show(const char *text, int options) {
    void *document = xmlReadMemory(text, (int)strlen(text), "here.xml", NULL, options);
    if (!document) {
        puts("no document");
        return;
    }
    void *root = xmlDocGetRootElement(document);
    unsigned char *content = xmlNodeGetContent(root), *bytes;
    int size;
    void *context = xmlXPathNewContext(document);
    void *sum = xmlXPathEvalExpression((const unsigned char *)"sum(//row[@n mod 7 = 0]/@n)", context);
    printf("%zu bytes of content, sum %.0f\n", strlen((char *)content), xmlXPathCastToNumber(sum));
    xmlXPathFreeObject(sum);
    xmlXPathFreeContext(context);
    xmlNewChild(root, NULL, (const unsigned char *)"added", (const unsigned char *)"&lt;");
    xmlDocDumpMemory(document, &bytes, &size);
    unsigned hash = 0;
    for (int i = 0; i < size; i++)
        hash = hash * 31 + bytes[i];
    printf("%d bytes, %u, %.60s\n", size, hash, bytes);
    free(content);
    free(bytes);
    xmlFreeDoc(document);
}

int main(void) {
    char *text = malloc(1 << 20), *end = text;
    end += sprintf(end, "<?xml version='1.0' encoding='ISO-8859-1'?><!DOCTYPE t [<!ENTITY e 'entity'>]><t>");
    for (int i = 0; i < 5000; i++)
        end += sprintf(end, "<row n='%d' x:a=\"b\" xmlns:x='u:%d'>\xe4&e;<![CDATA[%d<]]></row><!--c-->", i,
                       i % 3, i);
    strcpy(end, "</t>");
    show(text, QUIET);
    show(text, QUIET | 2 | 256);
    show("<a><b>open</a>", QUIET);
    show("<a><b>open</a>", QUIET | RECOVER);
    free(text);
    xmlCleanupParser();
    return 0;
}
