import { type AdministratorOperator, administratorOperator, type OperatorContext } from '@chancela/admin-console'
import {
  type ProviderOperator,
  providerOperator,
  type RedirectUriOperator,
  redirectUriOperator,
} from '@chancela/cloud-hub/operator'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { openMasterKeys } from '@chancela/service-kernel/secrets'
import { migrate } from '@chancela/service-kernel/store'
import { type VaultOperator, vaultOperator } from '@chancela/session-server/operator'
import { type CommandContext, type CommonOptions, chooseServices } from './command-context.ts'
import { masterKeysOf, withStore } from './with-store.ts'

/** What an operator manages through the database, without the service's API. */
interface Operators {
  readonly administrators: AdministratorOperator
  readonly vault: VaultOperator
  readonly providers: ProviderOperator
  readonly redirectUris: RedirectUriOperator
}

type Opener<Name extends keyof Operators> = (context: OperatorContext) => Operators[Name]

/** The services that support each of them. */
const openers: { readonly [Name in keyof Operators]: Readonly<Record<string, Opener<Name>>> } = {
  administrators: {
    'session-server': (context) => administratorOperator(context),
    'cloud-hub': (context) => administratorOperator(context),
    'credential-platform': (context) => administratorOperator(context, { hasRoles: false }),
    'pki-core': (context) => administratorOperator(context),
  },
  vault: { 'session-server': vaultOperator },
  providers: { 'cloud-hub': providerOperator },
  redirectUris: { 'cloud-hub': redirectUriOperator },
}

const without: Readonly<Record<keyof Operators, (service: string) => string>> = {
  administrators: (service) => `${service} has no administrators of its own.`,
  vault: (service) => `${service} has no vault.`,
  providers: (service) => `${service} has no providers.`,
  redirectUris: (service) => `Keys of ${service} have no redirect URIs.`,
}

/** Opens the database of a service, which may be stopped, and passes an operator to `work`. */
export async function withOperator<Name extends keyof Operators>(
  context: CommandContext,
  { service: name, what }: { readonly service: string; readonly what: Name },
  options: CommonOptions,
  work: (operator: Operators[Name]) => Promise<void>,
): Promise<void> {
  const [service] = chooseServices(context.services, [name])
  const open = openers[what][service?.name ?? '']
  if (!service?.migrations || !open) throw new StartupProblem(without[what](name))
  await withStore<unknown, void>(context, service, options, async (opened) => {
    const { store, settings } = opened
    await migrate(store, service.migrations, context.clock)
    const { secrets } = await openMasterKeys(store, masterKeysOf(service, opened))
    await work(open({ store, settings, secrets, clock: context.clock }))
  })
}

/** The same on a database that is open already. */
export function redirectUrisOf<Tables>(
  services: CommandContext['services'],
  name: string,
  context: Pick<OperatorContext<Tables>, 'store' | 'clock'>,
): RedirectUriOperator {
  const [service] = chooseServices(services, [name])
  if (!openers.redirectUris[service?.name ?? '']) throw new StartupProblem(without.redirectUris(name))
  return redirectUriOperator(context)
}
