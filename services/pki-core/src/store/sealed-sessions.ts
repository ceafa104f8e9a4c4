import { sealedTable } from '@chancela/service-kernel/secrets'
import type { EarlierSignatureRow } from './earlier-tables.ts'
import type { SessionRow } from './session-tables.ts'

/** The same for a signature of the earlier generation. */
export const earlierCallbackContext = (id: string): string => `earlier_signature ${id} callback`

/** What the argument of a session is sealed for. */
export const callbackContext = (id: string): string => `signature_session ${id} callback`

export const sealedEarlier = sealedTable<EarlierSignatureRow>({
  table: 'earlier_signature',
  idColumn: 'id',
  columns: ['sealed_callback'],
  context: ({ id }) => earlierCallbackContext(id),
})

/** A rotation of the master key includes the arguments of sessions. */
export const sealedSessions = sealedTable<SessionRow>({
  table: 'signature_session',
  idColumn: 'id',
  columns: ['sealed_callback'],
  context: ({ id }) => callbackContext(id),
})
