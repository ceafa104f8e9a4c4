// `npm run prove:tenants`: 10,000 random calls of two organizations that share people, on the document platform and on the
// credential platform, and as many of two subscriptions of the PKI core, held against a model each.
import { parseArgs } from 'node:util'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { passThrough } from './steps/run-command.mjs'
import { runScript } from './steps/say.mjs'

const { values } = parseArgs({
  options: { steps: { type: 'string', default: '10000' }, seed: { type: 'string', default: '16' } },
})

const tests = ['credential-platform', 'document-platform', 'pki-core'].map(
  (service) => `services/${service}/test/prove-tenants.test.ts`,
)

await runScript(async () => {
  requireNode()
  await ensureInstalled('everything')
  process.env.CHANCELA_TENANT_STEPS = values.steps
  process.env.CHANCELA_TENANT_SEED = values.seed
  return passThrough('npx', ['vitest', 'run', ...tests])
})
