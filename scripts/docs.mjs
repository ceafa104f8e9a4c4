// `npm run docs` regenerates the documents; `npm run docs:check` fails when one is outdated, a link is
// dead, or a threat names a test that is not there.
import { passThrough } from './steps/run-command.mjs'
import { runScript } from './steps/say.mjs'

await runScript(() => {
  const source = ['--conditions=chancela-source', '--import', 'tsx']
  return passThrough(process.execPath, [...source, 'scripts/documents/main.ts', ...process.argv.slice(2)])
})
