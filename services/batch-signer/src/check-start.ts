import { StartupProblem } from '@chancela/service-kernel/errors'
import type { CheckContext } from '@chancela/service-kernel/service'
import { readCustomerLogo } from './actions/read-customer-logo.ts'
import { checkSigningSettings } from './parts/signing/open-profile-directory.ts'
import { hasProfiles } from './parts/signing/seed-profiles.ts'
import { requireWritableNames } from './routes/operator-access.ts'
import type { BatchSignerSettings } from './settings.ts'
import type { Tables } from './store/tables.ts'

/**
 * What the start refuses beyond the schema, by the functions that the start itself calls: a unit's ExecStartPre then
 * says it before the running service is stopped for a restart. Profiles of the file matter only to a store without any.
 */
export async function checkStart(given: CheckContext<BatchSignerSettings, Tables>): Promise<void> {
  const isSeeded = given.settings.Signing.Profiles.length > 0 && ((await given.peek(hasProfiles)) ?? false)
  const problems = [
    await problemOf(async () => requireWritableNames(given.settings.Auth)),
    await problemOf(() => checkSigningSettings(given, isSeeded)),
    await problemOf(() => readCustomerLogo(given)),
  ].filter((problem) => problem !== undefined)
  if (problems.length > 0) throw new StartupProblem(problems.join('\n'))
}

async function problemOf(check: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await check()
    return undefined
  } catch (error) {
    if (error instanceof StartupProblem) return error.message
    throw error
  }
}
