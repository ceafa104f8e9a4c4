import type { SignatureType } from '../contract/documents.ts'
import { typeByName } from './file-names.ts'

interface NamedFile {
  readonly name: string
  readonly contentType: string
}

/** The kind of signature for a file where the request does not say: by its type, else by its name. */
export function signatureTypeOf({ name, contentType }: NamedFile): SignatureType {
  return byType(contentType) ?? byType(typeByName(name)) ?? 'Cms'
}

function byType(type: string): SignatureType | undefined {
  if (type === 'application/pdf') return 'Pdf'
  return /^(?:text|application)\/(?:.+\+)?xml$/.test(type) ? 'Xml' : undefined
}

// ContentInfo with signed-data: SEQUENCE, its length, the object identifier (RFC 5652 §3).
const SIGNED_DATA = Buffer.from('06092a864886f70d010702', 'hex')

/** Whether bytes are a CMS signature, in DER, BER or PEM: signing such a file adds a signature to it. */
export function isCms(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 64)
  if (/^\s*-----BEGIN (?:PKCS7|CMS)-----/.test(start.toString('latin1'))) return true
  const at = start.indexOf(SIGNED_DATA)
  return start[0] === 0x30 && at >= 2 && at <= 10
}

const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '') || name

const PDF = 'application/pdf'
const CMS = 'application/pkcs7-signature'

/** Name and type of a signed file. */
export function signedFileOf(
  type: SignatureType,
  original: NamedFile,
  { isFurther, isDetached }: { readonly isFurther: boolean; readonly isDetached: boolean },
): NamedFile {
  if (type === 'Pdf') return { name: `${stemOf(original.name)}-signed.pdf`, contentType: PDF }
  if (type === 'Cms') return { name: isFurther ? original.name : `${original.name}.p7s`, contentType: CMS }
  return isDetached
    ? { name: `${original.name}.xml`, contentType: 'text/xml' }
    : {
        name: `${stemOf(original.name)}-signed.xml`,
        contentType: byType(original.contentType) ? original.contentType : 'text/xml',
      }
}
