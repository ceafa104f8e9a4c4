// Administers the redirect URIs of keys, for the console and for operators on the machine.
import type { EventActor, EventLog } from '@chancela/service-kernel/events'
import type { Db, Store } from '@chancela/service-kernel/store'
import { listRedirectUris, registerRedirectUri, unregisterRedirectUri } from '../../actions/redirect-uris.ts'
import { refuseAtConsole as refuse } from '../../rules/refuse.ts'
import type { RedirectUri } from '../../store/redirect-uris.ts'
import type { Tables } from '../../store/tables.ts'
import { act } from './audit.ts'

/** What the administration of redirect URIs needs. */
interface RedirectUriContext {
  readonly store: Store<Tables>
  readonly events: EventLog
}

export class RedirectUriAdmin {
  readonly #context: RedirectUriContext

  constructor(context: RedirectUriContext) {
    this.#context = context
  }

  /** Those of a key, or of all. */
  list(keyId?: string): Promise<readonly RedirectUri[]> {
    return listRedirectUris(this.#context.store.db, keyId)
  }

  add(keyId: string, uri: string, actor: EventActor, now: Date): Promise<RedirectUri> {
    return this.#context.store.transaction(async (tx) => {
      await requireKey(tx, keyId)
      return this.addIn(tx, keyId, uri, actor, now)
    })
  }

  /** The same in the transaction that creates the key. */
  async addIn(tx: Db<Tables>, keyId: string, text: string, actor: EventActor, now: Date): Promise<RedirectUri> {
    const uri = await registerRedirectUri(tx, keyId, text, now)
    if (uri === undefined) throw refuse('REDIRECT_URI_INVALID', { uri: text })
    const changes = { before: {}, after: { uri } }
    await this.#context.events.record(tx, act('RedirectUriAdded', actor, ['api-key', keyId], { uri }, changes))
    return (await listRedirectUris(tx, keyId)).find((one) => one.uri === uri)!
  }

  remove(keyId: string, text: string, actor: EventActor): Promise<void> {
    return this.#context.store.transaction(async (tx) => {
      await requireKey(tx, keyId)
      const uri = await unregisterRedirectUri(tx, keyId, text)
      if (uri === undefined) throw refuse('REDIRECT_URI_NOT_FOUND', { uri: text })
      const changes = { before: { uri }, after: {} }
      await this.#context.events.record(tx, act('RedirectUriRemoved', actor, ['api-key', keyId], { uri }, changes))
    })
  }
}

async function requireKey(db: Db<Tables>, id: string): Promise<void> {
  const key = await db.selectFrom('api_key').select('id').where('id', '=', id).executeTakeFirst()
  if (!key) throw refuse('API_KEY_NOT_FOUND', { id })
}
