import { describe, expect, test } from 'vitest'
import { databases, sharedPlatform } from './test-support/credential-world.ts'
import { proveTenants } from './test-support/tenants/prove-tenants.ts'

/** `npm run prove:tenants` takes 10,000 steps; here a short form runs with every test run. */
const STEPS = Number(process.env['CHANCELA_TENANT_STEPS'] ?? 300)
const SEED = Number(process.env['CHANCELA_TENANT_SEED'] ?? 16)

for (const database of databases) {
  describe(`two organizations on ${database}`, () => {
    const platform = sharedPlatform(database)

    test('random calls of every role get what an independent model says', { timeout: 3_600_000 }, async () => {
      const report = await proveTenants(platform(), STEPS, SEED)
      expect(report.differences).toEqual([])
      expect(Math.min(...Object.values(report.byVerdict))).toBeGreaterThan(0)
      if (process.env['CHANCELA_TENANT_STEPS'] !== undefined)
        process.stdout.write(`${database}: ${JSON.stringify({ ...report, differences: report.differences.length })}\n`)
    })
  })
}
