// Activity: sessions, and the audit of their uses.

import { DEFAULT_LIMIT, pageFrom, readCursor } from '@chancela/admin-console'
import type { EventActor } from '@chancela/service-kernel/events'
import { SecretProblem, type Secrets } from '@chancela/service-kernel/secrets'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { listSessions, listUses } from '../../contract/console-sessions.ts'
import type { IdentifierType } from '../../contract/models.ts'
import { refuseAtConsole as refuse } from '../../rules/refuse.ts'
import { type ListedSession, type ListedUse, listHubSessions, listSessionUses } from '../../store/console-activity.ts'
import type { IdentifierDigest } from '../../store/identifier-digest.ts'
import { type KnownSession, moveSession, sessionById } from '../../store/known-sessions.ts'
import { openedIdentifier } from '../../store/sealed-holders.ts'
import { recordUse } from '../../store/uses.ts'
import type { Providers } from '../../upstream/provider.ts'
import { revoke } from '../signing/end-session.ts'
import { isOver } from '../signing/open-session.ts'
import { act } from './audit.ts'
import { maskedAlias, maskedIdentifier } from './masks.ts'

export class SessionAdmin {
  readonly #context: Context
  readonly #providers: Pick<Providers, 'get'>
  readonly #digest: IdentifierDigest

  constructor(context: Context, providers: Pick<Providers, 'get'>, identifierDigest: IdentifierDigest) {
    this.#context = context
    this.#providers = providers
    this.#digest = identifierDigest
  }

  async sessions({ limit = DEFAULT_LIMIT, cursor, ...filter }: Static<typeof listSessions.query>, now: Date) {
    const asked = { limit: limit + 1, ...this.#searched(filter), ...beforePart(cursor) }
    return pageFrom(
      await listHubSessions(this.#context.store.db, asked, now),
      limit,
      sessionView(this.#context.secrets),
      idOf,
    )
  }

  /** Ends a session: deletes its tokens, then notifies the provider. */
  async end(id: string, actor: EventActor, now: Date): Promise<void> {
    const session = await sessionById(this.#context.store.db, id)
    if (!session || isOver(session, now) || !(await this.#end(session, actor, now))) throw refuse('SESSION_NOT_FOUND')
    if (session.sealed_grant !== null) await revoke(this.#context, this.#providers.get(session.provider_id), session)
  }

  async uses({ limit = DEFAULT_LIMIT, cursor, ...filter }: Static<typeof listUses.query>) {
    const asked = { limit: limit + 1, ...this.#searched(filter), ...beforePart(cursor) }
    return pageFrom(await listSessionUses(this.#context.store.db, asked), limit, useView(this.#context.secrets), idOf)
  }

  /** Times as such, and instead of a CPF or CNPJ the digest that its rows have; part of one finds nothing. */
  #searched<Filter extends Searched>({ identifier, from, to, ...filter }: Filter) {
    return {
      ...filter,
      ...(identifier !== undefined && { identifierDigest: this.#digest(identifier) }),
      ...(from !== undefined && { from: new Date(from) }),
      ...(to !== undefined && { to: new Date(to) }),
    }
  }

  #end(session: KnownSession, actor: EventActor, now: Date): Promise<boolean> {
    const { store, events } = this.#context
    const nothing = { state_hash: null, sealed_step: null, sealed_grant: null }
    const set = { ...nothing, ended_at: now.toISOString(), reason: 'ended-by-administrator' }
    return store.transaction(async (tx) => {
      if (!(await moveSession(tx, session.id, 'end', set))) return false
      await recordUse(tx, { session, action: 'end', outcome: 'ok' }, now)
      await events.record(tx, act('SessionEnded', actor, ['session', session.id], {}))
      return true
    })
  }
}

type Searched = Pick<Static<typeof listUses.query>, 'identifier' | 'from' | 'to'>

const beforePart = (cursor: string | undefined): { readonly before?: string } =>
  cursor === undefined ? {} : { before: readCursor(cursor, 1)[0]! }

const idOf = ({ id }: { readonly id: string }): readonly string[] => [id]

const sessionView = (secrets: Secrets) => (row: ListedSession) => ({
  id: row.id,
  provider: { id: row.provider_id, name: row.provider ?? '' },
  application: { id: row.application_id, name: row.application ?? '' },
  type: row.type,
  state: row.shown,
  reason: row.reason,
  identifierType: row.identifier_type,
  identifier: maskedHolder(secrets, row),
  createdAt: row.created_at,
  authorizedAt: row.authorized_at,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
})

interface HolderColumns {
  readonly creation_id: string | null
  readonly identifier_type: IdentifierType | null
  readonly sealed_identifier: string | null
}

/** One that cannot be opened, because its key is lost, is hidden as a whole: the list must stay readable. */
function maskedHolder(secrets: Secrets, row: HolderColumns): string | null {
  const { creation_id: id, sealed_identifier } = row
  if (row.identifier_type === null || id === null) return null
  try {
    const identifier = openedIdentifier(secrets, { id, sealed_identifier })
    return identifier === null ? null : maskedIdentifier(row.identifier_type, identifier)
  } catch (error) {
    if (!(error instanceof SecretProblem)) throw error
    return '***'
  }
}

const useView = (secrets: Secrets) => (row: ListedUse) => ({
  id: row.id,
  at: row.at,
  sessionId: row.session_id,
  provider: { id: row.provider_id, name: row.provider ?? '' },
  application: { id: row.application_id ?? '', name: row.application ?? '' },
  identifierType: row.identifier_type,
  identifier: maskedHolder(secrets, row),
  action: row.action,
  outcome: row.outcome,
  hashes: row.hashes,
  digestAlgorithm: row.digest_algorithm,
  alias: row.alias === null ? null : maskedAlias(row.alias),
  milliseconds: row.milliseconds,
  correlationId: row.correlation_id,
})
