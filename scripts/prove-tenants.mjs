// `npm run prove:tenants`: 10,000 random calls of two organizations that share people, held against a model.
import { parseArgs } from 'node:util'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { passThrough } from './steps/run-command.mjs'
import { runScript } from './steps/say.mjs'

const { values } = parseArgs({
  options: { steps: { type: 'string', default: '10000' }, seed: { type: 'string', default: '16' } },
})

await runScript(async () => {
  requireNode()
  await ensureInstalled('everything')
  process.env.CHANCELA_TENANT_STEPS = values.steps
  process.env.CHANCELA_TENANT_SEED = values.seed
  return passThrough('npx', ['vitest', 'run', 'services/document-platform/test/prove-tenants.test.ts'])
})
