import { contentTypes } from '../cms/oids.ts'
import { oid } from '../der/der-writer.ts'
import { contextConstructed, tags } from '../der/tags.ts'

/** What a DER or BER structure is by its first members: enough for the start of a large file, too. */
export type DerKind = 'cms' | 'timestamp' | 'envelope' | 'unsigned' | 'certificate' | 'pkcs12' | 'ocsp' | 'key'

interface Header {
  readonly tag: number
  readonly start: number
  /** Undefined for an indefinite length. */
  readonly end: number | undefined
}

/** The kind of what begins here; undefined for what is no such structure. */
export function derKindOf(bytes: Uint8Array): DerKind | undefined {
  const outer = headerAt(bytes, 0)
  const first = outer?.tag === tags.sequence ? headerAt(bytes, outer.start) : undefined
  return first && kindByFirst[first.tag]?.(bytes, first)
}

const MAX_LENGTH_BYTES = 6

function headerAt(bytes: Uint8Array, at: number | undefined): Header | undefined {
  if (at === undefined || at + 1 >= bytes.length) return undefined
  const [tag, first] = [bytes[at]!, bytes[at + 1]!]
  if (first === 0x80) return { tag, start: at + 2, end: undefined }
  if (first < 0x80) return { tag, start: at + 2, end: at + 2 + first }
  const count = first & 0x7f
  if (count > MAX_LENGTH_BYTES) return undefined
  const start = at + 2 + count
  const length = bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0)
  return { tag, start, end: start + length }
}

type Classify = (bytes: Uint8Array, first: Header) => DerKind | undefined

const kindByFirst: Readonly<Record<number, Classify>> = {
  [tags.oid]: contentKind,
  [tags.enumerated]: () => 'ocsp',
  [tags.integer]: (bytes, { start, end }) => {
    const isNext = headerAt(bytes, end)?.tag === tags.sequence
    if (!isNext) return undefined
    return bytes[start] === PKCS12_VERSION ? 'pkcs12' : 'key'
  },
  // A TimeStampResp has the status of the answer where certificates and revocation lists have what is signed.
  [tags.sequence]: (bytes, first) => {
    const token = headerAt(bytes, first.end)
    const isToken = token?.tag === tags.sequence && isOid(bytes, headerAt(bytes, token.start), contentTypes.signedData)
    return isToken ? 'timestamp' : 'certificate'
  },
}

const PKCS12_VERSION = 3

/** ContentInfo: a SignedData is a timestamp by the type of its content. */
function contentKind(bytes: Uint8Array, type: Header): DerKind | undefined {
  if (!isOid(bytes, type, contentTypes.signedData)) return unsignedKind(bytes, type)
  const tagged = headerAt(bytes, type.end)
  const signedData = tagged?.tag === contextConstructed(0) ? headerAt(bytes, tagged.start) : undefined
  const version = headerAt(bytes, signedData?.start)
  const digests = headerAt(bytes, version?.end)
  const encapsulated = headerAt(bytes, digests?.end)
  const contentType = headerAt(bytes, encapsulated?.start)
  return isOid(bytes, contentType, contentTypes.timestampInfo) ? 'timestamp' : 'cms'
}

function unsignedKind(bytes: Uint8Array, type: Header): DerKind | undefined {
  if (NEITHER.some((one) => isOid(bytes, type, one))) return 'unsigned'
  return startsWithOid(bytes, type) ? 'envelope' : undefined
}

/** Neither signed nor encrypted: id-data, id-digestedData (RFC 5652), id-ct-compressedData (RFC 3274). */
const NEITHER = ['1.2.840.113549.1.7.1', '1.2.840.113549.1.7.5', '1.2.840.113549.1.9.16.1.9']

const isOid = (bytes: Uint8Array, header: Header | undefined, expected: string): boolean =>
  header?.tag === tags.oid && oid(expected).subarray(2).equals(bytes.subarray(header.start, header.end))

/** The content types of CMS are below pkcs-7 and smime. */
const startsWithOid = (bytes: Uint8Array, { start }: Header): boolean =>
  PKCS.equals(bytes.subarray(start, start + PKCS.length))

const PKCS = oid('1.2.840.113549.1').subarray(2)
