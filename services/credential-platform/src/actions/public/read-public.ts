// What everybody may read who has the code of a document.
import { readDocument } from '@chancela/academic-documents/layouts'
import { LruCache } from '@chancela/service-kernel/concurrency'
import type { Context } from '../../context.ts'
import type { PublicRecord } from '../../contract/public.ts'
import { annulmentTexts } from '../../rules/annulment.ts'
import { type AdmissionFacts, type DocumentFacts, publicFacts } from '../../rules/public-record.ts'
import { refuse } from '../../rules/refuse.ts'
import type { DocumentTables } from '../../store/document-tables.ts'
import { fileVersion, newestFile } from '../../store/documents.ts'
import { findFacts, keepFacts } from '../../store/public-facts.ts'
import { findPublicItem, newestSignedList, type PublicItem } from '../../store/public-items.ts'
import { representation } from '../items/representations.ts'

type ItemFile = DocumentTables['item_file']

/** Facts of so many documents are remembered by their bytes, which never change. */
const REMEMBERED = 20_000

/** The name of the XML among the files of each kind. */
const xmlNames = { Degree: 'public-xml', AcademicTranscript: 'xml', Curriculum: 'xml' } as const

interface Found {
  readonly item: PublicItem
  readonly xml: ItemFile
}

/** Reads what is public; one for the whole service. */
export class PublicDocuments {
  readonly #context: Context
  readonly #facts = new LruCache<string, DocumentFacts | AdmissionFacts>(REMEMBERED)

  constructor(context: Context) {
    this.#context = context
  }

  async record(code: string): Promise<PublicRecord> {
    const { item, xml } = await this.#found(code)
    const { db } = this.#context.store
    const [facts, admission, representation] = await Promise.all([
      this.#factsOf<DocumentFacts>(xml),
      this.#admissionOf(item),
      newestFile(db, item.id, 'rvdd'),
    ])
    return {
      ...facts,
      code,
      kind: item.kind,
      ...standingOf(item),
      admissionDate: admission,
      sha256: xml.digest,
      hasRepresentation: isRepresented(item) && (item.concludedAt !== null || representation !== undefined),
    }
  }

  async xml(code: string): Promise<ItemFile> {
    return (await this.#found(code)).xml
  }

  /** The same as it was at some time: an archive that was renewed has other bytes. */
  async version(code: string, digest: string): Promise<ItemFile> {
    const { item } = await this.#found(code)
    const file = await fileVersion(this.#context.store.db, item.id, xmlNames[item.kind], digest)
    if (!file) throw refuse('file-not-found')
    return file
  }

  /** Nothing that looks like a degree is handed out for one that is not valid. */
  async representation(code: string): Promise<ItemFile> {
    const { item } = await this.#found(code)
    const { id, subscriptionId, instituteId, concludedAt } = item
    const shown = { id, subscription_id: subscriptionId, institute_id: instituteId, concluded_at: concludedAt, code }
    const file = isRepresented(item) ? await representation(this.#context, shown, 'rvdd') : undefined
    if (!file) throw refuse('file-not-found')
    return file
  }

  async annulledDegrees(iesCode: string): Promise<ItemFile> {
    const { db } = this.#context.store
    const list = await newestSignedList(db, iesCode)
    const file = list && (await newestFile(db, list.id, 'xml'))
    if (!file) throw refuse('cancellation-list-not-found', { iesCode })
    return file
  }

  async #found(code: string): Promise<Found> {
    const { db } = this.#context.store
    const item = await findPublicItem(db, code)
    const xml = item && (await newestFile(db, item.id, xmlNames[item.kind]))
    if (!item || !xml) throw refuse('code-not-found')
    return { item, xml }
  }

  async #factsOf<Facts extends DocumentFacts | AdmissionFacts>({ digest }: ItemFile): Promise<Facts> {
    const facts =
      this.#facts.get(digest) ?? (await findFacts<Facts>(this.#context.store.db, digest)) ?? (await this.#read(digest))
    this.#facts.set(digest, facts)
    return facts as Facts
  }

  /** Of bytes that were not closed here, or before what is public of them was kept. */
  async #read(digest: string): Promise<DocumentFacts | AdmissionFacts> {
    const { document } = readDocument(await this.#context.blobs.read(digest))
    const facts = document && publicFacts(document)
    if (!facts) throw new Error(`The XML ${digest} was kept and cannot be read.`)
    await keepFacts(this.#context.store.db, digest, facts)
    return facts
  }

  async #admissionOf({ id, kind }: PublicItem): Promise<string | null> {
    const file = kind === 'Degree' && (await newestFile(this.#context.store.db, id, 'academic-documentation'))
    return file ? (await this.#factsOf<AdmissionFacts>(file)).admissionDate : null
  }
}

const isRepresented = ({ kind, status }: PublicItem): boolean => kind === 'Degree' && status === 'Valid'

/** The norm's words for the reason, and what was written besides. */
export function standingOf({ status, statusDate, statusUntil, reason, cancellationReason }: PublicItem) {
  const texts = [cancellationReason && annulmentTexts[cancellationReason], reason].filter(Boolean)
  return { status, statusDate, statusReason: texts.length === 0 ? null : texts.join(': '), statusUntil }
}
