import type { Context } from '../context.ts'
import { findSession } from '../parts/signing/open-session.ts'
import { refuse } from '../rules/refuse.ts'
import type { SessionState } from '../rules/session-states.ts'
import { creationById } from '../store/creations.ts'

/** Also readable of an expired session, and of one whose call is running; not of a used one. */
const TELLING: readonly SessionState[] = ['authorized', 'reserved', 'late']

/** The customState of a session. */
export async function customStateOf(
  { store, secrets }: Pick<Context, 'store' | 'secrets'>,
  value: string,
  keyId: string,
): Promise<string | null> {
  const session = await findSession(store.db, value, keyId)
  if (!TELLING.includes(session.state)) throw refuse('SessionInvalidOrAlreadyUsed')
  return (await creationById(store.db, secrets, session.creation_id)).custom_state
}
