// `npm run check`: everything CI refuses besides failing tests. `npm run check -- lint docs` runs some of it.
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { withProgress } from './steps/progress.mjs'
import { heard, installed } from './steps/run-command.mjs'
import { Hindrance, runScript, say } from './steps/say.mjs'

/** Checked separately, because their globals differ: Node, Node with a browser, browsers, one router of pages each. */
const programs = [
  'tsconfig.json',
  'tsconfig.tests.json',
  'packages/client',
  'apps/web-console',
  'apps/web-console/src/documents',
  'apps/web-console/src/core',
  'apps/web-console/src/credentials',
  'apps/web-console/src/hub',
  'apps/web-console/src/sessions',
]
// One checker for each: several on one program check the same types again, and there are more programs than cores.
const threads = ['--checkers', '1', '--builders', String(availableParallelism())]

/** Each gate and the one command that judges it. */
const gates = {
  types: [installed('tsc'), '-b', ...threads, ...programs],
  lint: [installed('biome'), 'ci', '--error-on-warnings', '.'],
  house: [process.execPath, 'scripts/house.mjs'],
  'dead-code': [installed('knip'), '--no-progress', '--treat-config-hints-as-errors'],
  docs: [process.execPath, 'scripts/docs.mjs', '--check'],
  // That the gates refuse what they should, and that packages contain what their users need.
  gates: [installed('vitest'), 'run', '--project', 'gates'],
}

await runScript(async () => {
  // It only checks and changes nothing, so it installs nothing either.
  if (!existsSync(installed('biome')))
    throw new Hindrance('The gates are not installed yet: run npm ci or npm test first.')
  const verdicts = await withProgress('Checking', (reached) => judgeAll(chosen(process.argv.slice(2)), reached))
  const failed = verdicts.filter(({ passed }) => !passed).map(({ name }) => name)
  say(failed.length === 0 ? 'check: all gates passed' : `check: FAILED at ${failed.join(', ')}`)
  return failed.length === 0 ? 0 : 1
})

/** Side by side: no gate needs another, and each leaves a core idle now and then.
 * @param {[string, string[]][]} asked @param {import('./steps/progress.mjs').Reached} reached */
function judgeAll(asked, reached) {
  let done = 0
  return Promise.all(
    asked.map(async ([name, command]) => {
      const passed = await judge(name, command)
      done += 1
      reached(done, asked.length, 'gates')
      return { name, passed }
    }),
  )
}

/** What a gate has to say is printed in one piece when it is through.
 * @param {string} name @param {readonly string[]} command */
async function judge(name, [program = '', ...args]) {
  const { code, output } = await heard(program, args)
  say(`check: ${name} ${code === 0 ? 'passed' : 'FAILED'}`)
  if (code !== 0) process.stdout.write(`${output.trimEnd()}\n`)
  return code === 0
}

/** @param {readonly string[]} names */
function chosen(names) {
  const unknown = names.filter((name) => !(name in gates))
  if (unknown.length > 0)
    throw new Hindrance(`No such gate: ${unknown.join(', ')}. There are: ${Object.keys(gates).join(', ')}.`)
  return Object.entries(gates).filter(([name]) => names.length === 0 || names.includes(name))
}
