// Where every XML is signed: it is kept, planned, signed step by step, and closed. How far a document has come is read
// from its bytes, so that a process that was killed at any point, or a second one, goes on from what is stored.
import { readDocument } from '@chancela/academic-documents/layouts'
import { type SigningProgress, signingProgress } from '@chancela/academic-documents/signatures'
import { enqueueJobs } from '@chancela/outbox/queue'
import { type Db, newRowId } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { KeptStep, SigningPlace } from '../../contract/setup.ts'
import type { XmlDocumentKind } from '../../contract/signing.ts'
import type { EventKind } from '../../contract/vocabulary.ts'
import { publicFacts } from '../../rules/public-record.ts'
import { refuse } from '../../rules/refuse.ts'
import { addItemFile, advanceDocument, documentsOf, insertDocument, moveDocument } from '../../store/documents.ts'
import type { Owner } from '../../store/items.ts'
import { insertSending, liveSending, moveSending } from '../../store/platform-documents.ts'
import type { PlatformDocumentRow } from '../../store/platform-tables.ts'
import { keepFacts } from '../../store/public-facts.ts'
import type { XmlDocumentRow } from '../../store/signing-tables.ts'
import type { Tables } from '../../store/tables.ts'
import { ANYBODY, keepWaits } from '../../store/waiting-documents.ts'
import { type SignerPlan, signerPlan } from './signer-plan.ts'
import { versionProblem } from './sound-version.ts'

export const SIGNING_QUEUE = 'credential-signing'

/** Of documents that go to the document platform, are there, or have to be withdrawn from it. */
export const PLATFORM_QUEUE = 'credential-document-platform'

export interface PlatformJob {
  /** Of the sending. */
  readonly id: string
}

export interface SigningJob {
  readonly documentId: string
}

/** Bytes that are durable already: they are stored before the transaction that refers to them. */
export interface KeptBytes {
  readonly digest: string
  readonly size: number
}

export interface NewDocument {
  /** The item it belongs to. */
  readonly owner: { readonly kind: EventKind; readonly item: Owner }
  /** Whose stored certificate signs for the institution; default: the item's institute. */
  readonly instituteId?: string
  readonly documentKind: XmlDocumentKind
  /** Valid by its layout but for the signatures. */
  readonly kept: KeptBytes
  /** The name under which the closed document is a file of the item. */
  readonly fileName: string
  /** Steps of the organization's flow; default: the plan of the kind, with no particular people. */
  readonly flow?: readonly KeptStep[] | undefined
}

/** What the owner of a document does when it is closed. */
export interface ClosingHandler<Prepared = undefined> {
  /** Before the transaction: whatever takes time, and bytes that are stored. Done again where the transaction fails. */
  prepare?(document: XmlDocumentRow, bytes: Buffer, now: Date): Promise<Prepared>
  /** In the transaction that closes the document: the state, the webhook and the audit of the item. */
  closed(tx: Transaction<Tables>, document: XmlDocumentRow, prepared: Prepared, now: Date): Promise<void>
}

/** What a signature made of a document. */
export interface Signed {
  readonly before: Uint8Array
  readonly after: Buffer
  readonly step: string | null
  /** CPF or CNPJ. */
  readonly signer: string | null
}

export class SigningDesk {
  readonly #context: Context
  readonly #handlers = new Map<EventKind, ClosingHandler<unknown>>()

  constructor(context: Context) {
    this.#context = context
  }

  /** Says what happens to items of a kind when one of their documents is closed. */
  onClosed<Prepared>(kind: EventKind, handler: ClosingHandler<Prepared>): void {
    this.#handlers.set(kind, handler as ClosingHandler<unknown>)
  }

  /** Stores bytes; before the transaction, as some stores of bytes are the database itself. */
  async keep(bytes: Uint8Array): Promise<KeptBytes> {
    const { digest, size } = await this.#context.blobs.put(bytes)
    return { digest, size }
  }

  /** Takes a document in, in the transaction that makes its item. */
  async open(tx: Db<Tables>, given: NewDocument, now: Date): Promise<string> {
    const { owner, instituteId, documentKind, kept, fileName, flow } = given
    const at = now.toISOString()
    const row: XmlDocumentRow = {
      id: newRowId(now),
      subscription_id: owner.item.subscription_id,
      institute_id: instituteId ?? owner.item.institute_id,
      owner_kind: owner.kind,
      owner_id: owner.item.id,
      document_kind: documentKind,
      file_name: fileName,
      status: 'Open',
      revision: 0,
      digest: kept.digest,
      plan: JSON.stringify(signerPlan(documentKind, flow)),
      error: null,
      created_at: at,
      updated_at: at,
      closed_at: null,
    }
    await insertDocument(tx, row, kept.size)
    await this.continue(tx, row, now)
    return row.id
  }

  /** Goes on with an open document where its plan says: at the document platform, or here. */
  async continue(
    tx: Db<Tables>,
    document: XmlDocumentRow,
    now: Date,
    place: SigningPlace = placeOf(document),
  ): Promise<void> {
    if (place === 'Here') return this.queue(tx, [document.id], now)
    const sending = newSending(document, now)
    await insertSending(tx, sending)
    await this.queuePlatform(tx, [sending.id], now)
  }

  /** Has the worker of the document platform look at sendings. */
  async queuePlatform(tx: Db<Tables>, ids: readonly string[], now: Date): Promise<void> {
    const jobs = ids.map((id) => ({ payload: { id } satisfies PlatformJob }))
    await enqueueJobs(tx, PLATFORM_QUEUE, jobs, now)
  }

  /** Has the worker look at documents: it signs what stored certificates can, and finishes what is unfinished. */
  async queue(tx: Db<Tables>, documentIds: readonly string[], now: Date): Promise<void> {
    const jobs = documentIds.map((documentId) => ({ payload: { documentId } satisfies SigningJob }))
    await enqueueJobs(tx, SIGNING_QUEUE, jobs, now)
  }

  /** The item was canceled: nobody signs its documents any more. Those that are closed stay. */
  async withdraw(tx: Db<Tables>, ownerId: string, now: Date): Promise<void> {
    for (const { id } of await documentsOf(tx, ownerId)) {
      await moveDocument(tx, id, 'withdraw', null, now)
      const sending = await liveSending(tx, id)
      if (sending && (await moveSending(tx, sending.id, 'withdraw', {}, now)))
        await this.queuePlatform(tx, [sending.id], now)
    }
  }

  /** The item is back: its documents are signed on. */
  async resume(tx: Db<Tables>, ownerId: string, now: Date): Promise<void> {
    for (const { id } of await documentsOf(tx, ownerId)) {
      const resumed = await moveDocument(tx, id, 'resume', null, now)
      if (resumed) await this.continue(tx, resumed, now)
    }
  }

  bytesOf({ digest }: Pick<XmlDocumentRow, 'digest'>): Promise<Buffer> {
    return this.#context.blobs.read(digest)
  }

  /** Keeps who can sign a document now: it follows from the bytes of this version. */
  async noteWaits(document: XmlDocumentRow): Promise<void> {
    const { steps, next } = this.progressOf(document, await this.bytesOf(document))
    const open = steps.filter(({ step }) => next.includes(step.name) && step.certificate === 'eCpf')
    const signers = open.flatMap(({ missing }) => (missing.length === 0 ? [ANYBODY] : missing))
    await keepWaits(this.#context.store.db, document, signers)
  }

  progressOf(document: Pick<XmlDocumentRow, 'plan'>, bytes: Uint8Array): SigningProgress {
    return signingProgress(bytes, { people: planOf(document).people })
  }

  /**
   * Keeps what a signature made of a document, and closes it after the last step. Refused when the document was signed
   * by somebody else meanwhile, or when anything but signatures was changed. `beside` joins the transaction.
   */
  async advance(
    document: XmlDocumentRow,
    { before, after, step, signer }: Signed,
    now: Date,
    beside: (tx: Transaction<Tables>) => Promise<void> = async () => {},
  ): Promise<XmlDocumentRow> {
    const problem = versionProblem(before, after)
    if (problem !== undefined) throw refuse('signing-refused', { reason: problem })
    const { steps, misplaced } = this.progressOf(document, after)
    if (misplaced.length > 0) throw refuse('signing-refused', { reason: 'A signature belongs to no step.' })
    const isClosed = steps.every(({ state }) => state === 'done')
    const kept = await this.keep(after)
    const handler = this.#handlers.get(document.owner_kind)
    const prepared = isClosed ? await handler?.prepare?.(document, after, now) : undefined
    const facts = isClosed ? factsIn(after) : undefined
    const version = { digest: kept.digest, bytes: kept.size, step, signer }
    return this.#context.store.transaction(async (tx) => {
      const row = await advanceDocument(tx, document, version, isClosed, now)
      if (!row) throw refuse('changed-meanwhile')
      if (isClosed) {
        await addItemFile(tx, fileOf(row, kept), now)
        if (facts) await keepFacts(tx, kept.digest, facts)
        await handler?.closed(tx, row, prepared, now)
      } else await this.queue(tx, [row.id], now)
      await beside(tx)
      return row
    })
  }
}

/** What everybody may read of a closed document, found now so that no visitor waits for it. */
function factsIn(bytes: Buffer) {
  const { document } = readDocument(bytes)
  return document && publicFacts(document)
}

export const planOf = ({ plan }: Pick<XmlDocumentRow, 'plan'>): SignerPlan => JSON.parse(plan) as SignerPlan

/** Where the plan has a document signed. */
export const placeOf = (document: Pick<XmlDocumentRow, 'plan'>): SigningPlace =>
  planOf(document).platform === undefined ? 'Here' : 'DocumentPlatform'

function newSending({ id, subscription_id }: XmlDocumentRow, now: Date): PlatformDocumentRow {
  const at = now.toISOString()
  return {
    id: newRowId(now),
    xml_document_id: id,
    subscription_id,
    status: 'Sending',
    tries: 0,
    signer_document_id: null,
    signer_document_url: null,
    error: null,
    looked_at: at,
    created_at: at,
    updated_at: at,
  }
}

const fileOf = ({ owner_id, file_name }: XmlDocumentRow, { digest, size }: KeptBytes) => ({
  item_id: owner_id,
  name: file_name,
  digest,
  bytes: size,
  media_type: 'application/xml',
})
