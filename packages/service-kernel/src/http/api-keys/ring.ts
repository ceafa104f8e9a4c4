import { type Clock, MINUTE, SECOND, systemClock } from '../../clock/index.ts'
import { CoalescedRun } from '../../concurrency/index.ts'
import type { Store } from '../../store/index.ts'
import { KEY_CHANNEL, keyTables } from './manage.ts'
import { secretHash, secretPart } from './secret.ts'
import type { ApiKeyTables } from './tables.ts'

/** The client application that called, and the key it used. */
export interface ApiKeyCaller {
  readonly applicationId: string
  readonly application: string
  readonly keyId: string
}

/** The valid keys. A lookup costs one hash and no I/O, whatever was presented. */
export interface ApiKeyRing {
  /** The caller of a presented key; undefined for a missing, unknown, revoked, expired or disabled one. */
  find(presented: string | undefined): ApiKeyCaller | undefined
}

/** A ring that follows the changes of a store. */
export interface StoredApiKeyRing extends ApiKeyRing {
  /** Reads the keys again now, and writes when keys were last used. */
  refresh(): Promise<void>
  /** Stops following the store, after writing when keys were last used. */
  close(): Promise<void>
}

interface Entry {
  readonly caller: ApiKeyCaller
  /** Milliseconds since 1970; 0 for a revoked key or a disabled application. */
  readonly usableUntil: number
}

// Hashed when no key was presented, and the entry of an unknown key: every refusal does the work of an admission.
const NO_KEY = 'no key was presented'
const NOBODY: Entry = { caller: { applicationId: '', application: '', keyId: '' }, usableUntil: 0 }

function findIn(keys: ReadonlyMap<string, Entry>, presented: string | undefined, now: number): Entry | undefined {
  // The lookup compares digests, which an attacker cannot steer towards a stored one; it need not take constant time.
  const entry = keys.get(secretHash(secretPart(presented ?? NO_KEY))) ?? NOBODY
  return now < entry.usableUntil ? entry : undefined
}

export interface ApiKeyRingOptions {
  /** Default: the machine's time. */
  readonly clock?: Clock
  /** Longest delay in seconds until another process's change is noticed. Default 5. */
  readonly refreshSeconds?: number
  /** Called when the store cannot be read; the known keys stay valid. */
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
  // A notification that arrives while the keys are read may be too late for that read.
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

/** A ring of keys from the configuration, as `name` → key. */
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

/** Collects when keys were used and writes it outside of the requests, at most once a minute per key. */
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
