// Biometric subjects as administrators see them: of every subscription, without their faces.
import { DEFAULT_LIMIT, pageFrom } from '@chancela/admin-console'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { listBioSubjects } from '../../contract/console-subjects.ts'
import { idIn } from '../../rules/bio/ids.ts'
import { maskedSubject } from '../../rules/masked-subject.ts'
import { refuse } from '../../rules/refuse.ts'
import { subjectById } from '../../store/bio/subjects.ts'
import { type ListedSubject, listSubjects } from '../../store/console-lists.ts'
import { deleteSubject } from '../bio/subjects.ts'
import type { Manager } from '../management/acting.ts'
import { afterOf, keysOf } from './cursors.ts'

type Dependencies = { readonly context: Context }

export async function listedSubjects(
  { context: { store } }: Dependencies,
  { limit = DEFAULT_LIMIT, cursor, ...asked }: Static<typeof listBioSubjects.query>,
) {
  const filter = { ...asked, after: afterOf(cursor), limit: limit + 1 }
  return pageFrom(await listSubjects(store.db, filter), limit, subjectView, keysOf)
}

const subjectView = (row: ListedSubject) => ({
  id: row.id,
  subscription: { id: row.subscription_id, name: row.subscription ?? '' },
  identifier: maskedSubject(row.identifier),
  createdAt: row.created_at,
  enrolledAt: row.deleted_at === null ? row.updated_at : null,
  consent: row.consent === null ? null : consentIn(row.consent),
  deletedAt: row.deleted_at,
})

/** Where it came from is between the person and the application. */
function consentIn(text: string) {
  const { date, textVersion } = JSON.parse(text)
  return { date, textVersion }
}

export async function deleteForAdministrator(
  dependencies: Dependencies,
  { actor }: Manager,
  id: string,
  now: Date,
): Promise<void> {
  const found = await subjectById(dependencies.context.store.db, idIn(id))
  if (!found) throw refuse('BioSubjectNotFound', { id })
  await deleteSubject(dependencies, { subscriptionId: found.subscription_id, actor }, found.id, now)
}
