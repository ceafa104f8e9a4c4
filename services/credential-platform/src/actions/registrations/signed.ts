// The last signature of a degree: the request is done, and the issuer has the degree.
import type { Context } from '../../context.ts'
import type { ClosingHandler } from '../../parts/signing/desk.ts'
import type { RegistrationRow } from '../../store/document-tables.ts'
import { recordEvents } from '../../store/entity-events.ts'
import { mirrorOnEmission, moveRegistration } from '../../store/registrations.ts'
import { announce } from '../webhooks/announce.ts'
import { handOver } from './hand-over.ts'
import { recordPartner } from './mirror.ts'

interface Kept {
  readonly size: number
}

/** What the signing desk does when the degree of a request is closed. */
export const onDegreeSigned = (context: Context): ClosingHandler<Kept> => ({
  prepare: async (_document, bytes) => ({ size: bytes.length }),
  async closed(tx, { owner_id, digest }, { size }, now) {
    const row = await moveRegistration(tx, owner_id, 'sign', { sent_to_issuer_at: now.toISOString() }, now)
    if (!row) throw new Error(`The registration ${owner_id} is in no state to be signed.`)
    await announce(context, tx, [{ kind: 'Registration', item: row }], now)
    await recordEvents(tx, [eventOf(row)], now)
    // The emission itself tells of the signature: its mirror has no event of its own for it.
    if (!(await mirrorOnEmission(tx, row, 'sign', {}, now))) return
    const registrar = await tx
      .selectFrom('institute')
      .select('name')
      .where('id', '=', row.institute_id)
      .executeTakeFirstOrThrow()
    const returned = {
      kept: { digest, size },
      code: row.verification_code!,
      registeringIes: registrar.name,
      registrarInstituteId: row.institute_id,
      book: row.book,
      expeditionDate: row.expedition_date,
      registrationDate: row.registration_date,
    }
    const emission = await handOver(context, tx, row.emission_id!, returned, now)
    if (!emission) return
    const event = { type: 'EmissionRegistered', entity: 'Emission', partner: registrar.name }
    await recordPartner(tx, emission, event, now)
  },
})

const eventOf = ({ id, subscription_id, verification_code }: RegistrationRow) => ({
  subscription_id,
  type: 'RegistrationSigned',
  actor_kind: 'worker' as const,
  actor_id: 'signing',
  actor_name: 'signing',
  entity_type: 'Registration',
  entity_id: id,
  data: { verificationCode: verification_code },
})
