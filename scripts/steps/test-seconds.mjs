// How long the tests of each part of the repository took, and their budgets of docs/testing.md.
import { join } from 'node:path'

/** Where `npm test` stores its last report.
 * @param {string} root */
export const reportPath = (root) => join(root, 'node_modules/.cache/chancela/test-report.json')

/**
 * Seconds of test files of each part, added up over all workers of a quiet machine with two cores. Three workers have
 * 2160 of them in twelve minutes; the two services to come have their share.
 */
const budgets = {
  'apps/web-console': 390,
  'services/batch-signer': 240,
  'services/document-platform': 220,
  'packages/signature-engine': 220,
  'services/session-server': 200,
  'packages/service-kernel': 80,
  'services/credential-platform': 150,
  'services/cloud-hub': 130,
  'services/pki-core': 120,
  'apps/demo': 100,
  'packages/testkit': 70,
  'packages/outbox': 80,
  bench: 70,
  scripts: 30,
  'apps/cli': 40,
  'packages/client': 10,
  'packages/academic-documents': 60,
  'packages/service-links': 10,
  'apps/workstation-agent': 10,
}

/**
 * @typedef {{ readonly name: string, readonly startTime: number, readonly endTime: number, readonly assertionResults: readonly unknown[] }} FileResult
 * @typedef {{ readonly part: string, readonly files: number, readonly tests: number, readonly seconds: number, readonly budget: number | undefined }} PartSeconds
 */

/** The parts that ran, the longest first.
 * @param {readonly FileResult[]} results
 * @param {string} root
 * @returns {readonly PartSeconds[]} */
export function secondsOfParts(results, root) {
  /** @type {Map<string, { files: number, tests: number, seconds: number }>} */
  const parts = new Map()
  for (const { name, startTime, endTime, assertionResults } of results) {
    const part = partOf(name.slice(root.length))
    const sum = parts.get(part) ?? { files: 0, tests: 0, seconds: 0 }
    const seconds = sum.seconds + (endTime - startTime) / 1000
    parts.set(part, { files: sum.files + 1, tests: sum.tests + assertionResults.length, seconds })
  }
  return [...parts]
    .map(([part, sum]) => ({ part, ...sum, budget: /** @type {Record<string, number>} */ (budgets)[part] }))
    .sort((one, other) => other.seconds - one.seconds)
}

/** Two folders deep where one holds several parts: `services/cloud-hub`, but `bench`.
 * @param {string} path */
function partOf(path) {
  const [floor = '', room = ''] = path.split('/').filter(Boolean)
  return ['packages', 'services', 'apps'].includes(floor) ? `${floor}/${room}` : floor
}

/** One line a part; those over their budget are marked.
 * @param {readonly PartSeconds[]} parts */
export const tableOf = (parts) =>
  parts
    .map(({ part, files, tests, seconds, budget }) => {
      const allowed = budget === undefined ? 'no budget' : `of ${budget} s${seconds > budget ? ', OVER' : ''}`
      return `${part.padEnd(28)}${String(files).padStart(4)} files${String(tests).padStart(6)} tests${seconds.toFixed(0).padStart(6)} s ${allowed}`
    })
    .join('\n')
