// Background processing: the documents of a session whose signatures are there.
import { Refusal } from '@chancela/service-kernel/errors'
import { notify } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import { judgeSigner } from '../../parts/signing/judge-signer.ts'
import type { SessionDocumentRow, SessionRow } from '../../store/session-tables.ts'
import {
  moveSession,
  moveSessionDocument,
  sessionById,
  sessionChannel,
  sessionDocuments,
} from '../../store/sessions.ts'
import type { Tables } from '../../store/tables.ts'
import { requiredContext, type SigningDependencies } from '../signatures/prepare-signature.ts'
import { holderOf, signedSessionDocument } from './signed-session-document.ts'
import { recordSigned } from './submit-signatures.ts'

/** Messages of errors are for logs. */
const CULTURE = 'en-US'

const UNKNOWN = 'CertificateRevocationStatusUnknown'

/** One attempt at a session. */
interface Attempt {
  readonly now: Date
  /** Whether none follows: what would be tried again becomes the error of the session. */
  readonly isLast: boolean
  readonly signal: AbortSignal
  /** Ends the job with the session. */
  complete(tx: Transaction<Tables>): Promise<void>
}

/**
 * Makes the documents one by one, each in a transaction of its own, so that an attempt goes on where the last one was cut
 * off. What is wrong for good is the error of a document; anything else is thrown, and tried again.
 */
export async function processSession(
  dependencies: SigningDependencies,
  sessionId: string,
  attempt: Attempt,
): Promise<void> {
  const { db } = dependencies.context.store
  const session = await sessionById(db, sessionId)
  if (session?.status !== 'Processing') return
  const open = (await sessionDocuments(db, sessionId)).filter(({ status }) => status === 'Processing')
  const problem = open.length > 0 ? await certificateProblem(dependencies, session, attempt) : undefined
  for (const row of open) {
    attempt.signal.throwIfAborted()
    if (problem) await failDocument(dependencies, row, problem)
    else await processDocument(dependencies, session, row, attempt)
  }
  await conclude(dependencies, session, attempt)
}

/** The first error of the certificate; it may have been revoked since it signed. */
async function certificateProblem(
  dependencies: SigningDependencies,
  session: SessionRow,
  { now, isLast }: Attempt,
): Promise<string | undefined> {
  try {
    const owner = { subscriptionId: session.subscription_id }
    const context = await requiredContext(dependencies, owner, session.context_id)
    const options = { culture: CULTURE, ignoresUnknown: false } as const
    const { validationResults } = await judgeSigner(holderOf(session).certificate, context, options, now)
    const types = validationResults.errors.map(({ type }) => type)
    // An authority that does not answer now may do so later.
    if (types.length > 0 && types.every((type) => type === UNKNOWN) && !isLast) throw new Error(UNKNOWN)
    return types[0]
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

async function processDocument(
  dependencies: SigningDependencies,
  session: SessionRow,
  row: SessionDocumentRow,
  { now, isLast }: Attempt,
): Promise<void> {
  try {
    const document = await signedSessionDocument(dependencies, session, row, CULTURE)
    await dependencies.context.store.transaction((tx) => recordSigned(tx, session, document, now))
  } catch (error) {
    if (!(error instanceof Refusal) && !isLast) throw error
    dependencies.context.logger.error({ err: error, sessionId: session.id, documentId: row.id }, 'document not signed')
    await failDocument(dependencies, row, error instanceof Refusal ? error.code : 'UnexpectedError')
  }
}

const failDocument = (
  { context }: SigningDependencies,
  { id }: SessionDocumentRow,
  code: string,
): Promise<SessionDocumentRow | undefined> =>
  moveSessionDocument(context.store.db, id, 'fail', { error_code: code, signature: null })

/** The session ends with its job. */
async function conclude(
  { context }: SigningDependencies,
  { id }: SessionRow,
  { now, complete }: Attempt,
): Promise<void> {
  await context.store.transaction(async (tx) => {
    const documents = await sessionDocuments(tx, id)
    const code = documents.find(({ error_code }) => error_code !== null)?.error_code ?? null
    const ended = { error_code: code, ended_at: now.toISOString() }
    await moveSession(tx, id, code === null ? 'conclude' : 'fail', ended)
    await notify(tx, sessionChannel(id))
    await complete(tx)
  })
}

/** Ends a session whose job is dead, because processes ended in the middle of it again and again. */
export async function abandonSession({ context }: SigningDependencies, id: string, now: Date): Promise<void> {
  await context.store.transaction(async (tx) => {
    for (const { id: documentId, status } of await sessionDocuments(tx, id))
      if (status === 'Processing')
        await moveSessionDocument(tx, documentId, 'fail', { error_code: 'UnexpectedError', signature: null })
    await moveSession(tx, id, 'fail', { error_code: 'UnexpectedError', ended_at: now.toISOString() })
    await notify(tx, sessionChannel(id))
  })
}
