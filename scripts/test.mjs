// `npm test`: every test, from a bare clone. Arguments go to the test runner: `npm test -- packages/testkit`.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './steps/build.mjs'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { installed, passThrough, root } from './steps/run-command.mjs'
import { runScript } from './steps/say.mjs'
import { ensureSystemTools } from './steps/system-tools.mjs'
import { reportPath, secondsOfParts, tableOf } from './steps/test-seconds.mjs'

/** Third-party programs that the tests run. */
const testTools = /** @type {const} */ ([
  'openssl',
  'chromium-headless-shell',
  'pdfsig',
  'pdftotext',
  'qpdf',
  'xmlsec1',
  'sqlite3',
  'curl',
  'unzip',
  'zip',
  'perl',
  'python3',
  'systemd-analyze',
  'gio',
  'setpriv',
  'xmllint',
  'softhsm2-util',
])

const report = reportPath(root)

await runScript(async () => {
  requireNode()
  await ensureInstalled('everything')
  await ensureSystemTools(testTools)
  await ensureBuilt()
  const code = await runTests(process.argv.slice(2))
  console.log(summary())
  return code
})

/** @param {readonly string[]} args */
function runTests(args) {
  mkdirSync(join(report, '..'), { recursive: true })
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  // The gates are the work of `npm run check`.
  const projects = ['--project', 'shared', '--project', 'alone']
  return passThrough(installed('vitest'), ['run', ...projects, ...reporters, ...args])
}

/** How long each part took compared with its budget, and at the end one plain line for people and programs. */
function summary() {
  if (!existsSync(report)) return '0 passed, 1 failed'
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''
  const parts = tableOf(secondsOfParts(testResults, root))
  return `${parts}\n\n${numPassedTests} passed, ${numFailedTests} failed${skipped}`
}
