// `npm run check`: everything CI refuses besides failing tests. `npm run check -- lint docs` runs some of it.
import { existsSync } from 'node:fs'
import { installed, passThrough } from './steps/run-command.mjs'
import { Hindrance, runScript, say } from './steps/say.mjs'

/** Each gate and the one command that judges it. */
const gates = {
  lint: [installed('biome'), 'ci', '--error-on-warnings', '.'],
  types: [installed('tsc'), '-b'],
  'test-types': [installed('tsc'), '-p', 'tsconfig.tests.json'],
  'dead-code': [installed('knip'), '--no-progress', '--treat-config-hints-as-errors'],
  docs: [process.execPath, 'scripts/docs.mjs', '--check'],
}

await runScript(async () => {
  // It judges and changes nothing, an install included.
  if (!existsSync(installed('biome')))
    throw new Hindrance('Nothing is installed yet: run npm test or npm run build first.')
  /** @type {string[]} */
  const failed = []
  for (const [name, command] of chosen(process.argv.slice(2))) {
    say(`check: ${name}`)
    const [program, ...args] = command
    if ((await passThrough(/** @type {string} */ (program), args)) !== 0) failed.push(name)
  }
  say(failed.length === 0 ? 'check: all gates passed' : `check: FAILED at ${failed.join(', ')}`)
  return failed.length === 0 ? 0 : 1
})

/** @param {readonly string[]} names */
function chosen(names) {
  const unknown = names.filter((name) => !(name in gates))
  if (unknown.length > 0)
    throw new Hindrance(`No such gate: ${unknown.join(', ')}. There are: ${Object.keys(gates).join(', ')}.`)
  return Object.entries(gates).filter(([name]) => names.length === 0 || names.includes(name))
}
