import { changesOf } from '@chancela/service-kernel/events'
// What is stamped on every document of an application (pki-core facts 4.2).
import { type Metadata, readMetadata } from '../../rules/metadata.ts'
import { DEFAULT_SUBSCRIPTION } from '../../rules/subscription.ts'
import { writeAccess } from '../../store/applications.ts'
import { act, change, type Management, type Manager } from './acting.ts'
import { keepOperatorsRoles, manageable, type Place, requiredApplication } from './applications.ts'

export async function defaultMetadata({ context: { store } }: Management, place: Place, id: string): Promise<Metadata> {
  const { default_metadata } = await requiredApplication(store.db, place, id)
  return JSON.parse(default_metadata ?? '{}')
}

export function changeMetadata(
  management: Management,
  manager: Manager,
  place: Place,
  id: string,
  given: Metadata,
): Promise<Metadata> {
  const metadata = readMetadata(given, 'metadata')
  return change(management, async (tx) => {
    const { application } = await manageable(tx, manager, place, id)
    await keepOperatorsRoles(tx, application)
    const home = application.subscription_id ?? place ?? DEFAULT_SUBSCRIPTION
    await writeAccess(tx, application.id, home, { default_metadata: JSON.stringify(metadata) })
    const changes = changesOf({ metadata: JSON.parse(application.default_metadata ?? '{}') }, { metadata })
    const facts = { name: application.name }
    return [metadata, act('DefaultMetadataChanged', manager.actor, ['application', application.id], facts, changes)]
  })
}
