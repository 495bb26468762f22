// The part of XML that manifests need: elements with attributes, comments, the declaration; no text between elements.
#ifndef CAKE_TOOLS_TOOL_XML_H
#define CAKE_TOOLS_TOOL_XML_H

#include "cake/base.h"

CAKE_BEGIN_C

typedef struct CakeXmlAttr {
  CakeStr name, value; // the value with its entities replaced
} CakeXmlAttr;

typedef struct CakeXmlElement {
  CakeStr name;
  unsigned depth, line; // 0 is the root; counted from 1
  size_t first_attr, n_attrs;
} CakeXmlElement;

// A document: its elements in the order of their start tags. Zero-initialise, give back with `cake_xml_fini`.
typedef struct CakeXml {
  CakeArena *arena;
  CAKE_VEC(CakeXmlElement) elements;
  CAKE_VEC(CakeXmlAttr) attrs;
} CakeXml;

// False: `error` has "NAME:LINE: …" and `out` needs no fini. Nesting is limited to 64.
CAKE_NODISCARD bool cake_xml_parse(CakeStr text, const char *name, CakeXml *out, CakeBuf *error);
void cake_xml_fini(CakeXml *xml);
// An element's attribute; {NULL, 0} when it has none of that name.
CakeStr cake_xml_attr(const CakeXml *xml, size_t element, const char *name);
// Appends text with what XML reserves, and control characters, as entities.
void cake_xml_escape(CakeStr text, CakeBuf *out);

CAKE_END_C
#endif
