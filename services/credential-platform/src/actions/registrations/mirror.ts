// What one side does is seen by the other: the registrar's acts on the issuer's emission, a cancellation by both
// (credentials-platform facts 2.2, 2.3).
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { EmissionRow, RegistrationRow } from '../../store/document-tables.ts'
import { recordEvents } from '../../store/entity-events.ts'
import { mirrorOnEmission, type RegistrationMove } from '../../store/registrations.ts'
import type { Tables } from '../../store/tables.ts'
import { announce } from '../webhooks/announce.ts'

type EmissionChange = Parameters<typeof mirrorOnEmission>[3]

/** The issuer is told, where the issuer is on this platform; undefined where there is nobody to tell. */
export async function mirror(
  context: Context,
  tx: Transaction<Tables>,
  registration: Pick<RegistrationRow, 'id' | 'emission_id'>,
  move: RegistrationMove,
  set: EmissionChange,
  now: Date,
): Promise<EmissionRow | undefined> {
  const emission = await mirrorOnEmission(tx, registration, move, set, now)
  if (emission) await announce(context, tx, [{ kind: 'EmissionRegistration', item: emission }], now)
  return emission
}

/** Records for the other organization what its partner did. */
export const recordPartner = (
  tx: Transaction<Tables>,
  { subscription_id, id }: Pick<EmissionRow, 'subscription_id' | 'id'>,
  { type, entity, partner }: { readonly type: string; readonly entity: string; readonly partner: string },
  now: Date,
): Promise<void> =>
  recordEvents(
    tx,
    [
      {
        subscription_id,
        type,
        actor_kind: 'worker',
        actor_id: 'partner',
        actor_name: partner,
        entity_type: entity,
        entity_id: id,
      },
    ],
    now,
  )
