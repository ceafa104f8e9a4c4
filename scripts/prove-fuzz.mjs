// `npm run prove:fuzz`: a hundred thousand damaged files against every reader of the signature engine.
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { passThrough } from './steps/run-command.mjs'
import { runScript } from './steps/say.mjs'
import { ensureSystemTools } from './steps/system-tools.mjs'

await runScript(async () => {
  requireNode()
  await ensureInstalled('everything')
  await ensureSystemTools(['openssl', 'qpdf'])
  const source = ['--conditions=chancela-source', '--import', 'tsx']
  const program = new URL('../packages/signature-engine/src/fuzz/test-support/prove.ts', import.meta.url)
  return passThrough(process.execPath, [...source, fileURLToPath(program), ...process.argv.slice(2)])
})
