// `node scripts/keep-databases.mjs <version>`: keeps a small database of every service, as this version leaves it, in
// apps/cli/test/databases; a test migrates each of them from then on.
import { passThrough } from './steps/run-command.mjs'
import { runScript } from './steps/say.mjs'

await runScript(() => {
  const source = ['--conditions=chancela-source', '--import', 'tsx']
  return passThrough(process.execPath, [...source, 'scripts/schemas/keep-databases.ts', ...process.argv.slice(2)])
})
