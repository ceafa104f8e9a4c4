import { readSignedData, type SignedData } from '../cms/signed-data.ts'
import { readFirstDer } from '../der/der-value.ts'
import { EngineError } from '../errors/engine-error.ts'
import { signatureFields } from '../pdf/form-fields.ts'
import type { PdfView } from '../pdf/pdf-file.ts'
import { isDict, isString, nameOf, type PdfDict, type PdfString } from '../pdf/pdf-object.ts'
import { refusePades } from './errors.ts'

/** A signature or document timestamp in a document. */
export interface EmbeddedSignature {
  readonly fieldName: string
  readonly kind: 'signature' | 'document-timestamp'
  readonly dict: PdfDict
  /** /Contents with its zero padding. */
  readonly contents: PdfString
  /** The CMS or timestamp token without the padding. */
  readonly cms: Buffer
}

/** All signatures of the document, in file order. */
export function embeddedSignatures(view: PdfView): EmbeddedSignature[] {
  const found: EmbeddedSignature[] = []
  for (const { name, value } of signatureFields(view)) {
    const dict = view.resolve(value)
    if (!isDict(dict)) continue
    const contents = view.resolve(dict.get('Contents'))
    if (!isString(contents) || contents.start === undefined)
      throw refusePades('pades.signature-unreadable', { field: name })
    const isTimestamp = nameOf(view.resolve(dict.get('SubFilter'))) === 'ETSI.RFC3161'
    const kind = isTimestamp ? 'document-timestamp' : 'signature'
    found.push({ fieldName: name, kind, dict, contents, cms: unpadded(contents.bytes, name) })
  }
  return found.sort((a, b) => a.contents.start! - b.contents.start!)
}

/** The CMS of an embedded signature. */
export function signedDataIn({ cms, fieldName }: EmbeddedSignature): SignedData {
  try {
    return readSignedData(cms)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw refusePades('pades.signature-unreadable', { field: fieldName }, error)
  }
}

function unpadded(bytes: Uint8Array, field: string): Buffer {
  try {
    return readFirstDer(bytes).raw
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw refusePades('pades.signature-unreadable', { field }, error)
  }
}
