import { digest } from '../crypto/digest.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { PdfFile, PdfView } from '../pdf/pdf-file.ts'
import { isArray, isDict, isStream, type PdfDict, type PdfObject, type PdfStream } from '../pdf/pdf-object.ts'
import type { RevocationEvidence } from '../revocation/revocation-evidence.ts'
import { Certificate } from '../x509/certificate.ts'

/** Streams read from the security stores of one file. */
const MAX_STREAMS = 4_096

/** Certificates and revocation data of all security stores of a file, and the first revision that has any. */
export interface StoredEvidence {
  readonly certificates: readonly Certificate[]
  readonly evidence: RevocationEvidence
  /** Index of the first revision whose store has certificates and revocation data; undefined when none has. */
  readonly since: number | undefined
  /** Whether a store has an entry for the signature with this /Contents, which ICP-Brasil requires. */
  hasEntryFor(contents: Uint8Array): boolean
}

/** What a file has whose store cannot be read. */
export const NOTHING_STORED: StoredEvidence = {
  certificates: [],
  evidence: { crls: [], ocsps: [] },
  since: undefined,
  hasEntryFor: () => false,
}

/** The lists of a store, and of its entry for one signature (ISO 32000-2 tables 261 and 262). */
const lists = { certificates: ['Certs', 'Cert'], crls: ['CRLs', 'CRL'], ocsps: ['OCSPs', 'OCSP'] } as const

/**
 * Reads /DSS of every revision. Evidence proves itself by its own signatures, so it may come from any revision; a
 * stream that cannot be read proves nothing and is skipped.
 */
export function storedEvidence(file: PdfFile): StoredEvidence {
  const streams = { certificates: new Set<PdfStream>(), crls: new Set<PdfStream>(), ocsps: new Set<PdfStream>() }
  let since: number | undefined
  const keys = new Set<string>()
  let last: PdfObject = null
  for (const view of file.revisions) {
    const store = view.resolve(view.catalog().get('DSS'))
    if (!isDict(store) || store === last) continue
    last = store
    const single = view.resolve(store.get('VRI'))
    if (isDict(single)) for (const key of single.keys()) keys.add(key.toUpperCase())
    for (const part of entriesOf(view, store)) {
      for (const kind of ['certificates', 'crls', 'ocsps'] as const) collect(view, part, lists[kind], streams[kind])
    }
    if (streams.certificates.size > 0 && streams.crls.size + streams.ocsps.size > 0) since ??= view.index
  }
  const read = (kind: keyof typeof streams) => [...streams[kind]].flatMap((stream) => decoded(file, stream))
  return {
    certificates: read('certificates').flatMap(certificateIn),
    evidence: { crls: read('crls'), ocsps: read('ocsps') },
    since,
    hasEntryFor: (contents) => keys.size > 0 && entryKeys(contents).some((key) => keys.has(key)),
  }
}

/** ISO 32000-2 table 261: SHA-1 of /Contents. Most writers hash the padded string, some the signature alone. */
function entryKeys(contents: Uint8Array): string[] {
  const end = contents.findLastIndex((byte) => byte !== 0) + 1
  const forms = [contents, contents.subarray(0, end)]
  return forms.map((bytes) => digest('sha1', bytes).toString('hex').toUpperCase())
}

/** The store itself, and its entries for single signatures. */
function entriesOf(view: PdfView, store: PdfDict): PdfDict[] {
  const single = view.resolve(store.get('VRI'))
  const entries = isDict(single) ? [...single.values()].slice(0, MAX_STREAMS).map((entry) => view.resolve(entry)) : []
  return [store, ...entries.filter(isDict)]
}

function collect(view: PdfView, part: PdfDict, keys: readonly string[], into: Set<PdfStream>): void {
  for (const key of keys) {
    const list = view.resolve(part.get(key))
    if (!isArray(list)) continue
    for (const element of list.slice(0, MAX_STREAMS)) {
      const stream = view.resolve(element)
      if (isStream(stream) && into.size < MAX_STREAMS) into.add(stream)
    }
  }
}

function decoded(file: PdfFile, stream: PdfStream): Uint8Array[] {
  try {
    return [file.decode(stream)]
  } catch (error) {
    if (error instanceof EngineError && error.code !== 'pdf.too-complex') return []
    throw error
  }
}

function certificateIn(der: Uint8Array): Certificate[] {
  try {
    return [Certificate.read(der)]
  } catch (error) {
    if (error instanceof EngineError) return []
    throw error
  }
}
