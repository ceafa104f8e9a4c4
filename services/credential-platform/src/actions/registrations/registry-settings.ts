import { changesOf } from '@chancela/service-kernel/events'
import type { Context } from '../../context.ts'
import type { RegistrySettings } from '../../contract/registrations.ts'
import type { Caller } from '../../rules/rights.ts'
import { type RegistryRules, registryRules, writeRegistryRules } from '../../store/registry.ts'
import { lockSubscription } from '../../store/subscriptions.ts'
import { record } from '../tenants/acting.ts'
import { requiredInstitute } from '../tenants/institutes.ts'

const view = ({ requires_two_people, list_days }: RegistryRules): RegistrySettings => ({
  requireTwoPeople: requires_two_people === 1,
  annulledListDays: list_days,
})

export async function readSettings({ store }: Context, caller: Caller, id: string): Promise<RegistrySettings> {
  const institute = await requiredInstitute(store.db, caller, id)
  return view(await registryRules(store.db, institute.id))
}

export function putSettings(
  { store }: Context,
  caller: Caller,
  id: string,
  wanted: RegistrySettings,
  now: Date,
): Promise<RegistrySettings> {
  return store.transaction(async (tx) => {
    const institute = await requiredInstitute(tx, caller, id)
    const rules = { requires_two_people: Number(wanted.requireTwoPeople), list_days: wanted.annulledListDays }
    await lockSubscription(tx, caller.subscriptionId)
    const former = view(await registryRules(tx, institute.id))
    await writeRegistryRules(tx, { institute_id: institute.id, ...rules, updated_at: now.toISOString() })
    const entity = { type: 'Institute', id: institute.id }
    const changes = changesOf(former, view(rules))
    await record(tx, caller, { type: 'RegistrySettingsChanged', entity, data: wanted, changes }, now)
    return view(rules)
  })
}
