// Client applications and their keys: the kernel's key tables hold them, the console records who changed what.

import { invalidField, Refusal } from '@chancela/service-kernel/errors'
import type { EventActor, EventLog, NewEvent } from '@chancela/service-kernel/events'
import {
  type ApiKey,
  type ApiKeyTables,
  createApplication as createClient,
  createKey as createClientKey,
  disableApplication,
  enableApplication,
  listApplications as listClients,
  listKeys,
  revokeKey as revokeClientKey,
  type StoredApiKeyRing,
} from '@chancela/service-kernel/http'
import { type Db, joinedStore, type Store } from '@chancela/service-kernel/store'
import { act } from './audit.ts'
import type { CommonConsoleErrorCode } from './contract/index.ts'
import { refuse } from './refuse.ts'

interface NewKey {
  readonly description: string
  readonly expiresAt?: string | null
}

/** The console's code for each refusal of the kernel. */
const codes: Readonly<Record<string, CommonConsoleErrorCode>> = {
  'application.name-invalid': 'APPLICATION_NAME_INVALID',
  'application.name-taken': 'APPLICATION_NAME_TAKEN',
  'application.not-found': 'APPLICATION_NOT_FOUND',
  'api-key.not-found': 'API_KEY_NOT_FOUND',
}

interface AdminContext<Tables extends ApiKeyTables> {
  readonly store: Store<Tables>
  readonly events: EventLog
}

export class ApplicationAdmin<Tables extends ApiKeyTables> {
  readonly #context: AdminContext<Tables>
  readonly #ring: StoredApiKeyRing

  constructor(context: AdminContext<Tables>, ring: StoredApiKeyRing) {
    this.#context = context
    this.#ring = ring
  }

  async list() {
    const { store } = this.#context
    const keys = await listKeys(store)
    const keysOf = (id: string) => keys.filter(({ application_id }) => application_id === id)
    return (await listClients(store)).map((client) => applicationView(client, keysOf(client.id)))
  }

  async create(name: string, actor: EventActor, now: Date) {
    const client = await this.#change(async (store) => {
      const made = await createClient(store, name, now)
      const changes = { before: {}, after: { name: made.name } }
      return [made, act('ApplicationCreated', actor, ['application', made.id], { name: made.name }, changes)]
    })
    return applicationView(client, [])
  }

  async switch(id: string, disabled: boolean, actor: EventActor, now: Date) {
    await this.#change(async (store) => {
      await (disabled ? disableApplication(store, id, now) : enableApplication(store, id))
      const type = disabled ? 'ApplicationDisabled' : 'ApplicationEnabled'
      const facts = { name: await nameOf(store, id) }
      const changes = { before: { disabled: !disabled }, after: { disabled } }
      return [undefined, act(type, actor, ['application', id], facts, changes)]
    })
    return (await this.list()).find((application) => application.id === id)!
  }

  /** `key` cannot be shown again; it works with the next call. `besides` runs in the same transaction. */
  async createKey(
    applicationId: string,
    { description, expiresAt }: NewKey,
    actor: EventActor,
    now: Date,
    besides?: (db: Db<Tables>, keyId: string) => Promise<void>,
  ) {
    if (description.trim() === '') throw invalidField('description', 'is required')
    const end = expiresAt ? new Date(expiresAt) : undefined
    if (end && !(end > now)) throw invalidField('expiresAt', 'must be a time to come')
    return this.#change(async (store) => {
      const made = await createClientKey(store, { applicationId, description, ...(end && { expiresAt: end }) }, now)
      await besides?.(store.db, made.id)
      const facts = { application: await nameOf(store, applicationId), description: description.trim() }
      const after = { applicationId, description: description.trim(), expiresAt: end ?? null }
      return [made, act('ApiKeyCreated', actor, ['api-key', made.id], facts, { before: {}, after })]
    })
  }

  async revokeKey(id: string, actor: EventActor, now: Date): Promise<void> {
    await this.#change(async (store) => {
      if (!(await revokeClientKey(store, id, now))) return [undefined]
      const { application, description } = (await listKeys(store)).find((key) => key.id === id)!
      const changes = { before: { revokedAt: null }, after: { revokedAt: now.toISOString() } }
      return [undefined, act('ApiKeyRevoked', actor, ['api-key', id], { application, description }, changes)]
    })
  }

  /** Makes a change and records its event, if it was one, in one transaction; this instance applies it at once. */
  async #change<T>(work: (store: Store<Tables>) => Promise<readonly [T, NewEvent?]>): Promise<T> {
    const { store, events } = this.#context
    try {
      const made = await store.transaction(async (tx) => {
        const [result, event] = await work(joinedStore(store, tx))
        if (event) await events.record(tx, event)
        return result
      })
      await this.#ring.refresh()
      return made
    } catch (error) {
      throw translated(error)
    }
  }
}

function translated(error: unknown): unknown {
  const code = error instanceof Refusal ? codes[error.code] : undefined
  return code ? refuse(code, (error as Refusal).details, error) : error
}

const nameOf = async <Tables extends ApiKeyTables>(store: Store<Tables>, id: string): Promise<string> =>
  (await listClients(store)).find((client) => client.id === id)!.name

type Client = Awaited<ReturnType<typeof listClients>>[number]

const applicationView = ({ id, name, created_at, disabled_at }: Client, keys: readonly ApiKey[]) => ({
  id,
  name,
  createdAt: created_at,
  disabled: disabled_at !== null,
  keys: keys.map((key) => ({
    id: key.id,
    description: key.description,
    createdAt: key.created_at,
    expiresAt: key.expires_at,
    revokedAt: key.revoked_at,
    lastUsedAt: key.last_used_at,
  })),
})
