import { type Clock, MINUTE, SECOND, systemClock } from '../../clock/index.ts'
import { CoalescedRun } from '../../concurrency/index.ts'
import type { Store } from '../../store/index.ts'
import { KEY_CHANNEL, keyTables } from './manage.ts'
import { secretHash, secretPart } from './secret.ts'
import type { ApiKeyTables } from './tables.ts'

/** The client application that called, and by which of its keys. */
export interface ApiKeyCaller {
  readonly applicationId: string
  readonly application: string
  readonly keyId: string
}

/** The keys in force. Asking it costs one hash and no input or output, whatever was presented. */
export interface ApiKeyRing {
  /** Whom a presented key belongs to; nothing for a missing, unknown, revoked, expired or shut-out one. */
  find(presented: string | undefined): ApiKeyCaller | undefined
}

/** A ring kept in step with a store. */
export interface StoredApiKeyRing extends ApiKeyRing {
  /** Reads the keys again now, and writes when keys were last used. */
  refresh(): Promise<void>
  /** Stops following the store, after writing when keys were last used. */
  close(): Promise<void>
}

interface Entry {
  readonly caller: ApiKeyCaller
  /** Milliseconds since 1970; 0 for a key that is revoked or whose application is disabled. */
  readonly usableUntil: number
}

// What is hashed when no key was presented, and what an unknown key finds: every refusal does the work of an admission.
const NO_KEY = 'no key was presented'
const NOBODY: Entry = { caller: { applicationId: '', application: '', keyId: '' }, usableUntil: 0 }

function findIn(keys: ReadonlyMap<string, Entry>, presented: string | undefined, now: number): Entry | undefined {
  // The lookup compares digests, which nobody can steer towards a stored one; it need not take constant time.
  const entry = keys.get(secretHash(secretPart(presented ?? NO_KEY))) ?? NOBODY
  return now < entry.usableUntil ? entry : undefined
}

export interface ApiKeyRingOptions {
  /** Default: the machine's time. */
  readonly clock?: Clock
  /** Seconds after which another process's change is noticed at the latest. Default 5. */
  readonly refreshSeconds?: number
  /** Told when the store cannot be read; the keys known before stay in force. */
  readonly onProblem?: (error: unknown) => void
}

/** Loads the keys of a store and follows their changes. */
export async function openApiKeyRing<Tables extends ApiKeyTables>(
  store: Store<Tables>,
  { clock = systemClock, refreshSeconds = 5, onProblem = () => {} }: ApiKeyRingOptions = {},
): Promise<StoredApiKeyRing> {
  const tables = keyTables(store)
  const uses = new LastUses()
  let keys = await loadKeys(tables)
  // A change that is told of while the keys are read may have come too late for that reading.
  const reading = new CoalescedRun(async () => {
    keys = await loadKeys(tables)
    await uses.write(tables)
  })
  const refresh = () => reading.request()
  const refreshQuietly = (): void => void refresh().catch(onProblem)
  const stopListening = store.listen(KEY_CHANNEL, refreshQuietly)
  const timer = setInterval(refreshQuietly, refreshSeconds * SECOND).unref()

  return {
    find(presented) {
      const now = clock()
      const entry = findIn(keys, presented, now.getTime())
      if (entry) uses.note(entry.caller.keyId, now)
      return entry?.caller
    },
    refresh,
    async close() {
      clearInterval(timer)
      stopListening()
      await refresh()
    },
  }
}

/** A ring of keys that stand in the configuration, as `name` → key. */
export function fixedApiKeys(keys: Readonly<Record<string, string>>): ApiKeyRing {
  const entries = new Map(
    Object.entries(keys).map(([name, key]) => [
      secretHash(secretPart(key)),
      { caller: { applicationId: name, application: name, keyId: name }, usableUntil: Number.POSITIVE_INFINITY },
    ]),
  )
  return { find: (presented) => findIn(entries, presented, 0)?.caller }
}

async function loadKeys(store: Store<ApiKeyTables>): Promise<ReadonlyMap<string, Entry>> {
  const rows = await store.db
    .selectFrom('api_key as k')
    .innerJoin('client_application as a', 'a.id', 'k.application_id')
    .select(['k.id', 'k.hash', 'k.expires_at', 'k.revoked_at', 'a.id as applicationId', 'a.name', 'a.disabled_at'])
    .execute()
  return new Map(
    rows.map((row) => [
      row.hash,
      {
        caller: { applicationId: row.applicationId, application: row.name, keyId: row.id },
        usableUntil: row.revoked_at || row.disabled_at ? 0 : endOf(row.expires_at),
      },
    ]),
  )
}

const endOf = (expiresAt: string | null): number =>
  expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)

/** Collects when keys were used and writes it apart from the requests, at most once a minute per key. */
class LastUses {
  readonly #written = new Map<string, number>()
  readonly #pending = new Map<string, Date>()

  note(keyId: string, now: Date): void {
    if (now.getTime() - (this.#written.get(keyId) ?? Number.NEGATIVE_INFINITY) < MINUTE) return
    this.#written.set(keyId, now.getTime())
    this.#pending.set(keyId, now)
  }

  async write(store: Store<ApiKeyTables>): Promise<void> {
    for (const [keyId, at] of [...this.#pending]) {
      await store.db.updateTable('api_key').set({ last_used_at: at.toISOString() }).where('id', '=', keyId).execute()
      if (this.#pending.get(keyId) === at) this.#pending.delete(keyId)
    }
  }
}
