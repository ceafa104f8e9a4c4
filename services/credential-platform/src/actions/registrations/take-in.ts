// A request arrives at the registrar: from a partner on this platform, or as a file from elsewhere.
import { type Db, newRowId } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { EventModels } from '../../contract/models.ts'
import type { KeptBytes } from '../../parts/signing/desk.ts'
import type { Signing } from '../../parts/signing/open-signing.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import type { RequestFacts } from '../../rules/request-facts.ts'
import type { Caller } from '../../rules/rights.ts'
import { wordKey } from '../../rules/search-key.ts'
import type { RegistrationRow } from '../../store/document-tables.ts'
import { addItemFile } from '../../store/documents.ts'
import { activePartnership, insertRegistration } from '../../store/registrations.ts'
import { keepAct } from '../../store/registry.ts'
import type { Tables } from '../../store/tables.ts'
import type { InstituteRow } from '../../store/tenant-tables.ts'
import { registrationView } from '../items/item-views.ts'
import { once } from '../once.ts'
import { record } from '../tenants/acting.ts'
import { requiredInstitute } from '../tenants/institutes.ts'
import { announce } from '../webhooks/announce.ts'
import { requireRequest } from './check-request.ts'

export interface Dependencies {
  readonly context: Context
  readonly signing: Pick<Signing, 'trust'>
}

/** A file as it was uploaded. */
export interface UploadedRequest {
  readonly instituteId: string
  readonly description: string | null
  readonly bytes: Buffer
}

export async function create(
  { context, signing }: Dependencies,
  caller: Caller,
  { instituteId, description, bytes }: UploadedRequest,
  key: string | undefined,
  now: Date,
): Promise<EventModels['Registration']> {
  const registrar = await requiredInstitute(context.store.db, caller, instituteId)
  requireRegistrar(registrar)
  const facts = await requireRequest(signing, bytes, now)
  const { digest, size } = await context.blobs.put(bytes)
  const request = { registrar, facts, description, kept: { digest, size } }
  const asked = { caller, operation: 'createRegistration', key, request: [instituteId, description, digest] }
  return once(
    context,
    asked,
    async (tx) => {
      const partnership = await requirePartnership(tx, registrar.id, { cnpj: facts.issuer.cnpj })
      const row = await takeIn(context, tx, { ...request, partnership, emissionId: null }, now)
      await keepAct(tx, row.id, 'create', caller, now)
      await record(tx, caller, { type: 'RegistrationCreated', entity: { type: 'Registration', id: row.id } }, now)
      return registrationView(row)
    },
    now,
  )
}

export function requireRegistrar({ kind }: InstituteRow): void {
  if (kind === 'Issuer') throw wrongData({ instituteId: ['does not register'] })
}

type Partnership = NonNullable<Awaited<ReturnType<typeof activePartnership>>>

/** Nobody registers for a stranger. */
export async function requirePartnership(
  db: Db<Tables>,
  registrarId: string,
  issuer: { readonly cnpj: string; readonly id?: string },
): Promise<Partnership> {
  const found = await activePartnership(db, registrarId, issuer)
  if (!found) throw refuse('partnership-required', { issuer: issuer.cnpj })
  return found
}

interface NewRequest {
  readonly registrar: Pick<InstituteRow, 'id' | 'subscription_id'>
  readonly facts: RequestFacts
  readonly description: string | null
  readonly kept: KeptBytes
  readonly partnership: Partnership
  /** The issuer's emission, where it is on this platform. */
  readonly emissionId: string | null
}

/** Writes the request, its file and its event; the caller says who did it. */
export async function takeIn(
  context: Context,
  tx: Transaction<Tables>,
  request: NewRequest,
  now: Date,
): Promise<RegistrationRow> {
  const row = rowOf(request, now)
  await insertRegistration(tx, row)
  const { digest, size } = request.kept
  const file = { item_id: row.id, name: 'academic-documentation', digest, bytes: size, media_type: 'application/xml' }
  await addItemFile(tx, file, now)
  await announce(context, tx, [{ kind: 'Registration', item: row }], now)
  return row
}

function rowOf({ registrar, facts, description, partnership, emissionId }: NewRequest, now: Date): RegistrationRow {
  const { student, course, issuer, nonce, version } = facts
  const at = now.toISOString()
  return {
    id: newRowId(now),
    subscription_id: registrar.subscription_id,
    institute_id: registrar.id,
    status: 'AwaitingAcceptance',
    version,
    search_key: wordKey([student.name, student.socialName, student.cpf, course.name, issuer.name, description]),
    student_name: student.name,
    student_social_name: student.socialName,
    student_cpf: student.cpf,
    course: course.name,
    course_id: null,
    issuing_ies: issuer.name,
    description,
    reason: null,
    cancellation_reason: null,
    partnership_id: partnership.id,
    issuer_subscription_id: partnership.issuer_subscription_id,
    emission_id: emissionId,
    nonce,
    verification_code: null,
    input: JSON.stringify({ issuer, course, form: facts.form }),
    book: null,
    expedition_date: facts.expeditionDate,
    registration_date: null,
    sent_to_issuer_at: null,
    annulled_at: null,
    flow_id: null,
    signer_document_id: null,
    signer_document_url: null,
    signing_error: null,
    created_at: at,
    updated_at: at,
  }
}
