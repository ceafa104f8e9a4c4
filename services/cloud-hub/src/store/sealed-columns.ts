// What sealed values of sessions are bound to: each to its row and its column.
import type { AnySealedTable } from '@chancela/service-kernel/service'

const contexts = (table: string, column: string) => (id: string) => `${table}.${column}:${id}`

/** Context of `session.sealed_step`. */
export const stepContext = contexts('session', 'sealed_step')

/** Context of `session.sealed_grant`. */
export const grantContext = contexts('session', 'sealed_grant')

/** Context of `creation.sealed_choice`. */
export const choiceContext = contexts('creation', 'sealed_choice')

const sealed = (table: string, columns: readonly string[]): AnySealedTable => ({
  table,
  idColumn: 'id',
  columns,
  context: ({ id }, column) => contexts(table, column)(String(id)),
})

/** So that a rotation of the master key reaches them. */
export const sealedSessionTables: readonly AnySealedTable[] = [
  sealed('session', ['sealed_step', 'sealed_grant']),
  sealed('creation', ['sealed_choice']),
]
