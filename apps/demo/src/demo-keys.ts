import type { Clock } from '@chancela/service-kernel/clock'
import {
  type ApiKeyTables,
  createApplication,
  createKey,
  type KeyForm,
  listApplications,
  openApiKeyRing,
} from '@chancela/service-kernel/http'
import { contextOf, type RunningService } from '@chancela/service-kernel/service'
import type { Store } from '@chancela/service-kernel/store'

/** Services whose keys belong to somebody: the first one is the administration's. */
const tenanted: readonly string[] = ['credential-platform', 'document-platform', 'pki-core']

/** Services whose pages have people sign elsewhere, and what their keys there are called in `data/demo.json`. */
export const callerKeys = {
  'document-platform': 'platformKey',
  'credential-platform': 'credentialsKey',
  'pki-core': 'coreKey',
} as const

export type CallingService = keyof typeof callerKeys

export const isCalling = (name: string): name is CallingService => Object.hasOwn(callerKeys, name)

/** The demo's client application, or the administration. */
const applicationOf = (surface: string): string => (tenanted.includes(surface) ? 'administration' : 'demo')

/** A demo key for each surface that takes one: that of the earlier start while it still works, else a new one. */
export async function demoKeys(
  service: RunningService,
  former: (surface: string) => string | undefined,
  clock: Clock,
): Promise<Record<string, string>> {
  const keys: Record<string, string> = {}
  for (const { definition } of service.surfaces) {
    const { name, apiKey } = definition
    if (apiKey?.setting) keys[name] = settingAt(service.context.settings, apiKey.setting)
    if (!apiKey?.form) continue
    const { store } = contextOf<unknown, ApiKeyTables>(service)
    keys[name] = await demoKey(store, applicationOf(name), former(name), apiKey.form, clock())
  }
  return keys
}

const settingAt = (settings: unknown, key: string): string =>
  key.split(':').reduce((value, part) => (value as Record<string, unknown>)[part], settings) as string

/** The key of a client application: the known key while it still works, else a new one. */
export async function demoKey(
  store: Store<ApiKeyTables>,
  name: string,
  known: string | undefined,
  form: KeyForm,
  now: Date,
): Promise<string> {
  if (known !== undefined && (await keyIdOf(store, known, now)) !== undefined) return known
  const application =
    (await listApplications(store)).find((one) => one.name === name) ??
    (await createApplication(store, name, now, { byOperator: true }))
  const { key } = await createKey(store, { applicationId: application.id, description: 'npm start', form }, now)
  return key
}

/** The id of a key; undefined for a key that is not accepted. */
export async function keyIdOf(store: Store<ApiKeyTables>, key: string, now: Date): Promise<string | undefined> {
  const ring = await openApiKeyRing(store, { clock: () => now })
  try {
    return ring.find(key)?.keyId
  } finally {
    await ring.close()
  }
}
