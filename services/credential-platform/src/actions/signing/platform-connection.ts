// Where an organization's people sign, if not here.
import type { AddressPolicy } from '@chancela/service-kernel/http-client'
import type { Db } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { ConnectionSettings, ConnectionTest, ConnectionView } from '../../contract/document-platform.ts'
import type { Platforms } from '../../parts/signing/platforms.ts'
import { platformWordsInBoth } from '../../rules/platform-words.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import { type Caller, requireOwn } from '../../rules/rights.ts'
import {
  deleteConnection,
  findConnection,
  platformKeyContext,
  writeConnection,
} from '../../store/platform-connections.ts'
import { hasLiveSending } from '../../store/platform-documents.ts'
import type { PlatformConnectionRow } from '../../store/platform-tables.ts'
import { lockSubscription } from '../../store/subscriptions.ts'
import type { Tables } from '../../store/tables.ts'
import { PlatformProblem } from '../../upstream/document-platform.ts'
import { gone, record, settingsChanges } from '../tenants/acting.ts'

export interface Dependencies {
  readonly context: Context
  readonly webhookPolicy: AddressPolicy
  readonly platforms: Platforms
}

const view = ({ publicUrl }: Context, row: PlatformConnectionRow | undefined): ConnectionView => ({
  enabled: row?.enabled === 1,
  url: row?.url ?? null,
  hasApiKey: row !== undefined,
  folderId: row?.folder_id ?? null,
  webhookUrl: `${publicUrl}/api/degrees/webhook`,
})

export const read = async ({ context }: Dependencies, caller: Caller, id: string): Promise<ConnectionView> =>
  view(context, await findConnection(context.store.db, requireOwn(caller, id)))

export function put(
  { context, webhookPolicy }: Dependencies,
  caller: Caller,
  id: string,
  { enabled, url: given, apiKey, folderId }: ConnectionSettings,
  now: Date,
): Promise<ConnectionView> {
  const subscription_id = requireOwn(caller, id)
  const url = soundUrl(webhookPolicy, given)
  return context.store.transaction(async (tx) => {
    // The row of the subscription is the lock: whoever configures second sees what the first one did.
    await lockSubscription(tx, subscription_id)
    const known = await findConnection(tx, subscription_id)
    if (known && known.url !== url) await requireUnused(tx, subscription_id)
    const row: PlatformConnectionRow = {
      subscription_id,
      enabled: Number(enabled),
      url,
      sealed_key: sealedKey(context, subscription_id, apiKey, known, url),
      folder_id: folderId ?? null,
      updated_at: now.toISOString(),
    }
    await writeConnection(tx, row)
    const changes = settingsChanges(known && told(known), told(row), apiKey ? ['apiKey'] : [])
    const act = {
      type: 'DocumentPlatformConnected',
      entity: entityOf(subscription_id),
      data: { enabled, url },
      changes,
    }
    await record(tx, caller, act, now)
    return view(context, row)
  })
}

/** What is there has to come back from where it is. */
async function requireUnused(tx: Db<Tables>, subscriptionId: string): Promise<void> {
  if (await hasLiveSending(tx, subscriptionId)) throw refuse('in-use')
}

const told = ({ enabled, url, folder_id }: PlatformConnectionRow) => ({
  enabled: enabled === 1,
  url,
  folderId: folder_id,
})

const entityOf = (id: string) => ({ type: 'Subscription', id })

function soundUrl(policy: AddressPolicy, given: string): string {
  const refusal = policy.refusesUrl(given)
  if (refusal !== undefined) throw refuse('address-refused', { fields: { url: [refusal] } })
  if (/[?#]/.test(given)) throw wrongData({ url: ['is a base URL: without a query or a fragment'] })
  return given.replace(/\/+$/, '')
}

/** What may stand in a header value. */
const HEADER_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** A key stays unless another is given; it is never sent to an address that it was not given for. */
function sealedKey(
  { secrets }: Context,
  subscriptionId: string,
  apiKey: string | null | undefined,
  known: PlatformConnectionRow | undefined,
  url: string,
): string {
  if (apiKey) {
    if (!HEADER_TEXT.test(apiKey)) throw wrongData({ apiKey: ['cannot stand in a header'] })
    return secrets.seal(apiKey, platformKeyContext(subscriptionId))
  }
  if (known?.url !== url) throw wrongData({ apiKey: ['is required with a new address'] })
  return known.sealed_key
}

export function remove({ context }: Dependencies, caller: Caller, id: string, now: Date): Promise<void> {
  const subscriptionId = requireOwn(caller, id)
  return context.store.transaction(async (tx) => {
    await lockSubscription(tx, subscriptionId)
    const former = await findConnection(tx, subscriptionId)
    if (!former) throw refuse('document-platform-not-found')
    await requireUnused(tx, subscriptionId)
    await deleteConnection(tx, subscriptionId)
    const changes = gone(told(former))
    await record(tx, caller, { type: 'DocumentPlatformDisconnected', entity: entityOf(subscriptionId), changes }, now)
  })
}

export async function test({ context, platforms }: Dependencies, caller: Caller, id: string): Promise<ConnectionTest> {
  const row = await findConnection(context.store.db, requireOwn(caller, id))
  if (!row) throw refuse('document-platform-not-found')
  try {
    await platforms.of(row).probe()
    return { works: true, problem: null, problemMessages: null }
  } catch (error) {
    if (error instanceof PlatformProblem) {
      const { message: problem } = error
      return { works: false, problem, problemMessages: platformWordsInBoth(problem) }
    }
    throw error
  }
}
