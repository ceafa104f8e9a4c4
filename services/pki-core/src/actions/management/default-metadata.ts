// What is stamped on every document of an application (pki-core facts 4.2).
import { invalidField } from '@chancela/service-kernel/errors'
import { DEFAULT_SUBSCRIPTION } from '../../rules/subscription.ts'
import { writeAccess } from '../../store/applications.ts'
import { act, change, type Management, type Manager } from './acting.ts'
import { keepOperatorsRoles, manageable, type Place, requiredApplication } from './applications.ts'

type Metadata = Record<string, string[]>

export async function readMetadata({ context: { store } }: Management, place: Place, id: string): Promise<Metadata> {
  const { default_metadata } = await requiredApplication(store.db, place, id)
  return JSON.parse(default_metadata ?? '{}')
}

/** Letters, digits, hyphens, underscores and spaces (pki-core facts 4.2). */
const NAME = /^[\p{L}\p{N}_ -]{1,50}$/u

/** Names are one name in whatever case they are written. */
function requireSoundNames(names: readonly string[]): void {
  const wrong = names.find((name) => !NAME.test(name))
  if (wrong !== undefined) throw invalidField(wrong, 'is no name of metadata')
  const folded = names.map((name) => name.toLowerCase())
  const twice = names.find((_, at) => folded.indexOf(folded[at]!) !== at)
  if (twice !== undefined) throw invalidField(twice, 'is given twice')
}

export function changeMetadata(
  management: Management,
  manager: Manager,
  place: Place,
  id: string,
  metadata: Metadata,
): Promise<Metadata> {
  requireSoundNames(Object.keys(metadata))
  return change(management, async (tx) => {
    const { application } = await manageable(tx, manager, place, id)
    await keepOperatorsRoles(tx, application)
    const home = application.subscription_id ?? place ?? DEFAULT_SUBSCRIPTION
    await writeAccess(tx, application.id, home, { default_metadata: JSON.stringify(metadata) })
    const text = `The application ${application.name} stamps other metadata on documents.`
    return [metadata, act('DefaultMetadataChanged', manager.actor, ['application', application.id], text)]
  })
}
