import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { BioSubjectModel } from '../../contract/bio.ts'
import { idIn } from '../../rules/bio/ids.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { bioSeal } from '../../store/bio/sealed.ts'
import { forgetSubject } from '../../store/bio/sessions.ts'
import { emptySubject, findSubjectById, findSubjectByIdentifier } from '../../store/bio/subjects.ts'
import type { BioSubjectRow } from '../../store/bio/tables.ts'
import { act, type Manager } from '../management/acting.ts'

type Dependencies = { readonly context: Context }

export async function readSubject({ context }: Dependencies, { subscriptionId }: Caller, id: string) {
  return toModel(await subjectOf(context, subscriptionId, id))
}

export async function findSubject({ context }: Dependencies, { subscriptionId }: Caller, identifier: string) {
  const found = await findSubjectByIdentifier(context.store.db, subscriptionId, identifier)
  if (!found) throw refuse('BioSubjectNotFound', { identifier })
  return toModel(found)
}

export async function readSubjectFace({ context }: Dependencies, { subscriptionId }: Caller, id: string) {
  const found = await subjectOf(context, subscriptionId, id)
  if (found.face_image === null) throw refuse('BioSubjectNotFound', { id })
  const content = context.secrets.openText(found.face_image, bioSeal('bio_subject', found, 'face_image'))
  return { content, contentType: 'image/jpeg' }
}

/** Deletes what is about the person, in sessions that have ended as well, once; doing it again changes nothing. */
export async function deleteSubject(
  { context }: Dependencies,
  { subscriptionId, actor }: Pick<Caller, 'subscriptionId'> & Pick<Manager, 'actor'>,
  id: string,
  now: Date,
) {
  return context.store.transaction(async (tx) => {
    const emptied = await emptySubject(tx, subscriptionId, idIn(id), now)
    if (!emptied) return toModel(await subjectOf(context, subscriptionId, id, tx))
    await forgetSubject(tx, emptied)
    await context.events.record(
      tx,
      act('BioSubjectDeleted', actor, ['bio-subject', emptied.id], { subject: emptied.id }),
    )
    return toModel(emptied)
  })
}

async function subjectOf(
  { store }: Context,
  subscriptionId: string,
  id: string,
  db = store.db,
): Promise<BioSubjectRow> {
  const found = await findSubjectById(db, subscriptionId, idIn(id))
  if (!found) throw refuse('BioSubjectNotFound', { id })
  return found
}

const toModel = (row: BioSubjectRow): Static<typeof BioSubjectModel> => ({
  id: row.id,
  subscriptionId: row.subscription_id,
  identifier: row.identifier,
  dateCreated: row.created_at,
  dateDeleted: row.deleted_at,
  deleted: row.deleted_at !== null,
  currentFaceId: row.face_id,
  currentFaceTecSubjectId: null,
  hasIdentificationDocument: false,
  currentIdentificationDocumentId: null,
  identificationDocumentMatchedFace: null,
  consent: row.consent === null ? null : JSON.parse(row.consent),
})
