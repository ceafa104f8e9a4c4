import { sealedTable } from '@chancela/service-kernel/secrets'
import type { SessionRow } from './session-tables.ts'

/** What the argument of a session is sealed for. */
export const callbackContext = (id: string): string => `signature_session ${id} callback`

/** A rotation of the master key includes the arguments of sessions. */
export const sealedSessions = sealedTable<SessionRow>({
  table: 'signature_session',
  idColumn: 'id',
  columns: ['sealed_callback'],
  context: ({ id }) => callbackContext(id),
})
