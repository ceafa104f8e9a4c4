// Activity: live sessions, the log of signatures and PIN lockouts.

import { DEFAULT_LIMIT, pageFrom, readCursor } from '@chancela/admin-console'
import type { EventActor } from '@chancela/service-kernel/events'
import { formattedCpf } from '@chancela/signature-engine/x509'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { listHistory, listSessions, listSignatures } from '../../contract/console-activity.ts'
import { refuseAtConsole as refuse } from '../../rules/refuse.ts'
import {
  type ListedSession,
  type ListedSignature,
  listLiveSessions,
  listLoggedSignatures,
} from '../../store/console-activity.ts'
import type { Sessions } from '../sessions/live-session.ts'
import type { PinFailures } from '../sessions/pin-failures.ts'
import { act } from './audit.ts'
import { cpfDigits } from './cpf-filter.ts'
import { sessionHistory } from './session-history.ts'

type ActivityContext = Pick<Context, 'store' | 'events' | 'settings'>

interface ActivityParts {
  readonly sessions: Pick<Sessions, 'end' | 'list'>
  readonly pinFailures: Pick<PinFailures, 'list' | 'clear'>
}

export class Activity {
  readonly #context: ActivityContext
  readonly #parts: ActivityParts

  constructor(context: ActivityContext, parts: ActivityParts) {
    this.#context = context
    this.#parts = parts
  }

  async sessions({ limit = DEFAULT_LIMIT, cursor, cpf }: Static<typeof listSessions.query>, now: Date) {
    const { store, settings } = this.#context
    const filter = { limit: limit + 1, ...cpfPart(cpf), ...beforePart(cursor) }
    const allowance = settings.Sessions.SignatureAllowance ?? null
    const rows = await listLiveSessions(store.db, filter, now)
    return pageFrom(rows, limit, (row) => ({ ...sessionView(row), allowance }), idOf)
  }

  history(query: Static<typeof listHistory.query>, now: Date) {
    return sessionHistory(this.#context, query, now)
  }

  /** Ends a session and drops its key or PIN. */
  async endSession(id: string, actor: EventActor, now: Date): Promise<void> {
    const session = this.#parts.sessions.list(now).find((one) => one.id === id)
    const ended = session && (await this.#parts.sessions.end(id, 'ended-by-administrator', now))
    if (!ended) throw refuse('SESSION_NOT_FOUND')
    const { store, events } = this.#context
    await events.record(store.db, act('SessionEnded', actor, ['session', id], { cpf: formattedCpf(session.cpf) }))
  }

  async signatures({
    limit = DEFAULT_LIMIT,
    cursor,
    cpf,
    state,
    signatureId,
    from,
    to,
  }: Static<typeof listSignatures.query>) {
    const rows = await listLoggedSignatures(this.#context.store.db, {
      limit: limit + 1,
      ...cpfPart(cpf),
      ...beforePart(cursor),
      ...(state && { state }),
      ...(signatureId && { signatureId }),
      ...(from !== undefined && { from: new Date(from) }),
      ...(to !== undefined && { to: new Date(to) }),
    })
    return pageFrom(rows, limit, signatureView, idOf)
  }

  async lockouts(now: Date) {
    const counted = await this.#parts.pinFailures.list(now)
    return counted.map(({ lastFailureAt, clearsAt, ...rest }) => ({
      ...rest,
      lastFailureAt: lastFailureAt.toISOString(),
      clearsAt: clearsAt?.toISOString() ?? null,
    }))
  }

  async clearLockout(cpf: string, actor: EventActor): Promise<void> {
    if (!(await this.#parts.pinFailures.clear(cpfDigits(cpf) ?? '', actor))) throw refuse('LOCKOUT_NOT_FOUND')
  }
}

function cpfPart(cpf: string | undefined): { readonly cpf?: string } {
  const digits = cpfDigits(cpf)
  return digits === undefined ? {} : { cpf: digits }
}

const beforePart = (cursor: string | undefined): { readonly before?: string } =>
  cursor === undefined ? {} : { before: readCursor(cursor, 1)[0]! }

const idOf = ({ id }: { readonly id: string }): readonly string[] => [id]

const sessionView = (row: ListedSession) => ({
  id: row.id,
  cpf: row.cpf,
  subjectName: row.subject_name,
  custody: row.custody,
  workstation: row.workstation,
  application: row.application ?? '',
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  signatures: row.signatures,
})

const signatureView = (row: ListedSignature) => ({
  id: row.id,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  cpf: row.cpf,
  application: row.application ?? '',
  fileName: row.file_name,
  bytes: row.bytes,
  sha256: row.sha256,
  custody: row.custody,
  state: row.state,
  signatureId: row.document_id,
  code: row.code,
  detail: row.detail,
  batchId: row.batch_id,
  correlationId: row.correlation_id,
})
