// Signs for institutions whose certificate is stored, and finishes signatures that lack timestamps or validation data.
import type { HandlerContext } from '@chancela/outbox/queue'
import { HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { Refusal } from '@chancela/service-kernel/errors'
import type { Context } from '../context.ts'
import type { SigningDesk, SigningJob } from '../parts/signing/desk.ts'
import { SIGNING_QUEUE } from '../parts/signing/desk.ts'
import type { Signing } from '../parts/signing/open-signing.ts'
import { finished, signedWith } from '../parts/signing/sign-steps.ts'
import type { StoredKeys } from '../parts/signing/stored-keys.ts'
import { findDocument, noteError } from '../store/documents.ts'
import { liveSending } from '../store/platform-documents.ts'
import type { XmlDocumentRow } from '../store/signing-tables.ts'
import { type QueueWorker, queueWorker } from './queue-worker.ts'

/** An authority that does not answer is asked for two days; whoever mends it need not start anything again. */
const waits = [2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, ...Array(94).fill(HOUR / 2)]

export interface SigningParts {
  readonly context: Context
  readonly desk: SigningDesk
  readonly signing: Signing
  readonly keys: StoredKeys
}

/** Works on the queue of documents that may be signed on. */
export const signDocuments = (parts: SigningParts): QueueWorker =>
  queueWorker<SigningJob>(parts.context, {
    queue: SIGNING_QUEUE,
    waits,
    trouble: 'signing of a document failed',
    handle: (job, context) => signOn(parts, job.payload.documentId, context),
  })

/** Signs one step; what follows is another job, queued with the result of this one. */
async function signOn(parts: SigningParts, documentId: string, { complete }: HandlerContext): Promise<void> {
  const { context, desk } = parts
  const document = await findDocument(context.store.db, documentId)
  if (document?.status !== 'Open' || (await liveSending(context.store.db, documentId))) return
  const now = context.clock()
  try {
    const before = await desk.bytesOf(document)
    const next = await nextVersion(parts, document, before, now)
    if (next) await desk.advance(document, { before, ...next }, now, (tx) => complete(tx))
    else await desk.noteWaits(document)
  } catch (error) {
    await give(parts, document, error, now)
  }
}

/** Nothing, where a person has to sign, or nobody is left to. */
async function nextVersion({ desk, signing, keys }: SigningParts, document: XmlDocumentRow, bytes: Buffer, now: Date) {
  const { steps, next } = desk.progressOf(document, bytes)
  const unfinished = steps.find(({ state }) => state === 'unfinished')
  if (unfinished) return { after: await finished(signing, bytes, now), step: unfinished.step.name, signer: null }
  const isInstitutions = steps.some(({ step }) => next.includes(step.name) && step.certificate === 'eCnpj')
  const key = isInstitutions ? await keys.of(document.institute_id) : undefined
  return key && signedWith(signing, document, bytes, key, now)
}

/** What authorities say, or that they say nothing, may be otherwise later. */
const retried = ['signing-unavailable', 'certificate-refused']

/** Errors that another attempt will not mend are told with the document; whatever is tried again is thrown on. */
async function give({ context }: SigningParts, { id }: XmlDocumentRow, error: unknown, now: Date): Promise<void> {
  if (!(error instanceof Refusal)) throw error
  // Somebody else signed meanwhile, and queued what follows.
  if (error.code === 'changed-meanwhile') return
  await noteError(context.store.db, id, sentenceOf(error), now)
  if (retried.includes(error.code)) throw error
}

const sentenceOf = ({ message, details }: Refusal): string => {
  const { reason, reasons } = (details ?? {}) as { reason?: string; reasons?: readonly string[] }
  return [message, ...(reasons ?? []), ...(reason === undefined ? [] : [reason])].join(' ')
}
