import { requireArguments } from '../errors/arguments.ts'
import { scanXml } from '../xml/xml-scanner.ts'

/** Refuses what is no XML document that an enveloped signature can be put into. */
export function requireSignable(document: Uint8Array): void {
  requireArguments('requireSignable', { document: [document, 'bytes'] })
  scanXml(document).release()
}
