import type { Db } from '@chancela/service-kernel/store'
import { emissionMoves, registrationMoves } from '../../rules/moves.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../rules/texts.ts'
import type { EmissionRow, RegistrationRow } from '../../store/document-tables.ts'
import { findEmission, findRegistration, type RegistrationMove } from '../../store/registrations.ts'
import type { Tables } from '../../store/tables.ts'

export async function requiredRegistration(
  db: Db<Tables>,
  { subscriptionId }: Caller,
  id: string,
): Promise<RegistrationRow> {
  const found = await findRegistration(db, subscriptionId, idOf(id))
  if (!found) throw refuse('registration-not-found', { id })
  return found
}

export async function requiredEmission(db: Db<Tables>, { subscriptionId }: Caller, id: string): Promise<EmissionRow> {
  const found = await findEmission(db, subscriptionId, idOf(id))
  if (!found) throw refuse('emission-not-found', { id })
  return found
}

/** What the table of moves says to a request in this state. */
export const refuseMove = (status: string, name: RegistrationMove) => wrongState(status, registrationMoves[name].from)

export const refuseEmissionMove = (status: string, name: keyof typeof emissionMoves) =>
  wrongState(status, emissionMoves[name].from)

const wrongState = (status: string, from: readonly string[]) =>
  refuse('invalid-transition', { fields: { status: [`is ${status}; this needs ${from.join(' or ')}`] } })
