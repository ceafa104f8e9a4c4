// `npm run prove:approvals`: people decide at random while the batch signer is killed, and every promise holds.
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { passThrough } from './steps/run-command.mjs'
import { runScript } from './steps/say.mjs'
import { ensureSystemTools } from './steps/system-tools.mjs'

await runScript(async () => {
  requireNode()
  await ensureInstalled('everything')
  await ensureSystemTools(['openssl'])
  const source = ['--conditions=chancela-source', '--import', 'tsx']
  const program = new URL('../services/batch-signer/src/workers/test-support/prove-approvals/prove.ts', import.meta.url)
  return passThrough(process.execPath, [...source, fileURLToPath(program), ...process.argv.slice(2)])
})
