// Providers in the console: the registry's rows, with their condition in this process.

import type { AnswerOf, BodyOf } from '@chancela/admin-console/contract'
import type { EventActor } from '@chancela/service-kernel/events'
import type {
  createProvider,
  listPresets,
  listProviders,
  registerAtProvider,
  updateProvider,
} from '../../contract/console-providers.ts'
import type { ProviderCondition } from '../../rules/notice-conditions.ts'
import { describeKnobs } from '../../upstream/knobs.ts'
import type { OpenProviders } from '../../upstream/open-providers.ts'
import { type Preset, presets } from '../../upstream/presets.ts'
import type { ProviderRegistry, ProviderView } from '../../upstream/provider-registry.ts'
import type { ProviderFailure } from '../../upstream/watched-adapter.ts'

type ShownProvider = AnswerOf<typeof listProviders>[number]

type ShownCondition = Pick<ShownProvider, 'available' | 'lastFailure'>

export class ProviderAdmin {
  readonly #registry: ProviderRegistry
  readonly #open: OpenProviders

  constructor(registry: ProviderRegistry, open: OpenProviders) {
    this.#registry = registry
    this.#open = open
  }

  async list(): Promise<readonly ShownProvider[]> {
    return (await this.#registry.list()).map((view) => this.#shown(view))
  }

  conditions(): readonly ProviderCondition[] {
    return this.#open.conditions()
  }

  create(body: BodyOf<typeof createProvider>, actor: EventActor): Promise<ShownProvider> {
    return this.#changed(this.#registry.create(body, actor))
  }

  update(id: string, body: BodyOf<typeof updateProvider>, actor: EventActor): Promise<ShownProvider> {
    return this.#changed(this.#registry.update(id, body, actor))
  }

  switch(id: string, enabled: boolean, actor: EventActor): Promise<ShownProvider> {
    return this.#changed(this.#registry.setEnabled(id, enabled, actor))
  }

  register(id: string, body: BodyOf<typeof registerAtProvider>, actor: EventActor): Promise<ShownProvider> {
    return this.#changed(this.#registry.register(id, body, actor))
  }

  async reorder(ids: readonly string[], actor: EventActor): Promise<readonly ShownProvider[]> {
    const views = await this.#registry.reorder(ids, actor)
    await this.#open.refresh()
    return views.map((view) => this.#shown(view))
  }

  async remove(id: string, actor: EventActor): Promise<void> {
    await this.#registry.remove(id, actor)
    await this.#open.refresh()
  }

  async test(id: string, signal: AbortSignal) {
    return { checks: await this.#registry.test(id, signal) }
  }

  /** The hub uses the change from the next call on. */
  async #changed(change: Promise<ProviderView>): Promise<ShownProvider> {
    const view = await change
    await this.#open.refresh()
    return this.#shown(view)
  }

  #shown({ knobs, ...view }: ProviderView): ShownProvider {
    return { ...view, knobs: knobs as ShownProvider['knobs'], ...conditionOf(this.#open, view.id) }
  }
}

/** Condition of a provider in this process; one that could not be opened is not available. */
function conditionOf(open: OpenProviders, id: string): ShownCondition {
  const failure = open.lastFailure(id)
  return {
    available: open.get(id)?.available ?? false,
    lastFailure: failure ? shownFailure(failure) : null,
  }
}

const shownFailure = ({ at, operation, kind: problem, findings, text }: ProviderFailure) => ({
  at: at.toISOString(),
  operation,
  problem,
  findings: [...findings],
  text,
})

/** The presets, and all knobs. */
export const presetsView = (): AnswerOf<typeof listPresets> => ({
  presets: Object.entries<Preset>(presets).map(([name, preset]) => ({
    name,
    title: preset.company === preset.serviceName ? name : `${preset.serviceName} (${preset.company})`,
    protocol: preset.protocol,
    serviceName: preset.serviceName,
    provider: preset.company,
    endpoint: preset.endpoint ?? '',
    testEndpoint: preset.stagingEndpoint ?? null,
    knobs: preset.knobs as ShownProvider['knobs'],
  })),
  knobs: describeKnobs() as AnswerOf<typeof listPresets>['knobs'],
})
