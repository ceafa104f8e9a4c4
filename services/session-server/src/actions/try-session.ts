// POST /v1/sessions with its history: an attempt that is refused leaves a row, as a session does that is opened.
import { Refusal } from '@chancela/service-kernel/errors'
import type { Logger } from '@chancela/service-kernel/http'
import { newRowId } from '@chancela/service-kernel/store'
import { isCpf } from '@chancela/signature-engine/x509'
import { insertAttempt } from '../store/session-history.ts'
import { type Asking, openSession, type SessionOpening, type SessionRequest } from './open-session.ts'

/** Opens a session, or throws the refusal with the reason, which the history of sessions then has. */
export async function trySession(opening: SessionOpening, request: SessionRequest, asking: Asking, log: Logger) {
  try {
    return await openSession(opening, request, asking)
  } catch (error) {
    if (isTold(error, request)) await remember(opening, { code: error.code, cpf: request.cpf }, asking, log)
    throw error
  }
}

/** What says something of the holder; a call that a busy server puts off is asked again, and must not write a row each time. */
const isTold = (error: unknown, { cpf }: SessionRequest): error is Refusal =>
  error instanceof Refusal && error.code !== 'SERVER_BUSY' && isCpf(cpf)

/** The answer is the same where the row cannot be written: wrong PINs are counted elsewhere. */
async function remember(
  { context: { store, clock } }: SessionOpening,
  { code, cpf }: { readonly code: string; readonly cpf: string },
  { applicationId, origin }: Asking,
  log: Logger,
): Promise<void> {
  const now = clock()
  const { address, correlationId: correlation_id } = origin
  const row = {
    id: newRowId(now),
    cpf,
    application_id: applicationId,
    code,
    address,
    correlation_id,
    at: now.toISOString(),
  }
  await insertAttempt(store.db, row).catch((err: unknown) =>
    log.error({ err, code }, 'a failed attempt was not recorded'),
  )
}
