// Courses, flows and templates: set up by an organization, for one of its institutions or for all.
import { changesOf, type EventChanges } from '@chancela/service-kernel/events'
import { type Db, newRowId } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { askedOf, pageOf } from '../../rules/paging.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf, soundName } from '../../rules/texts.ts'
import { findOwned, insertOwned, listOwned, type OwnedTable, updateOwned } from '../../store/owned-rows.ts'
import { lockSubscription } from '../../store/subscriptions.ts'
import type { Tables } from '../../store/tables.ts'
import type { TenantTables } from '../../store/tenant-tables.ts'
import { once } from '../once.ts'
import { gone, made, record } from './acting.ts'
import { requiredInstitute } from './institutes.ts'

type SetupTable = Exclude<OwnedTable, 'institute'>

/** What every one of them has, in requests and in answers. */
interface Named {
  readonly name: string
  readonly instituteId?: string | null
}

interface Common {
  readonly id: string
  readonly subscriptionId: string
  readonly name: string
  readonly creationDate: string
  readonly updateDate: string
}

type OwnColumns<Table extends SetupTable> = Omit<
  TenantTables[Table],
  'id' | 'subscription_id' | 'institute_id' | 'name' | 'created_at' | 'updated_at' | 'deleted_at'
>

/** How one kind differs from the others. */
export interface SetupKind<Table extends SetupTable, Fields extends Named, View> {
  readonly table: Table
  /** As events name it. */
  readonly entity: string
  readonly absent: ErrorCode
  /** Its own columns; refuses what cannot be. */
  columns(fields: Fields): OwnColumns<Table>
  view(row: TenantTables[Table], common: Common): View
  /** Its own fields, as events tell of what was and what is. */
  told(row: TenantTables[Table]): EventChanges['after']
}

/** What happened to one. */
interface Told<Table extends SetupTable> {
  readonly what: 'Created' | 'Changed' | 'Deleted'
  readonly row: TenantTables[Table]
  readonly changes: EventChanges | undefined
}

interface Query {
  readonly q?: string
  readonly page?: number
  readonly pageSize?: number
  readonly instituteId?: string
}

export class Setup<Table extends SetupTable, Fields extends Named, View> {
  readonly #context: Context
  readonly #kind: SetupKind<Table, Fields, View>

  constructor(context: Context, kind: SetupKind<Table, Fields, View>) {
    this.#context = context
    this.#kind = kind
  }

  async list({ subscriptionId }: Caller, query: Query) {
    const asked = askedOf(query)
    const instituteId = query.instituteId === undefined ? undefined : idOf(query.instituteId)
    const found = await listOwned(this.#context.store.db, this.#kind.table, { ...asked, subscriptionId, instituteId })
    return pageOf(
      asked,
      found.items.map((row) => this.#view(row)),
      found.total,
    )
  }

  async read(caller: Caller, id: string): Promise<View> {
    return this.#view(await this.#required(this.#context.store.db, caller, id))
  }

  create(caller: Caller, fields: Fields, key: string | undefined, now: Date): Promise<View> {
    const { table, entity } = this.#kind
    const own = this.#kind.columns(fields)
    const asked = { caller, operation: `create${entity}`, key, request: fields }
    const write = async (tx: Db<Tables>): Promise<View> => {
      const at = now.toISOString()
      const row = {
        id: newRowId(now),
        subscription_id: caller.subscriptionId,
        ...(await this.#shared(tx, caller, fields)),
        ...own,
        created_at: at,
        updated_at: at,
        deleted_at: null,
      } as unknown as TenantTables[Table]
      await insertOwned(tx, table, row)
      await this.#record(tx, caller, { what: 'Created', row, changes: made(this.#told(row)) }, now)
      return this.#view(row)
    }
    return once(this.#context, asked, write, now)
  }

  change(caller: Caller, id: string, fields: Fields, now: Date): Promise<View> {
    const own = this.#kind.columns(fields)
    return this.#context.store.transaction(async (tx) => {
      // Whoever changes it second tells of what the first one did.
      await lockSubscription(tx, caller.subscriptionId)
      const former = await this.#required(tx, caller, id)
      const set = { ...(await this.#shared(tx, caller, fields)), ...own, updated_at: now.toISOString() }
      const row = await updateOwned(tx, this.#kind.table, former.id, set as unknown as Partial<TenantTables[Table]>)
      const changes = changesOf(this.#told(former), this.#told(row))
      await this.#record(tx, caller, { what: 'Changed', row, changes }, now)
      return this.#view(row)
    })
  }

  remove(caller: Caller, id: string, now: Date): Promise<void> {
    return this.#context.store.transaction(async (tx) => {
      // Whoever changes it second tells of what the first one did.
      await lockSubscription(tx, caller.subscriptionId)
      const former = await this.#required(tx, caller, id)
      const set = { deleted_at: now.toISOString() } as unknown as Partial<TenantTables[Table]>
      await updateOwned(tx, this.#kind.table, former.id, set)
      await this.#record(tx, caller, { what: 'Deleted', row: former, changes: gone(this.#told(former)) }, now)
    })
  }

  async #required(db: Db<Tables>, { subscriptionId }: Caller, id: string): Promise<TenantTables[Table]> {
    const { table, absent } = this.#kind
    const found = await findOwned(db, table, subscriptionId, idOf(id))
    if (!found) throw refuse(absent, { id })
    return found
  }

  /** An institution is one of the caller's own. */
  async #shared(db: Db<Tables>, caller: Caller, { name, instituteId }: Fields) {
    const institute = instituteId ? await requiredInstitute(db, caller, instituteId) : undefined
    return { name: soundName(name), institute_id: institute?.id ?? null }
  }

  #record(db: Db<Tables>, caller: Caller, { what, row, changes }: Told<Table>, now: Date): Promise<void> {
    const { entity } = this.#kind
    const { id, name } = row
    return record(db, caller, { type: `${entity}${what}`, entity: { type: entity, id }, data: { name }, changes }, now)
  }

  #told(row: TenantTables[Table]): EventChanges['after'] {
    return { name: row.name, instituteId: row.institute_id, ...this.#kind.told(row) }
  }

  #view(row: TenantTables[Table]): View {
    const { id, subscription_id, name, created_at, updated_at } = row
    const common = { id, subscriptionId: subscription_id, name, creationDate: created_at, updateDate: updated_at }
    return this.#kind.view(row, common)
  }
}
