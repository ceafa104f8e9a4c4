import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

/** Why bytes are not supported XML, or cannot be canonicalised. `{offset}` counts bytes of the UTF-8 text. */
export const xmlErrors = {
  'xml.too-large': 'The document has more bytes than the limit of {limit}.',
  'xml.too-deep': 'Elements are nested deeper than the limit of {limit}.',
  'xml.too-many-nodes': 'The document has more nodes than the limit of {limit}.',
  'xml.too-many-attributes': 'An element has more attributes than the limit of {limit}.',
  'xml.encoding-unsupported':
    'The document is encoded in {encoding}; UTF-8, UTF-16, US-ASCII, ISO-8859-1 to -10 and -13 to -16, and windows-1250, -1251, -1252, -1254, -1256 and -1257 are read.',
  'xml.encoding-broken':
    'The document is in {encoding} by its declaration, its byte order mark or by default, but byte {offset} is not valid there.',
  'xml.encoding-contradicted': 'The XML declaration says {declared}, but the document begins like one in {found}.',
  'xml.byte-order-mark-missing': 'The document looks like UTF-16, but does not begin with a byte order mark.',
  'xml.version-unsupported': 'XML {version} is not supported; documents of XML 1.0 are read.',
  'xml.declaration-malformed': 'The XML declaration is malformed.',
  'xml.doctype': 'The document has a document type declaration; these are refused, whatever they contain.',
  'xml.entity-undeclared': 'A reference at byte {offset} names an entity that XML does not predefine.',
  'xml.reference-malformed': 'The reference at byte {offset} is malformed.',
  'xml.character-forbidden': 'The character at byte {offset} may not appear in XML.',
  'xml.name-malformed': 'The name at byte {offset} is malformed.',
  'xml.tag-malformed': 'The tag at byte {offset} is malformed.',
  'xml.tag-mismatch': 'The end tag at byte {offset} does not close the element that is open.',
  'xml.comment-malformed': 'The comment at byte {offset} is malformed.',
  'xml.instruction-malformed': 'The processing instruction at byte {offset} is malformed.',
  'xml.markup-malformed': 'The markup at byte {offset} is malformed.',
  'xml.text-misplaced': 'There is text outside the root element at byte {offset}.',
  'xml.ended-early': 'The document ends before its root element does.',
  'xml.attribute-duplicate': 'The tag at byte {offset} has the same attribute twice.',
  'xml.prefix-unbound': 'The tag at byte {offset} uses a namespace prefix that nothing declares.',
  'xml.namespace-reserved': 'The tag at byte {offset} redeclares a reserved namespace or undeclares a prefix.',
  'xml.namespace-relative': 'A namespace name is a relative reference; such documents have no canonical form.',
  'xml.id-duplicate': 'More than one element has the Id {id}.',
  'xml.id-unknown': 'No element has the Id {id}.',
  'xml.xpath-malformed': 'The XPath expression cannot be evaluated: {reason}',
  'xml.xpath-not-one-element': 'The XPath expression selects {count} nodes instead of exactly one element.',
} as const satisfies ErrorVocabulary

export const refuseXml = refuser(xmlErrors)
