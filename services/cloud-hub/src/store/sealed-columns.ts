// The contexts sealed values of sessions are bound to: row and column.
import { type SealedTable, sealedTable } from '@chancela/service-kernel/secrets'
import type { CreationRow, PastHolderRow, SessionRow } from './tables.ts'

const contexts = (table: string, column: string) => (id: string) => `${table}.${column}:${id}`

/** Context of `session.sealed_step`. */
export const stepContext = contexts('session', 'sealed_step')

/** Context of `session.sealed_grant`. */
export const grantContext = contexts('session', 'sealed_grant')

/** Context of `creation.sealed_choice`. */
export const choiceContext = contexts('creation', 'sealed_choice')

/** Context of `creation.sealed_identifier`. */
export const identifierContext = contexts('creation', 'sealed_identifier')

/** Context of `creation.sealed_custom_state`. */
export const customStateContext = contexts('creation', 'sealed_custom_state')
/** Context of `creation.sealed_names`. */
export const namesContext = contexts('creation', 'sealed_names')

const sealed = <Row extends { id: string }>(table: string, columns: readonly (keyof Row & string)[]): SealedTable =>
  sealedTable<Row>({ table, idColumn: 'id', columns, context: ({ id }, column) => contexts(table, column)(id) })

/** Tables that a rotation of the master key reseals. */
export const sealedSessionTables: readonly SealedTable[] = [
  sealed<SessionRow>('session', ['sealed_step', 'sealed_grant']),
  sealed<CreationRow>('creation', ['sealed_choice', 'sealed_identifier', 'sealed_custom_state', 'sealed_names']),
  // Copied from the creation, whose context it keeps.
  sealedTable<PastHolderRow>({
    table: 'past_holder',
    idColumn: 'session_id',
    columns: ['sealed_identifier'],
    context: ({ creation_id }) => identifierContext(creation_id),
  }),
]
