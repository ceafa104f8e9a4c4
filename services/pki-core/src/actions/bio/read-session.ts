import { MINUTE } from '@chancela/service-kernel/clock'
import type { BioSessionType } from '../../contract/bio.ts'
import type { CompletingCaller } from '../../parts/bio/bio-access.ts'
import { idIn } from '../../rules/bio/ids.ts'
import { isRunning } from '../../rules/bio/session-states.ts'
import { type SessionView, statusModel } from '../../rules/bio/status-models.ts'
import { hashOf } from '../../rules/bio/tokens.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { bioSeal } from '../../store/bio/sealed.ts'
import { findSession, findSessionBy, useTicket } from '../../store/bio/sessions.ts'
import type { BioSessionRow } from '../../store/bio/tables.ts'
import type { BioDependencies } from './dependencies.ts'

/** How a session stands, at any time; those of other types and subscriptions do not exist. */
export async function readStatus<Type extends BioSessionType>(
  dependencies: BioDependencies,
  { subscriptionId }: Caller,
  type: Type,
  sessionId: string,
  now: Date,
) {
  const id = idIn(sessionId)
  const row = await findSession(dependencies.context.store.db, { subscriptionId, id })
  if (row?.type !== type) throw refuse('BioSessionNotFound', { sessionId })
  return statusModel(type, viewOf(dependencies, row, now))
}

/** Uses the ticket of a session that has ended. One that still runs keeps its ticket. */
export async function completeSession<Type extends BioSessionType>(
  dependencies: BioDependencies,
  { subscriptionIds }: CompletingCaller,
  type: Type,
  ticket: string,
  now: Date,
) {
  const { db } = dependencies.context.store
  const row = await findSessionBy(db, 'ticket_hash', hashOf(ticket))
  if (!row || row.type !== type || !subscriptionIds.includes(row.subscription_id)) throw refuse('BadBioTicket')
  if (isRunning(stateOf(row, now))) throw refuse('BadBioSessionOperation', { sessionId: row.id, state: row.state })
  const used = await useTicket(db, row.id, now)
  if (!used) throw refuse('BadBioTicket')
  return statusModel(type, viewOf(dependencies, used, now))
}

/** The picture of a session that succeeded, while it is kept. */
export async function readResultData(
  dependencies: BioDependencies,
  { subscriptionId }: Caller,
  sessionId: string,
  now: Date,
) {
  const { context } = dependencies
  const row = await findSession(context.store.db, { subscriptionId, id: idIn(sessionId) })
  if (!row) throw refuse('BioSessionNotFound', { sessionId })
  if (!hasPicture(dependencies, row, now)) throw refuse('BioResultDataNotAvailable', { sessionId })
  const content = context.secrets.openText(row.face_image!, bioSeal('bio_session', row, 'face_image'))
  return { faceData: { faceImage: { content, contentType: 'image/jpeg' } }, documentData: null }
}

/** A session whose time is over has expired, whether the sweep has seen it or not. */
export const stateOf = ({ state, expires_at }: BioSessionRow, now: Date): BioSessionRow['state'] =>
  isRunning(state) && expires_at <= now.toISOString() ? 'Expired' : state

function hasPicture({ context }: BioDependencies, { state, face_image, ended_at }: BioSessionRow, now: Date): boolean {
  const keptFor = context.settings.Biometrics.ResultMinutes * MINUTE
  return state === 'Succeeded' && face_image !== null && now.getTime() < Date.parse(ended_at!) + keptFor
}

const viewOf = (dependencies: BioDependencies, row: BioSessionRow, now: Date): SessionView => ({
  id: row.id,
  state: stateOf(row, now),
  failure: row.failure,
  attempts: row.attempts,
  subjectId: row.subject_id,
  subjectIdentifier: row.subject_identifier,
  hasPicture: hasPicture(dependencies, row, now),
  engine: dependencies.engine.name,
})
