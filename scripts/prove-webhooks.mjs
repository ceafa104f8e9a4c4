// `npm run prove:webhooks`: 200 kill -9 against the document platform, and nothing lost.
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { passThrough } from './steps/run-command.mjs'
import { runScript } from './steps/say.mjs'
import { ensureSystemTools } from './steps/system-tools.mjs'

await runScript(async () => {
  requireNode()
  await ensureInstalled('everything')
  await ensureSystemTools(['pdfsig'])
  const source = ['--conditions=chancela-source', '--import', 'tsx']
  const program = new URL('../services/document-platform/src/workers/test-support/prove/prove.ts', import.meta.url)
  return passThrough(process.execPath, [...source, fileURLToPath(program), ...process.argv.slice(2)])
})
