// Sends documents to document platforms, reads them again whenever something was told or nothing was, and takes back what
// nobody needs there.
import type { HandlerContext } from '@chancela/outbox/queue'
import { HOUR, MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { Refusal } from '@chancela/service-kernel/errors'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import { lookAtPlatform, withdrawThere } from '../actions/signing/look-at-platform.ts'
import { type PlatformParts, sendToPlatform } from '../actions/signing/send-to-platform.ts'
import { PLATFORM_QUEUE, type PlatformJob } from '../parts/signing/desk.ts'
import { findDocument } from '../store/documents.ts'
import { findSending, moveSending, noteLook, silentSendings } from '../store/platform-documents.ts'
import type { PlatformDocumentRow } from '../store/platform-tables.ts'
import { PlatformProblem } from '../upstream/document-platform.ts'
import { type QueueWorker, queueWorker } from './queue-worker.ts'

/** A platform that does not answer is asked for two days; after that, as often as one that is silent. */
const waits = [2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, ...Array(94).fill(HOUR / 2)]

export const signAtPlatform = (parts: PlatformParts): QueueWorker =>
  queueWorker<PlatformJob>(parts.context, {
    queue: PLATFORM_QUEUE,
    waits,
    trouble: 'signing at a document platform failed',
    handle: (job, context) => handle(parts, job.payload.id, context),
  })

async function handle(parts: PlatformParts, id: string, context: HandlerContext): Promise<void> {
  const sending = await findSending(parts.context.store.db, id)
  if (!sending) return
  try {
    await workOn(parts, sending, context)
  } catch (error) {
    if (error instanceof PlatformProblem || error instanceof Refusal)
      await noteLook(parts.context.store.db, id, parts.context.clock(), error.message)
    throw error
  }
}

async function workOn(parts: PlatformParts, sending: PlatformDocumentRow, { complete }: HandlerContext): Promise<void> {
  const { store, clock } = parts.context
  if (sending.status === 'Withdrawn') return withdrawThere(parts, sending)
  if (sending.status !== 'Sending' && sending.status !== 'Sent') return
  const now = clock()
  const document = await findDocument(store.db, sending.xml_document_id)
  if (document?.status !== 'Open') {
    const gone = await moveSending(store.db, sending.id, 'withdraw', {}, now)
    return gone && withdrawThere(parts, gone)
  }
  if (sending.status === 'Sending') return sendToPlatform(parts, sending, document, now)
  return lookAtPlatform(parts, { sending, document, complete: (tx) => complete(tx) }, now)
}

const AT_ONCE = 500

/** Asks for documents whose webhook never came. */
export const followPlatforms = ({ context, desk }: Pick<PlatformParts, 'context' | 'desk'>): Worker =>
  sweeper(context, { name: 'following of documents at document platforms', every: MINUTE }, async () => {
    const { store, clock, settings } = context
    const now = clock()
    const before = plus(now, -settings.DocumentPlatform.PollMinutes * MINUTE)
    const silent = await silentSendings(store.db, before, AT_ONCE)
    await store.transaction(async (tx) => {
      for (const id of silent) await noteLook(tx, id, now)
      await desk.queuePlatform(tx, silent, now)
    })
    return silent.length === AT_ONCE
  })
