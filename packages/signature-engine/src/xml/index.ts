// XML as the engine reads it: a scan that refuses what cannot be signed safely (document types, entities, unbounded
// sizes), and an index that finds elements, their text and their exact bytes.
//
//   const index = scanXml(bytes)
//   const [body] = index.children(ROOT)
//   bytes.subarray(index.cell(body, ELEMENT.start), index.cell(body, ELEMENT.end))
export { ATTRIBUTE, ELEMENT, NO_ELEMENT, ROOT, XmlIndex } from './xml-index.ts'
export { scanXml, type XmlLimits } from './xml-scanner.ts'
