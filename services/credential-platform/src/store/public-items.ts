// Documents by their verification codes: whoever has a code may read what is public, whatever the organization.
import type { Db } from '@chancela/service-kernel/store'
import type { PublicKind, PublicStatus } from '../contract/public.ts'
import type { CancellationReason } from '../contract/vocabulary.ts'
import type { Tables } from './tables.ts'

/** What a code leads to. */
export interface PublicItem {
  readonly id: string
  readonly kind: PublicKind
  readonly status: PublicStatus
  readonly statusDate: string | null
  /** When a suspension ends by itself. */
  readonly statusUntil: string | null
  readonly reason: string | null
  readonly cancellationReason: CancellationReason | null
  readonly subscriptionId: string
  readonly instituteId: string
  readonly concludedAt: string | null
}

type Find = (db: Db<Tables>, code: string) => Promise<PublicItem | undefined>

interface Standing {
  readonly id: string
  readonly status: string
  readonly reason: string | null
  readonly updated_at: string
  /** When it stopped for good, if it ever was valid. */
  readonly ended_at: string | null
  readonly suspended_until?: string | null
  readonly cancellation_reason?: CancellationReason | null
  readonly subscription_id: string
  readonly institute_id: string
  readonly concluded_at: string | null
}

/** By state; what never was valid has no standing, and its code leads nowhere. */
const statuses: Readonly<Record<string, PublicStatus>> = {
  Concluded: 'Valid',
  Signed: 'Valid',
  CanceledTemporarily: 'Suspended',
  Canceled: 'Annulled',
}

function itemOf(kind: PublicKind, row: Standing | undefined): PublicItem | undefined {
  const status = row && statuses[row.status]
  if (!status || (status === 'Annulled' && row.ended_at === null)) return undefined
  const isValid = status === 'Valid'
  return {
    id: row.id,
    kind,
    status,
    statusDate: isValid ? null : status === 'Annulled' ? row.ended_at : row.updated_at,
    statusUntil: status === 'Suspended' ? (row.suspended_until ?? null) : null,
    reason: isValid ? null : row.reason,
    cancellationReason: isValid ? null : (row.cancellation_reason ?? null),
    subscriptionId: row.subscription_id,
    instituteId: row.institute_id,
    concludedAt: row.concluded_at,
  }
}

const standing = ['id', 'status', 'reason', 'updated_at', 'subscription_id', 'institute_id'] as const

const degree: Find = async (db, code) =>
  itemOf(
    'Degree',
    await db
      .selectFrom('degree')
      .select([...standing, 'cancellation_reason', 'annulled_at as ended_at', 'concluded_at', 'suspended_until'])
      .where('verification_code', '=', code)
      .executeTakeFirst(),
  )

const registration: Find = async (db, code) =>
  itemOf(
    'Degree',
    await db
      .selectFrom('registration')
      .select([...standing, 'cancellation_reason', 'annulled_at as ended_at', 'sent_to_issuer_at as concluded_at'])
      .where('verification_code', '=', code)
      .executeTakeFirst(),
  )

/** A document that was concluded, and is canceled, ended with its last change. */
const ended = (row: Standing | undefined) =>
  row && { ...row, ended_at: row.concluded_at === null ? null : row.updated_at }

const transcript: Find = async (db, code) =>
  itemOf(
    'AcademicTranscript',
    ended(
      await db
        .selectFrom('academic_transcript')
        .select([...standing, 'concluded_at', 'concluded_at as ended_at'])
        .where('verification_code', '=', code)
        .executeTakeFirst(),
    ),
  )

const curriculum: Find = async (db, code) =>
  itemOf(
    'Curriculum',
    ended(
      await db
        .selectFrom('curriculum')
        .select([...standing, 'concluded_at', 'concluded_at as ended_at'])
        .where('validation_code', '=', code)
        .executeTakeFirst(),
    ),
  )

/** Where a code of each form may lead (credentials-platform facts 1.3). */
const forms: readonly (readonly [form: RegExp, finds: readonly Find[]])[] = [
  [/^[0-9]+\.[0-9]+\.[0-9a-f]{12,}$/, [degree, registration]],
  [/^[0-9]+\.[0-9a-f]{12,}$/, [transcript, curriculum]],
]

const gravest: readonly PublicStatus[] = ['Annulled', 'Suspended', 'Valid']

/** The issuer's degree and the registrar's entry have one code: what either took back is not valid. */
export async function findPublicItem(db: Db<Tables>, code: string): Promise<PublicItem | undefined> {
  const finds = forms.find(([form]) => form.test(code))?.[1] ?? []
  const found = await Promise.all(finds.map((find) => find(db, code)))
  const items = found.filter((item) => item !== undefined)
  return items.toSorted((a, b) => gravest.indexOf(a.status) - gravest.indexOf(b.status))[0]
}

/** The newest signed list of a registrar. Where several organizations claim one e-MEC code, that of the first. */
export async function newestSignedList(db: Db<Tables>, iesCode: string) {
  const signed = db
    .selectFrom('cancellation_list')
    .selectAll()
    .where('ies_code', '=', iesCode)
    .where('status', '=', 'Signed')
  const first = await signed.orderBy('created_at').orderBy('id').limit(1).executeTakeFirst()
  if (!first) return undefined
  return signed
    .where('institute_id', '=', first.institute_id)
    .orderBy('sequence_number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Whether these bytes are a version of a file of the item. */
export async function isFileOf(db: Db<Tables>, itemId: string, digest: string): Promise<boolean> {
  const query = db.selectFrom('item_file').select('version').where('item_id', '=', itemId).where('digest', '=', digest)
  return (await query.executeTakeFirst()) !== undefined
}
