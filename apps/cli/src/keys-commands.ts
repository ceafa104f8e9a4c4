import { StartupProblem } from '@chancela/service-kernel/errors'
import {
  type ApiKeyTables,
  createApplication,
  createKey,
  disableApplication,
  enableApplication,
  listApplications,
  listKeys,
  revokeKey,
} from '@chancela/service-kernel/http'
import type { ServiceDefinition } from '@chancela/service-kernel/service'
import { joinedStore, migrate, type Store } from '@chancela/service-kernel/store'
import { type CommandContext, type CommonOptions, chooseServices } from './command-context.ts'
import { redirectUrisOf } from './operators.ts'
import { textTable } from './text-table.ts'
import { withStore } from './with-store.ts'

type KeyStore = Store<ApiKeyTables>

/** `chancela keys list <service>` */
export const listKeysCommand = (context: CommandContext, service: string, options: CommonOptions) =>
  withKeys(context, service, options, async (store) => {
    const rows = (await listKeys(store)).map((key) => [
      key.id,
      key.application,
      key.description,
      key.created_at,
      key.expires_at ?? 'never',
      key.revoked_at ? 'revoked' : 'in force',
      key.last_used_at ?? 'never',
    ])
    context.print(textTable(['id', 'application', 'description', 'created', 'expires', 'state', 'last used'], rows))
  })

/** A key as the options describe it. */
export interface KeyOptions {
  readonly application: string
  readonly description: string
  readonly expires?: string
  readonly redirectUri?: readonly string[]
}

/** `chancela keys create <service> --application NAME`: the key is printed once and kept as a hash only. */
export const createKeyCommand = (context: CommandContext, service: string, options: CommonOptions & KeyOptions) =>
  withKeys(context, service, options, async (store) => {
    const now = context.clock()
    const expires = options.expires === undefined ? {} : { expiresAt: readTime(options.expires) }
    const form = keyFormOf(context, service)
    // One transaction: a key without its redirect URIs would have to be revoked again.
    const { id, key, application } = await store.transaction(async (tx) => {
      const joined = joinedStore(store, tx)
      const application = await applicationNamed(joined, options.application, now)
      const { description } = options
      const made = await createKey(joined, { applicationId: application.id, description, form, ...expires }, now)
      await addRedirectUris(context, service, { store: joined, keyId: made.id, uris: options.redirectUri ?? [] })
      return { ...made, application }
    })
    context.log(`Key ${id} of ${application.name}; it is shown only now:`)
    context.print(key)
  })

/** `chancela keys revoke <service> <id>` */
export const revokeKeyCommand = (context: CommandContext, service: string, id: string, options: CommonOptions) =>
  withKeys(context, service, options, async (store) => {
    await revokeKey(store, id, context.clock())
    context.print(`Key ${id} is revoked.`)
  })

/** `chancela keys disable|enable <service> <application>` */
export const switchApplicationCommand = (
  context: CommandContext,
  service: string,
  name: string,
  options: CommonOptions & { disabled: boolean },
) =>
  withKeys(context, service, options, async (store) => {
    const application = (await listApplications(store)).find((one) => one.name === name)
    if (!application) throw new StartupProblem(`${service} has no application named ${name}.`)
    if (options.disabled) await disableApplication(store, application.id, context.clock())
    else await enableApplication(store, application.id)
    context.print(`Application ${name} is ${options.disabled ? 'disabled: none of its keys is accepted' : 'enabled'}.`)
  })

async function withKeys(
  context: CommandContext,
  name: string,
  options: CommonOptions,
  work: (store: KeyStore) => Promise<void>,
): Promise<void> {
  const [service] = chooseServices(context.services, [name])
  if (!service?.migrations?.['api-keys']) throw new StartupProblem(withoutKeys(name, service))
  await withStore<ApiKeyTables, void>(context, service, options, async ({ store }) => {
    await migrate(store, service.migrations, context.clock)
    await work(store)
  })
}

function withoutKeys(name: string, service: ServiceDefinition | undefined): string {
  const setting = service?.surfaces.find((surface) => surface.apiKey?.setting)?.apiKey?.setting
  return setting ? `The key of ${name} is its setting ${setting}.` : `${name} takes no API keys.`
}

/** All keys of one client belong to one application, so an application of the same name is reused. */
async function applicationNamed(store: KeyStore, name: string, now: Date) {
  const known = (await listApplications(store)).find((application) => application.name === name)
  return known ?? createApplication(store, name, now, { byOperator: true })
}

interface KeyUris {
  readonly store: KeyStore
  readonly keyId: string
  readonly uris: readonly string[]
}

async function addRedirectUris(
  { services, clock }: CommandContext,
  service: string,
  { store, keyId, uris }: KeyUris,
): Promise<void> {
  if (uris.length === 0) return
  const operator = redirectUrisOf(services, service, { store, clock })
  for (const uri of uris) await operator.add(keyId, uri)
}

function readTime(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new StartupProblem(`--expires takes an ISO 8601 time such as 2027-01-31T00:00:00Z, not ${text}.`)
  return time
}

const keyFormOf = (context: CommandContext, name: string) =>
  chooseServices(context.services, [name])
    .flatMap((service) => service.surfaces.flatMap((surface) => surface.apiKey?.form ?? []))
    .at(0) ?? 'secret'
