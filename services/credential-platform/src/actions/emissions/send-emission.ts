// The issuer sends the signed academic documentation to its registrar (credentials-platform facts 2.2).
import type { Context } from '../../context.ts'
import type { EventModels } from '../../contract/models.ts'
import type { Signing } from '../../parts/signing/open-signing.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../rules/texts.ts'
import type { EmissionRow, RegistrationRow } from '../../store/document-tables.ts'
import { newestFile } from '../../store/documents.ts'
import { moveEmission } from '../../store/registrations.ts'
import { emissionRegistrationView } from '../items/item-views.ts'
import { requireRequest } from '../registrations/check-request.ts'
import { recordPartner } from '../registrations/mirror.ts'
import { refuseEmissionMove, requiredEmission } from '../registrations/required-registration.ts'
import { requirePartnership, takeIn } from '../registrations/take-in.ts'
import { record, statusChange } from '../tenants/acting.ts'
import { requiredInstitute } from '../tenants/institutes.ts'
import { announce } from '../webhooks/announce.ts'

export interface Dependencies {
  readonly context: Context
  readonly signing: Pick<Signing, 'trust'>
}

interface Sending {
  readonly registrarInstituteId: string
  readonly description?: string
}

/** A request that was rejected, or canceled before the emission was restored, is made anew. */
const isTakenBack = ({ status, registration_status }: EmissionRow): boolean =>
  status === 'SentToRegistry' && (registration_status === 'Rejected' || registration_status === 'Canceled')

export async function sendEmission(
  { context, signing }: Dependencies,
  caller: Caller,
  id: string,
  { registrarInstituteId, description }: Sending,
  now: Date,
): Promise<EventModels['EmissionRegistration']> {
  const { db } = context.store
  const known = await requiredEmission(db, caller, id)
  if (known.status !== 'Signed' && !isTakenBack(known)) throw refuseEmissionMove(known.status, 'send')
  const issuer = await requiredInstitute(db, caller, known.institute_id)
  const partner = await requirePartnership(db, idOf(registrarInstituteId), issuer)
  const file = await newestFile(db, known.id, 'academic-documentation')
  if (!file) throw refuse('file-not-found')
  const facts = await requireRequest(signing, await context.blobs.read(file.digest), now, issuer.cnpj)
  if (facts.nonce !== known.nonce) throw wrongData({ id: ['is not the emission of its documentation'] })
  return context.store.transaction(async (tx) => {
    const registrar = await tx
      .selectFrom('institute')
      .select(['id', 'subscription_id', 'name'])
      .where('id', '=', idOf(registrarInstituteId))
      .executeTakeFirstOrThrow()
    // Whoever ended it meanwhile is not sent anything.
    const partnership = await requirePartnership(tx, registrar.id, issuer)
    const kept = { digest: file.digest, size: file.bytes }
    const request = { registrar, facts, description: description ?? null, kept, partnership, emissionId: known.id }
    if (isTakenBack(known)) await moveEmission(tx, known.id, 'takeBack', {}, now)
    const registration = await takeIn(context, tx, request, now)
    const emission = await moveEmission(tx, known.id, 'send', sentTo(registration, now), now)
    if (!emission) throw refuse('changed-meanwhile')
    await announce(context, tx, [{ kind: 'Emission', item: emission }], now)
    const data = { registrarInstituteId: registrar.id, partnershipId: partner.id }
    const entity = { type: 'Emission', id: known.id }
    const changes = statusChange(known, emission)
    await record(tx, caller, { type: 'EmissionSentToRegistry', entity, data, changes }, now)
    const arrived = { type: 'RegistrationCreated', entity: 'Registration', partner: issuer.name }
    await recordPartner(tx, registration, arrived, now)
    return emissionRegistrationView(emission)
  })
}

const sentTo = ({ id, status, partnership_id, institute_id }: RegistrationRow, now: Date) => ({
  partnership_id,
  registrar_institute_id: institute_id,
  registration_id: id,
  registration_status: status,
  registration_cancellation_reason: null,
  sent_at: now.toISOString(),
})
