// The signature service, through the operations its clients use (document-platform facts 1.4 to 1.11): the document
// platform, or any server with that API.
import type { DigestAlgorithm } from '../../parts/sessions/live-session.ts'
import { type ArrivingBytes, Exchange, type ExchangeOptions } from './exchange.ts'
import { SignerProblem } from './signer-problem.ts'
import { uploadForm } from './upload-form.ts'

/** A document to be sent and signed. */
export interface OutgoingDocument {
  readonly fileName: string
  readonly bytes: number
  readonly chunks: readonly Uint8Array[]
}

export interface Signer {
  readonly name: string
  readonly cpf: string
  readonly email: string
}

/** The data of a new document. */
export interface NewDocument {
  readonly fileName: string
  readonly signer: Signer
  /** Our own id for it, to find it again when the answer was lost. */
  readonly mark: string
}

/** Key and ticket of the signer's action. */
interface SigningAction {
  readonly key: string
  readonly ticket: string
}

/** A started signature: the digest to sign, and where it is completed. */
export interface BegunSignature {
  readonly path: string
  readonly token: string
  readonly digest: Buffer
  readonly algorithm: DigestAlgorithm
}

/** A signature begun whose document comes to be with it, and will have this id. */
export interface BegunDocument extends BegunSignature {
  readonly documentId: string
}

const documentStatuses = ['Pending', 'FlowConcluded', 'Concluded', 'Refused', 'Canceled', 'Expired'] as const

export type DocumentStatus = (typeof documentStatuses)[number]

/** A document at the signature service. */
export interface FoundDocument {
  readonly status: DocumentStatus
  readonly fileName: string
  /** Its status is what it was before. */
  readonly isDeleted: boolean
}

interface SignatureServiceOptions extends ExchangeOptions {
  readonly folderId: string | undefined
  /** Whether the signer gets the mails of the service. */
  readonly notifySigner: boolean
  /** Timeout of what creates nothing there: as long as a signing call may last, which aborts it before. */
  readonly patienceMs: number
}

const MARK = 'chancela-session-signature'

/** Document ids are UUIDs there; anything else is not requested. */
const DOCUMENT_ID = /^[0-9A-Za-z-]{1,64}$/

/** Larger documents are uploaded: services hold what comes in a body of JSON in memory. */
const LARGEST_WHOLE = 1024 * 1024

const WHOLE = '/api/documents/signature'

const JSON_BODY = { 'content-type': 'application/json' }

/**
 * Every method throws SignerProblem; only `create`, `complete` and `completeDocument` may have taken effect without an
 * answer.
 */
export class SignatureService {
  readonly #exchange: Exchange
  readonly #folderId: string | undefined
  readonly #notifySigner: boolean
  readonly #harmless: { readonly isHarmless: true; readonly timeoutMs: number }
  /** Whether an application may sign by the id of the document: one call fewer, and nobody gets an address to act at. */
  #signsById = true
  /** Whether documents may come to be with their signature: two calls instead of four. */
  #takesWhole = true

  constructor({ folderId, notifySigner, patienceMs, ...options }: SignatureServiceOptions) {
    this.#exchange = new Exchange(options)
    this.#folderId = folderId
    this.#notifySigner = notifySigner
    this.#harmless = { isHarmless: true, timeoutMs: patienceMs }
  }

  /** Uploads the bytes unchanged; returns the id of the upload. */
  async upload({ chunks, bytes, fileName }: OutgoingDocument, signal: AbortSignal): Promise<string> {
    const form = uploadForm(chunks, bytes, fileName)
    const answer = await this.#exchange.json({
      method: 'POST',
      path: '/api/uploads',
      headers: { 'content-type': form.contentType, 'content-length': String(form.length) },
      body: form.pieces,
      signal,
      ...this.#harmless,
    })
    return text(answer, 'id')
  }

  /** Creates a document with one signer, who is never asked to act: we do; returns its id. */
  async create(uploadId: string, document: NewDocument, signal: AbortSignal): Promise<string> {
    const files = [{ id: uploadId, ...fileOf(document) }]
    const answer = await this.#post('/api/documents', { files, ...this.#flowOf(document) }, signal)
    return documentIdIn(Array.isArray(answer) ? answer[0] : undefined)
  }

  /** One signer, and our mark. */
  #flowOf({ signer: { name, cpf: identifier, email }, mark }: NewDocument) {
    return {
      flowActions: [{ type: 'Signer', step: 1, user: { name, identifier, email } }],
      disablePendingActionNotifications: true,
      disableNotifications: !this.#notifySigner,
      // Clients of the session server get their own PDF back, signed.
      verificationStamp: 'None',
      tags: [{ label: MARK, value: mark }],
      ...(this.#folderId !== undefined && { folderId: this.#folderId }),
    }
  }

  /** Whether a document may be signed as it comes to be, as far as is known. */
  mayTakeWhole({ bytes }: OutgoingDocument): boolean {
    return this.#takesWhole && bytes <= LARGEST_WHOLE
  }

  /**
   * Sends a document with the certificate of its signer and gets what to sign. There is no document there before
   * `completeDocument`. Undefined where the service does not know this way: then nothing has happened.
   */
  async startDocument(
    { chunks }: OutgoingDocument,
    document: NewDocument,
    certificate: string,
    signal: AbortSignal,
  ): Promise<BegunDocument | undefined> {
    const file = { ...fileOf(document), content: Buffer.concat(chunks).toString('base64') }
    const body = { file, document: this.#flowOf(document), certificate }
    try {
      const answer = await this.#post(`${WHOLE}/certificate`, body, signal, this.#harmless)
      return { ...begunIn(answer, WHOLE), documentId: documentIdIn(answer) }
    } catch (error) {
      if (error instanceof SignerProblem && error.isUnknownCall) return undefined
      throw error
    }
  }

  /** From the answer on the document is there, signed; returns its id. */
  async completeDocument(begun: BegunDocument, signature: Uint8Array, signal: AbortSignal): Promise<string> {
    await this.complete(begun, signature, signal)
    return begun.documentId
  }

  /** It took a document in steps that it did not take as a whole: it is not asked again. */
  takesSteps(): void {
    this.#takesWhole = false
  }

  /**
   * Sends the certificate and gets what to sign; nothing is written there. A certificate the service does not accept is
   * `rejected`. Services that let no application sign by the id of a document refuse that, and are asked for its action.
   */
  async start(documentId: string, signer: Signer, certificate: string, signal: AbortSignal): Promise<BegunSignature> {
    if (!this.#signsById) return this.#startByAction(documentId, signer, certificate, signal)
    try {
      return await this.#start(`/api/documents/${documentId}/signature`, { certificate }, signal)
    } catch (error) {
      if (!(error instanceof SignerProblem) || !error.isRefusal) throw error
      const begun = await this.#startByAction(documentId, signer, certificate, signal)
      this.#signsById = false
      return begun
    }
  }

  async #startByAction(documentId: string, { cpf: identifier }: Signer, certificate: string, signal: AbortSignal) {
    const answer = await this.#post(`/api/documents/${documentId}/action-url`, { identifier }, signal)
    const { key, ticket } = actionIn(text(answer, 'url'))
    const path = `/api/documents/keys/${encodeURIComponent(key)}/signature`
    return this.#start(path, { ticket, certificate }, signal)
  }

  async #start(path: string, body: object, signal: AbortSignal): Promise<BegunSignature> {
    return begunIn(await this.#post(`${path}/certificate`, body, signal), path)
  }

  async complete({ path, token }: BegunSignature, signature: Uint8Array, signal: AbortSignal): Promise<void> {
    const value = Buffer.from(signature.buffer, signature.byteOffset, signature.length).toString('base64')
    requireSuccess(await this.#post(path, { token, signature: value }, signal))
  }

  /** The document with this id; undefined when there is none. */
  async find(documentId: string, signal?: AbortSignal): Promise<FoundDocument | undefined> {
    if (!DOCUMENT_ID.test(documentId)) return undefined
    const answer = await unlessUnknown(() => this.#get(`/api/documents/${documentId}`, signal))
    if (answer === undefined) return undefined
    const { filename, isDeleted } = answer as { filename?: unknown; isDeleted?: unknown }
    const fileName = typeof filename === 'string' && filename !== '' ? filename : text(answer, 'name')
    return { status: statusOf(text(answer, 'status')), fileName, isDeleted: isDeleted === true }
  }

  /** The signed file as a stream; undefined when there is no such document any more. */
  content(documentId: string, signal: AbortSignal): Promise<ArrivingBytes | undefined> {
    const path = `/api/documents/${documentId}/content?type=Signatures`
    return unlessUnknown(() => this.#exchange.bytes({ method: 'GET', path, headers: { accept: '*/*' }, signal }))
  }

  async cancel(documentId: string, reason: string): Promise<void> {
    await this.#post(`/api/documents/${documentId}/cancellation`, { reason })
  }

  /** The id of the document with our mark. */
  async findByMark(mark: string, signal?: AbortSignal): Promise<string | undefined> {
    const tags = encodeURIComponent(`${MARK}|${mark}`)
    const answer = await this.#get(`/api/documents?Tags=${tags}&Limit=10&Offset=0`, signal)
    const { items } = (answer ?? {}) as { items?: unknown }
    if (!Array.isArray(items)) throw unreadable('items')
    const found = items.find((item) => carries(item, mark))
    return found && text(found, 'id')
  }

  /** Resolves when the service is reachable and accepts our key. */
  async ping(signal: AbortSignal): Promise<void> {
    await this.#get('/api/documents?Limit=1&Offset=0', signal)
  }

  close(): Promise<void> {
    return this.#exchange.close()
  }

  #get(path: string, signal?: AbortSignal): Promise<unknown> {
    return this.#exchange.json({ method: 'GET', path, isHarmless: true, ...(signal && { signal }) })
  }

  #post(path: string, body: object, signal?: AbortSignal, more: object = {}): Promise<unknown> {
    const ask = { method: 'POST', path, headers: JSON_BODY, body: JSON.stringify(body), ...more } as const
    return this.#exchange.json(signal ? { ...ask, signal } : ask)
  }
}

/** Servers report an unknown document by 404 or by a code (document-platform facts 1.2). */
async function unlessUnknown<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SignerProblem && error.code === 'DocumentNotFound') return undefined
    throw error
  }
}

const fileOf = ({ fileName }: NewDocument) => ({
  displayName: fileName,
  name: fileName,
  contentType: 'application/pdf',
})

function documentIdIn(answer: unknown): string {
  const id = text(answer, 'documentId')
  if (!DOCUMENT_ID.test(id)) throw unreadable('documentId')
  return id
}

function begunIn(answer: unknown, path: string): BegunSignature {
  requireSuccess(answer)
  const digest = Buffer.from(text(answer, 'toSignHash'), 'base64')
  return { path, token: text(answer, 'token'), digest, algorithm: algorithmOf(text(answer, 'digestAlgorithm')) }
}

const unreadable = (field: string): SignerProblem =>
  new SignerProblem('uncertain', `The answer has no readable ${field}.`, { isOver: true })

function text(answer: unknown, field: string): string {
  const value = (answer as Readonly<Record<string, unknown>> | undefined)?.[field]
  if (typeof value !== 'string' || value === '') throw unreadable(field)
  return value
}

const statusOf = (status: string): DocumentStatus => {
  const known = documentStatuses.find((each) => each === status)
  if (!known) throw unreadable('status')
  return known
}

const algorithms: Readonly<Record<string, DigestAlgorithm>> = {
  'SHA-256': 'SHA-256',
  'SHA-384': 'SHA-384',
  'SHA-512': 'SHA-512',
}

function algorithmOf(name: string): DigestAlgorithm {
  const known = algorithms[name.toUpperCase()]
  if (!known) throw unreadable('digestAlgorithm')
  return known
}

/** `…/document/key/{key}/sign?ticket=…` (document-platform facts 1.3, 1.9). */
function actionIn(url: string): SigningAction {
  const found = /\/key\/([^/?#]+)\/[^?#]*\?(.*)$/.exec(url)
  const ticket = new URLSearchParams(found?.[2] ?? '').get('ticket')
  if (!found || !ticket) throw unreadable('url')
  return { key: decodeURIComponent(found[1]!), ticket }
}

/** A refused certificate or signature has a success status with `success: false` (document-platform facts 1.9). */
function requireSuccess(answer: unknown): void {
  const { success, validationResults } = (answer ?? {}) as { success?: unknown; validationResults?: unknown }
  if (success === true) return
  if (success !== false) throw unreadable('success')
  const { errors } = (validationResults ?? {}) as { errors?: readonly { message?: unknown }[] }
  const account = Array.isArray(errors) ? errors.map(({ message }) => String(message)).join(' ') : ''
  throw new SignerProblem('rejected', account || 'It gave no reason.', { code: 'ValidationFailed' })
}

/** Servers may treat the filter as a search text: documents without the mark are not ours. */
function carries(item: unknown, mark: string): boolean {
  const { tags } = (item ?? {}) as { tags?: unknown }
  return Array.isArray(tags) && tags.some((tag) => (tag as { value?: unknown } | null)?.value === mark)
}
