// Adds the migration steps that are new to apps/cli/landed-steps.json; those that landed are left as they are.
import { passThrough } from './steps/run-command.mjs'
import { runScript } from './steps/say.mjs'

await runScript(() => {
  const source = ['--conditions=chancela-source', '--import', 'tsx']
  return passThrough(process.execPath, [...source, 'scripts/schemas/land-steps.ts'])
})
