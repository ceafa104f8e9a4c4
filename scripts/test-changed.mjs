// `npm run test:changed`: the tests that the last changes affect, for the minute between two edits. Changes are those
// not committed yet or, in a clean tree, the last commit; `npm run test:changed -- main` compares with a branch.
import { execFileSync } from 'node:child_process'
import { nearTests } from './steps/near-tests.mjs'
import { installed, passThrough, root } from './steps/run-command.mjs'
import { runScript, say } from './steps/say.mjs'

/** Gates check the whole repository; `npm run check` runs them. */
const projects = ['--project', 'shared', '--project', 'alone']

await runScript(async () => {
  const since = process.argv[2] ?? (isClean() ? 'HEAD~1' : 'HEAD')
  const changed = changedSince(since)
  if (changed.length === 0) {
    say(`Nothing changed since ${since}.`)
    return 0
  }
  const { near, far } = nearTests(changed, testsReaching(since))
  if (far > 0) say(`${far} more test files of other packages reach what changed: npm test runs them.`)
  if (near.length === 0) {
    say('No test file of the packages that changed reaches the change.')
    return 0
  }
  return passThrough(installed('vitest'), ['run', ...projects, ...near])
})

/** @param {readonly string[]} args */
function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
}

function isClean() {
  return git('status', '--porcelain').length === 0
}

/** @param {string} since */
function changedSince(since) {
  return [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
}

/** Every test file that imports changed code, directly or not.
 * @param {string} since @returns {string[]} */
function testsReaching(since) {
  const args = ['list', '--filesOnly', '--json', '--changed', since, ...projects]
  const listed = JSON.parse(
    execFileSync(installed('vitest'), args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }),
  )
  return listed.map((/** @type {{ file: string }} */ { file }) => file.slice(root.length))
}
