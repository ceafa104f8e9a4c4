// `npm run prove:mutants`: small mistakes planted in the code, and whether the tests find them.
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { passThrough } from './steps/run-command.mjs'
import { runScript } from './steps/say.mjs'
import { ensureSystemTools } from './steps/system-tools.mjs'

await runScript(async () => {
  requireNode()
  await ensureInstalled('everything')
  await ensureSystemTools(['openssl', 'pdfsig', 'qpdf', 'xmlsec1', 'xmllint'])
  const source = ['--conditions=chancela-source', '--import', 'tsx']
  return passThrough(process.execPath, [...source, 'scripts/mutants/main.ts', ...process.argv.slice(2)])
})
