// `npm run docs` writes the generated documents anew; `npm run docs:check` fails when one drifts or a link is dead.
import { passThrough } from './steps/run-command.mjs'
import { runScript } from './steps/say.mjs'

await runScript(() => {
  const source = ['--conditions=chancela-source', '--import', 'tsx']
  return passThrough(process.execPath, [...source, 'scripts/documents/main.ts', ...process.argv.slice(2)])
})
