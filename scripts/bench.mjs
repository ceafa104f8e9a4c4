// `npm run bench`: measures the compiled product against its limits and peers; passes arguments to the bench program.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './steps/build.mjs'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { passThrough, root } from './steps/run-command.mjs'
import { Hindrance, runScript } from './steps/say.mjs'
import { ensureSystemTools } from './steps/system-tools.mjs'

await runScript(async () => {
  requireNode()
  await ensureInstalled('everything')
  await ensureSystemTools(['wrk', 'taskset', 'openssl', 'pdfsig', 'xmlsec1'])
  await ensureBuilt()
  const program = join(root, 'bench/dist/main.js')
  if (!existsSync(program)) throw new Hindrance('The bench program was not built: run npm run build.')
  return passThrough(process.execPath, ['--expose-gc', program, ...process.argv.slice(2)])
})
