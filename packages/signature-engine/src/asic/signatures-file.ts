import { DS, XADES } from '../xades/vocabulary.ts'
import { ELEMENT, NO_ELEMENT, ROOT, type XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { type AsicContainer, fileNamed } from './container.ts'
import { refuseAsic } from './errors.ts'
import { ASIC, names } from './vocabulary.ts'

const EMPTY = `<?xml version="1.0" encoding="UTF-8"?>\n<asic:XAdESSignatures xmlns:asic="${ASIC}"></asic:XAdESSignatures>\n`

/** XAdESSignatures (annex A.5) with this signature, behind those that are there. */
export function withSignature(existing: Uint8Array | undefined, signature: Buffer): Buffer {
  const index = scanXml(existing ?? Buffer.from(EMPTY))
  const { bytes, transcoded } = index.tables
  const at = bytes.lastIndexOf('</', index.cell(ROOT, ELEMENT.end))
  if (transcoded || at < 0 || !index.is(ROOT, ASIC, 'XAdESSignatures'))
    throw refuseAsic('asic.manifest-malformed', { name: names.xades, reason: 'no signature can be added to it' })
  return Buffer.concat([bytes.subarray(0, at), signature, bytes.subarray(at)])
}

/** The files that the references of a signatures file name, by their URIs. */
export function referencedFiles(container: AsicContainer, index: XmlIndex): Readonly<Record<string, Buffer>> {
  const found = index.findAll(DS, 'Reference').flatMap((element) => {
    const uri = index.attribute(element, 'URI')
    const file = uri === undefined ? undefined : fileOf(container, uri)
    return uri !== undefined && file ? [[uri, file.content] as const] : []
  })
  return Object.fromEntries(found)
}

/** The names of the files that each signature refers to, in the order of a report: counter-signatures are left out. */
export function filesOfSignatures(container: AsicContainer, index: XmlIndex): string[][] {
  return signaturesIn(index).map((signature) =>
    index.findAll(DS, 'Reference', signature).flatMap((element) => {
      const uri = index.attribute(element, 'URI')
      const file = uri === undefined || !isOfSignedInfo(index, element, signature) ? undefined : fileOf(container, uri)
      return file ? [file.name] : []
    }),
  )
}

const fileOf = (container: AsicContainer, uri: string) =>
  uri === '' || uri.startsWith('#') ? undefined : fileNamed(container, uri)

/** The signatures of a file but the counter-signatures inside others. */
export const signaturesIn = (index: XmlIndex): number[] =>
  index.findAll(DS, 'Signature').filter((element) => {
    const parent = index.parent(element)
    return parent === NO_ELEMENT || !index.is(parent, XADES, 'CounterSignature')
  })

function isOfSignedInfo(index: XmlIndex, reference: number, signature: number): boolean {
  const parent = index.parent(reference)
  return index.is(parent, DS, 'SignedInfo') && index.parent(parent) === signature
}
