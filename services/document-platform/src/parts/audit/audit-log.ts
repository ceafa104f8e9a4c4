import { randomBytes } from 'node:crypto'
import { redact } from '@chancela/service-kernel/events'
import { instanceSecret } from '@chancela/service-kernel/secrets'
import type { ServiceContext } from '@chancela/service-kernel/service'
import type { Transaction } from 'kysely'
import type { AuditKind, auditActors } from '../../contract/audit.ts'
import { type AuditContent, auditHash } from '../../rules/audit-chain.ts'
import { SYSTEM_ORGANIZATION } from '../../rules/system-organization.ts'
import type { DocumentPlatformSettings } from '../../settings.ts'
import { appendEntry } from '../../store/audit-entries.ts'
import { membershipsOf } from '../../store/member-reads.ts'
import type { AccountRow, Tables } from '../../store/tables.ts'

type Tx = Transaction<Tables>

/** Who did something, and from where. A caller is one. */
export interface Actor {
  readonly type: (typeof auditActors)[number]
  readonly id: string | null
  readonly name: string | null
  readonly ip: string
}

/** Somebody who is not known, at an address. */
export const anonymous = (ip: string): Actor => ({ type: 'Anonymous', id: null, name: null, ip })

export interface AuditRecord {
  readonly kind: AuditKind
  readonly organizationId: string
  readonly actor: Actor
  readonly subject?: { readonly kind: string; readonly id: string; readonly name: string | null }
  /** Only what changed, and never a secret: values under names of secrets are not kept. */
  readonly before?: object
  readonly after?: object
}

/** What happened to an account, which every organization it works for is told of. */
export interface AccountRecord {
  readonly kind: AuditKind
  /** The owner of the account, who is another user in each organization; or somebody else. */
  readonly actor: { readonly owner: true; readonly ip: string } | Actor
  readonly before?: object
  readonly after?: object
}

/** The audit of the administration: entries are written with the change they tell of, or not at all. */
export class AuditLog {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  /** The key that seals entries; verifying needs it, too. */
  get key(): Buffer {
    return this.#key
  }

  /** To be called last in a transaction: the chain of the organization is locked until its end. */
  async record(tx: Tx, record: AuditRecord, now: Date): Promise<void> {
    await appendEntry(tx, contentOf(record, now), (previous, content) => auditHash(this.#key, previous, content))
  }

  /**
   * Tells every organization of an account what happened to it, in one order, so that no two transactions wait for one
   * another. One that belongs to none is the instance's own affair.
   */
  async recordAccount(tx: Tx, account: AccountRow, { kind, actor, ...more }: AccountRecord, now: Date): Promise<void> {
    const memberships = await membershipsOf(tx, account.id)
    const users = memberships.map(({ id, contact_id, contact_name }) => ({
      organizationId: id,
      user: { id: contact_id, name: contact_name },
    }))
    const nobody = { organizationId: SYSTEM_ORGANIZATION, user: { id: account.id, name: account.name } }
    const told = users.length > 0 ? users.sort((a, b) => (a.organizationId < b.organizationId ? -1 : 1)) : [nobody]
    for (const { organizationId, user } of told) {
      const by: Actor = 'owner' in actor ? { type: 'User', ...user, ip: actor.ip } : actor
      await this.record(tx, { kind, organizationId, actor: by, subject: { kind: 'user', ...user }, ...more }, now)
    }
  }
}

// PostgreSQL's text cannot hold the character U+0000; one in a name must not lose the entry.
const storable = (text: string): string => text.replaceAll('\u0000', '\uFFFD')

const orNull = (text: string | null | undefined): string | null => (text == null ? null : storable(text))

const jsonOf = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(redact(value)).replaceAll('\\u0000', '\\uFFFD')

const contentOf = (
  { kind, organizationId, actor, subject, before, after }: AuditRecord,
  now: Date,
): Omit<AuditContent, 'number'> => ({
  organization_id: organizationId,
  at: now.toISOString(),
  kind,
  actor_type: actor.type,
  actor_id: actor.id,
  actor_name: orNull(actor.name),
  ip: storable(actor.ip),
  subject_kind: subject?.kind ?? null,
  subject_id: orNull(subject?.id),
  subject_name: orNull(subject?.name),
  before: jsonOf(before),
  after: jsonOf(after),
})

/** Opens the audit; its key is the instance's own secret. */
export async function openAudit(context: ServiceContext<DocumentPlatformSettings, Tables>): Promise<AuditLog> {
  const made = () => Promise.resolve(randomBytes(32).toString('base64'))
  const owned = { service: 'document-platform', store: context.store, secrets: context.secrets }
  return new AuditLog(Buffer.from(await instanceSecret(owned, 'audit-key', made), 'base64'))
}
