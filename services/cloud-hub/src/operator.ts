// Operations of an operator on the machine itself, on the service's store, whether it runs or not.
import { OPERATOR, type OperatorContext } from '@chancela/admin-console'
import { Refusal, StartupProblem } from '@chancela/service-kernel/errors'
import { createEventLog } from '@chancela/service-kernel/events'
import { storeOf } from '@chancela/service-kernel/store'
import { knobsFrom } from './parts/console/knob-texts.ts'
import { presetsView } from './parts/console/providers.ts'
import { RedirectUriAdmin } from './parts/console/redirect-uris.ts'
import type { CloudHubSettings } from './settings.ts'
import type { RedirectUri } from './store/redirect-uris.ts'
import type { Tables } from './store/tables.ts'
import type { ConnectionCheck } from './upstream/connection-check.ts'
import type { ProviderFields } from './upstream/provider-fields.ts'
import { ProviderRegistry, type ProviderView } from './upstream/provider-registry.ts'

/** An operator's fields of a provider; absent ones stay, or come from the preset. */
export interface WrittenProvider extends Omit<ProviderFields, 'knobs'> {
  /** `name=value` each; `name=` resets a knob to the preset. */
  readonly knobs?: readonly string[]
}

const hubStore = storeOf<Tables>()

type ShownPreset = ReturnType<typeof presetsView>['presets'][number]

/** The providers; each is given by its service name, in any case. */
export interface ProviderOperator {
  presets(): readonly ShownPreset[]
  list(): Promise<readonly ProviderView[]>
  add(preset: string, provider: WrittenProvider, enabled: boolean): Promise<ProviderView>
  update(name: string, provider: WrittenProvider): Promise<ProviderView>
  setEnabled(name: string, enabled: boolean): Promise<ProviderView>
  remove(name: string): Promise<void>
  test(name: string): Promise<readonly ConnectionCheck[]>
  register(name: string, form: Parameters<ProviderRegistry['register']>[1]): Promise<ProviderView>
}

/** Redirect URIs of keys. */
export interface RedirectUriOperator {
  list(keyId?: string): Promise<readonly RedirectUri[]>
  add(keyId: string, uri: string): Promise<RedirectUri>
  remove(keyId: string, uri: string): Promise<void>
}

export function providerOperator<Any>({ secrets, clock, ...context }: OperatorContext<Any>): ProviderOperator {
  const store = hubStore(context.store)
  const settings = context.settings as CloudHubSettings
  const registry = new ProviderRegistry({ store, settings, secrets, clock, events: createEventLog(store, clock) })
  const named = async (name: string): Promise<ProviderView> => {
    const found = (await registry.list()).find(({ serviceName }) => serviceName.toLowerCase() === name.toLowerCase())
    if (!found) throw new StartupProblem(`No provider is named ${name}.`)
    return found
  }
  const { presets } = presetsView()
  const protocolOf = (preset: string) => presets.find(({ name }) => name === preset)?.protocol ?? 'psc'
  return {
    presets: () => presets,
    list: () => registry.list(),
    add: (preset, { knobs = [], ...fields }, enabled) =>
      told(registry.create({ ...fields, preset, knobs: knobsFrom(protocolOf(preset), knobs), enabled }, OPERATOR)),
    async update(name, { knobs = [], ...fields }) {
      const { id, protocol, knobs: former } = await named(name)
      return told(registry.update(id, { ...fields, knobs: knobsFrom(protocol, knobs, former) }, OPERATOR))
    },
    setEnabled: async (name, enabled) => registry.setEnabled((await named(name)).id, enabled, OPERATOR),
    remove: async (name) => registry.remove((await named(name)).id, OPERATOR),
    test: async (name) => registry.test((await named(name)).id),
    register: async (name, form) => told(registry.register((await named(name)).id, form, OPERATOR)),
  }
}

export function redirectUriOperator<Any>({
  clock,
  ...context
}: Pick<OperatorContext<Any>, 'store' | 'clock'>): RedirectUriOperator {
  const store = hubStore(context.store)
  const admin = new RedirectUriAdmin({ store, events: createEventLog(store, clock) })
  return {
    list: (keyId) => admin.list(keyId),
    add: (keyId, uri) => admin.add(keyId, uri, OPERATOR, clock()),
    remove: (keyId, uri) => admin.remove(keyId, uri, OPERATOR),
  }
}

/** A command line shows one message: adds the details, which a page shows separately. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { reason, problems = [] } = (error instanceof Refusal ? (error.details ?? {}) : {}) as {
      readonly reason?: string
      readonly problems?: readonly string[]
    }
    const more = [...(reason === undefined ? [] : [reason]), ...problems]
    if (more.length === 0) throw error
    throw new StartupProblem([(error as Refusal).message, ...more].join('\n'), { cause: error })
  }
}
