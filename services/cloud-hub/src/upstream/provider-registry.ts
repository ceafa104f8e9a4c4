// Administers the providers, for the console and for operators on the machine.
import { SECOND } from '@chancela/service-kernel/clock'
import { changesOf, type EventActor, type EventChanges } from '@chancela/service-kernel/events'
import { isUniqueViolation, newRowId } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Context } from '../context.ts'
import type { OwnEventType } from '../contract/console-events.ts'
import { act } from '../parts/console/audit.ts'
import {
  allProviders,
  deleteProvider,
  findProvider,
  hasLiveSessions,
  insertProvider,
  nextPosition,
  PROVIDER_CHANNEL,
  replaceProvider,
} from '../store/providers.ts'
import type { ProviderRow, Tables } from '../store/tables.ts'
import { callbackUri } from './addresses.ts'
import type { ConnectionCheck } from './connection-check.ts'
import { knobsOfRow, openAdapter, openExchangeFor } from './open-adapter.ts'
import { checkedRow, type ProviderFields, refuseProvider, requirePreset } from './provider-fields.ts'
import { ProviderProblem } from './provider-problem.ts'
import { openProviderSecrets, type ProviderSecrets, sealProviderSecrets } from './provider-secrets.ts'
import { type ApplicationForm, registerApplication } from './psc/register-application.ts'

export type RegistryContext = Pick<Context, 'settings' | 'store' | 'secrets' | 'events' | 'clock'>

/** A provider as it is shown: without its secrets. */
export interface ProviderView {
  readonly id: string
  readonly serviceName: string
  readonly provider: string
  readonly protocol: ProviderRow['protocol']
  readonly preset: string
  readonly endpoint: string
  readonly badgeUrl: string | null
  readonly clientId: string
  /** What it is reached through, without the password. */
  readonly proxy: string | null
  /** The redirect URI of the hub, to be registered at the provider. */
  readonly callbackUri: string
  /** What differs from the preset. */
  readonly knobs: NonNullable<ProviderFields['knobs']>
  readonly enabled: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

/** A new provider; absent fields come from its preset. */
export interface NewProvider extends ProviderFields {
  readonly preset: string
  readonly enabled?: boolean
}

type Tx = Transaction<Tables>

/** Events of one provider. */
type ProviderEvent = Exclude<Extract<OwnEventType, `Provider${string}`>, 'ProvidersReordered'>

export class ProviderRegistry {
  readonly #context: RegistryContext

  constructor(context: RegistryContext) {
    this.#context = context
  }

  async list(): Promise<readonly ProviderView[]> {
    return (await allProviders(this.#context.store.db)).map((row) => this.#view(row))
  }

  async find(id: string): Promise<ProviderView> {
    return this.#view(await this.#required(id))
  }

  /** Adds a provider at the end of the list. */
  async create({ preset: name, enabled = true, ...fields }: NewProvider, actor: EventActor): Promise<ProviderView> {
    const { protocol, serviceName, company, endpoint = '' } = requirePreset(name)
    const now = this.#context.clock()
    const id = newRowId(now)
    const secrets: ProviderSecrets = { clientSecret: '' }
    const blank: ProviderRow = {
      id,
      service_name: serviceName,
      name_key: '',
      provider: company,
      protocol,
      preset: name,
      endpoint,
      badge_url: null,
      client_id: '',
      proxy_url: null,
      sealed_secret: '',
      knobs: '{}',
      position: 0,
      enabled: enabled ? 1 : 0,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    }
    const row = this.#changed(blank, secrets, fields)
    return this.#save(actor, ['ProviderCreated', row], async (tx) => {
      await insertProvider(tx, { ...row, position: await nextPosition(tx) })
    })
  }

  /** Changes the given fields; a secret that is not given stays. */
  async update(id: string, fields: ProviderFields, actor: EventActor): Promise<ProviderView> {
    const former = await this.#required(id)
    const row = this.#changed(former, openProviderSecrets(this.#context.secrets, former), fields)
    return this.#save(actor, ['ProviderChanged', row, former], (tx) => replaceProvider(tx, row))
  }

  /** Excludes a provider from everything new, or includes it again; sessions it granted continue. */
  async setEnabled(id: string, enabled: boolean, actor: EventActor): Promise<ProviderView> {
    const former = await this.#required(id)
    const row = { ...former, enabled: enabled ? 1 : 0, updated_at: this.#context.clock().toISOString() }
    const type = enabled ? 'ProviderEnabled' : 'ProviderDisabled'
    return this.#save(actor, [type, row, former], (tx) => replaceProvider(tx, row))
  }

  /** Sets the order of the providers; those left out come last, in their former order. */
  async reorder(ids: readonly string[], actor: EventActor): Promise<readonly ProviderView[]> {
    const { store, events } = this.#context
    await store.transaction(async (tx) => {
      const rows = await allProviders(tx)
      const named = ids.map((id) => rows.find((row) => row.id === id) ?? missing(id))
      const order = new Set([...named, ...rows])
      for (const [at, row] of [...order].entries()) await replaceProvider(tx, { ...row, position: at + 1 })
      const changes = changesOf({ order: namesOf(rows) }, { order: namesOf([...order]) })
      await events.record(tx, act('ProvidersReordered', actor, undefined, {}, changes))
      await store.notify(tx, PROVIDER_CHANNEL)
    })
    return this.list()
  }

  /** Removes a provider. One with live sessions stays: its users would lose their authorizations. */
  async remove(id: string, actor: EventActor): Promise<void> {
    const row = await this.#required(id)
    await this.#save(actor, ['ProviderRemoved', row], async (tx) => {
      if (await hasLiveSessions(tx, id, this.#context.clock())) throw refuseProvider('PROVIDER_IN_USE', { id })
      await deleteProvider(tx, id)
    })
  }

  /** Checks what is possible without a holder, bypassing the breaker: an operator wants the current condition. */
  async test(id: string, signal?: AbortSignal): Promise<readonly ConnectionCheck[]> {
    const { adapter, exchange } = openAdapter(this.#context, await this.#required(id))
    try {
      return await adapter.test(signal)
    } finally {
      await exchange.close()
    }
  }

  /** Registers this hub at the provider and stores the credentials it returns. */
  async register(id: string, form: ApplicationForm, actor: EventActor): Promise<ProviderView> {
    const former = await this.#required(id)
    if (former.protocol !== 'psc') throw refuseProvider('PROVIDER_REGISTRATION_UNKNOWN', { id })
    const given = await this.#registered(former, form)
    const row = this.#changed(former, openProviderSecrets(this.#context.secrets, former), given)
    return this.#save(actor, ['ProviderRegistered', row, former], (tx) => replaceProvider(tx, row))
  }

  async #registered(
    row: ProviderRow,
    form: ApplicationForm,
  ): Promise<Pick<ProviderFields, 'clientId' | 'clientSecret'>> {
    const { settings, secrets } = this.#context
    const knobs = knobsOfRow<'psc'>(row)
    const exchange = openExchangeFor(this.#context, { row, knobs, secrets: openProviderSecrets(secrets, row) })
    const deadline = settings.Providers.TimeoutSeconds * SECOND
    try {
      return await registerApplication({ exchange, endpoint: row.endpoint, knobs, deadline }, form, [
        callbackUri(settings, row),
      ])
    } catch (error) {
      if (!(error instanceof ProviderProblem)) throw error
      const { kind, status, code, findings, account: reason } = error
      throw refuseProvider('PROVIDER_REGISTRATION_FAILED', { reason, findings, kind, status, code }, error)
    } finally {
      await exchange.close()
    }
  }

  /** The row with these fields, checked and sealed. */
  #changed(former: ProviderRow, secrets: ProviderSecrets, fields: ProviderFields): ProviderRow {
    const { settings, clock } = this.#context
    const { row, secrets: kept } = checkedRow(settings, former, secrets, fields)
    return {
      ...row,
      sealed_secret: sealProviderSecrets(this.#context.secrets, row.id, kept),
      updated_at: clock().toISOString(),
    }
  }

  async #save(
    actor: EventActor,
    [type, row, former]: readonly [type: ProviderEvent, row: ProviderRow, former?: ProviderRow],
    write: (tx: Tx) => Promise<void>,
  ): Promise<ProviderView> {
    const { store, events } = this.#context
    try {
      await store.transaction(async (tx) => {
        await write(tx)
        const changes = this.#changes(type, row, former)
        await events.record(tx, act(type, actor, ['provider', row.id], { provider: row.service_name }, changes))
        await store.notify(tx, PROVIDER_CHANNEL)
      })
    } catch (error) {
      const { service_name: serviceName } = row
      throw isUniqueViolation(error) ? refuseProvider('PROVIDER_NAME_TAKEN', { serviceName }, error) : error
    }
    return this.#view(row)
  }

  #changes(type: ProviderEvent, row: ProviderRow, former: ProviderRow | undefined): EventChanges | undefined {
    if (former) return changesOf(this.#audited(former), this.#audited(row))
    return type === 'ProviderRemoved'
      ? { before: this.#audited(row), after: {} }
      : { before: {}, after: this.#audited(row) }
  }

  /** What an audit may say of a provider. */
  #audited(row: ProviderRow): Readonly<Record<string, unknown>> {
    const { updatedAt: _, ...view } = this.#view(row)
    return view
  }

  async #required(id: string): Promise<ProviderRow> {
    return (await findProvider(this.#context.store.db, id)) ?? missing(id)
  }

  #view(row: ProviderRow): ProviderView {
    return {
      id: row.id,
      serviceName: row.service_name,
      provider: row.provider,
      protocol: row.protocol,
      preset: row.preset,
      endpoint: row.endpoint,
      badgeUrl: row.badge_url,
      clientId: row.client_id,
      proxy: row.proxy_url,
      callbackUri: callbackUri(this.#context.settings, row),
      knobs: JSON.parse(row.knobs) as ProviderView['knobs'],
      enabled: row.enabled === 1,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }
  }
}

const namesOf = (rows: readonly ProviderRow[]) => rows.map(({ service_name }) => service_name)

function missing(id: string): never {
  throw refuseProvider('PROVIDER_NOT_FOUND', { id })
}
