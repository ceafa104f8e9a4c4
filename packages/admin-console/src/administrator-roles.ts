// Another role for an administrator.
import type { EventActor } from '@chancela/service-kernel/events'
import type { Db } from '@chancela/service-kernel/store'
import { findAdministrator, lockAdministrators } from './administrator-rows.ts'
import type { AdministratorRow, AdministratorTables } from './administrator-table.ts'
import { type AdministratorContext, requireAnother } from './administrators.ts'
import { act, said } from './audit.ts'
import type { ConsoleCaller } from './caller.ts'
import type { ConsoleRole } from './contract/index.ts'
import { refuse } from './refuse.ts'

interface RoleChange {
  readonly id: string
  readonly role: ConsoleRole
}

/** Sessions read the row with every call: the role decides about the next one. */
export const changeRole = (
  { store, events }: AdministratorContext,
  { id, role }: RoleChange,
  actor: EventActor,
  caller?: Pick<ConsoleCaller, 'id' | 'way'>,
): Promise<AdministratorRow> =>
  store.transaction(async (tx) => {
    await lockAdministrators(tx)
    if (caller) await requireStill(tx, caller)
    const before = await findAdministrator(tx, id)
    if (!before) throw refuse('ADMINISTRATOR_NOT_FOUND', { id })
    if (before.role === role) return before
    if (role !== 'administrator') await requireAnother(tx, id)
    const changed = await tx
      .updateTable('administrator')
      .set({ role })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const changes = { before: { role: before.role }, after: { role } }
    const facts = { email: changed.email, role: said(role) }
    await events.record(tx, act('AdministratorRoleChanged', actor, ['administrator', id], facts, changes))
    return changed
  })

/** Whoever lost the role while the call waited gives it to nobody, least of all back to themselves. */
async function requireStill(
  tx: Db<AdministratorTables>,
  { id, way }: Pick<ConsoleCaller, 'id' | 'way'>,
): Promise<void> {
  if (way === 'oidc') return
  const { role } = (await findAdministrator(tx, id)) ?? {}
  if (role !== 'administrator') throw refuse('FORBIDDEN_FOR_ROLE', { role: role ?? null })
}
