import { deflateSync } from 'node:zlib'
import { digest, fingerprint } from '../crypto/digest.ts'
import { IncrementalUpdate } from '../pdf/incremental-update.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import {
  dict,
  isArray,
  isDict,
  isRef,
  isStream,
  name,
  type PdfDict,
  type PdfObject,
  type PdfRef,
} from '../pdf/pdf-object.ts'
import { dateString } from '../pdf/text-string.ts'
import { declareExtension, setInCatalog } from './catalog-update.ts'

/** The evidence one signature needs for later validation. */
export interface SignatureEvidence {
  /** /Contents of the signature, padding included. */
  readonly contents: Uint8Array
  readonly certificates: readonly Uint8Array[]
  readonly crls: readonly Uint8Array[]
  readonly ocsps: readonly Uint8Array[]
}

/** What ICP-Brasil's archival form adds (DOC-ICP-15.03, tables A.18 to A.22): the rules it was signed under. */
export interface PolicyArtifacts {
  /** The policy's own file. */
  readonly policy: Uint8Array
  /** The list of approved policies, and its detached signature. */
  readonly list: Uint8Array
  readonly listSignature: Uint8Array
}

/** How the store and its entries per signature name the same lists; the singular names are those of ICP-Brasil's VRI. */
const artifactNames = {
  policy: ['PBAD_PolicyArtifacts', 'PBAD_PolicyArtifact'],
  list: ['PBAD_LpaArtifacts', 'PBAD_LpaArtifact'],
  listSignature: ['PBAD_LpaSignatures', 'PBAD_LpaSignature'],
} as const satisfies Record<keyof PolicyArtifacts, readonly [string, string]>

/** Lists above this size are compressed: revocation lists of large authorities have megabytes. */
const COMPRESS_FROM = 4096

/** VRI names a signature by the SHA-1 of its /Contents, padding included, in upper case (ISO 32000-2 §12.8.4.4). */
const vriKey = (contents: Uint8Array): string => digest('sha1', contents).toString('hex').toUpperCase()

/** The document security store; undefined when the document has none. */
function securityStore(file: PdfFile): PdfDict | undefined {
  const store = file.resolve(file.catalog().get('DSS'))
  return isDict(store) ? store : undefined
}

/** Whether the store has an entry for this signature. */
export function hasEvidence(file: PdfFile, contents: Uint8Array): boolean {
  const entries = file.resolve(securityStore(file)?.get('VRI'))
  return isDict(entries) && entries.has(vriKey(contents))
}

/** The revision that adds evidence to the store: existing entries stay, and the same bytes are stored once. */
export function writeSecurityStore(
  file: PdfFile,
  evidence: readonly SignatureEvidence[],
  now: Date,
  artifacts?: PolicyArtifacts,
): Buffer {
  file.encryption?.requirePermission('add-evidence')
  const update = new IncrementalUpdate(file)
  const store = new StoreUpdate(file, update)
  const entries = new Map(isDict(store.present('VRI')) ? (store.present('VRI') as PdfDict) : [])
  const kept = artifacts && keepArtifacts(store, artifacts)
  for (const { contents, certificates, crls, ocsps } of evidence) {
    const lists: Record<string, PdfObject> = {
      Type: name('VRI'),
      Cert: certificates.map((der) => store.put('Certs', der)),
    }
    if (crls.length > 0) lists.CRL = crls.map((der) => store.put('CRLs', der))
    if (ocsps.length > 0) lists.OCSP = ocsps.map((der) => store.put('OCSPs', der))
    entries.set(vriKey(contents), update.add(dict({ ...lists, ...kept, TU: dateString(now) })))
  }
  writeStore(file, update, store.finish(entries))
  declareExtension(file, update)
  return update.finish().appended
}

function keepArtifacts(store: StoreUpdate, artifacts: PolicyArtifacts): Record<string, PdfObject> {
  const kept: Record<string, PdfObject> = {}
  for (const [artifact, [plural, singular]] of Object.entries(artifactNames)) {
    kept[singular] = store.put(plural, artifacts[artifact as keyof PolicyArtifacts])
  }
  return kept
}

function writeStore(file: PdfFile, update: IncrementalUpdate, store: PdfDict): void {
  const stored = file.catalog().get('DSS')
  if (isRef(stored) && isDict(file.resolve(stored))) update.set(stored, store)
  else setInCatalog(file, update, 'DSS', update.add(store))
}

/** The store while evidence is added. */
class StoreUpdate {
  private readonly file: PdfFile
  private readonly update: IncrementalUpdate
  private readonly store: PdfDict
  private readonly lists = new Map<string, { readonly refs: PdfRef[]; readonly known: Map<string, PdfRef> }>()

  constructor(file: PdfFile, update: IncrementalUpdate) {
    this.file = file
    this.update = update
    this.store = securityStore(file) ?? new Map()
  }

  present(key: string): PdfObject {
    return this.file.resolve(this.store.get(key))
  }

  /** Stores bytes in one of the lists, once. */
  put(list: string, bytes: Uint8Array): PdfRef {
    const { refs, known } = this.list(list)
    const key = fingerprint(bytes)
    const found = known.get(key)
    if (found) return found
    const added = this.update.add(streamOf(bytes))
    refs.push(added)
    known.set(key, added)
    return added
  }

  finish(entries: PdfDict): PdfDict {
    const store = new Map<string, PdfObject>([...this.store, ['Type', name('DSS')]])
    for (const [key, { refs }] of this.lists) store.set(key, refs)
    return store.set('VRI', entries)
  }

  private list(key: string) {
    let list = this.lists.get(key)
    if (!list) {
      list = { refs: [], known: new Map() }
      const present = this.present(key)
      for (const item of isArray(present) ? present : []) {
        const stream = this.file.resolve(item)
        if (!isRef(item) || !isStream(stream)) continue
        list.refs.push(item)
        list.known.set(fingerprint(this.file.decode(stream)), item)
      }
      this.lists.set(key, list)
    }
    return list
  }
}

function streamOf(bytes: Uint8Array): PdfObject {
  if (bytes.length < COMPRESS_FROM) return { kind: 'stream', dict: new Map(), raw: bytes }
  return { kind: 'stream', dict: dict({ Filter: name('FlateDecode') }), raw: deflateSync(bytes) }
}
