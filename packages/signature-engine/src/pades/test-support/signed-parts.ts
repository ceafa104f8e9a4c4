import { openPdf } from '../../pdf/pdf-file.ts'
import { isArray } from '../../pdf/pdf-object.ts'
import { embeddedSignatures } from '../embedded-signatures.ts'

/** What an independent tool needs to check one signature: the bytes it covers, and the CMS or token. */
export interface SignedParts {
  readonly fieldName: string
  readonly kind: 'signature' | 'document-timestamp'
  readonly covered: Buffer
  readonly cms: Buffer
  /** First byte after what is covered. */
  readonly end: number
}

/** All signatures of a document, in the order of the file. */
export function signedParts(pdf: Uint8Array): SignedParts[] {
  const file = openPdf(pdf)
  return embeddedSignatures(file).map(({ fieldName, kind, dict, cms }) => {
    const range = file.resolve(dict.get('ByteRange'))
    const [, a, b, c] = (isArray(range) ? range : []) as number[]
    const covered = Buffer.concat([pdf.subarray(0, a!), pdf.subarray(b!, b! + c!)])
    return { fieldName, kind, covered, cms, end: b! + c! }
  })
}
