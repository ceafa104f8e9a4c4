import type { XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { refuseXades } from './errors.ts'

/** Refuses a scanned document into which no signature can be inserted without changing its bytes. */
export function requireUtf8(index: XmlIndex): XmlIndex {
  if (index.tables.transcoded) throw refuseXades('xades.not-utf8')
  return index
}

/** Refuses what is no XML document that an enveloped signature can be put into. */
export function requireSignable(document: Uint8Array): void {
  requireUtf8(scanXml(document)).release()
}
