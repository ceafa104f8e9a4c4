import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reportPath } from '../steps/test-seconds.mjs'

interface Report {
  readonly testResults: readonly { readonly name: string; readonly startTime: number; readonly endTime: number }[]
}

/** How long each test file took in the last `npm test` here; empty if there was none. */
export function lastRun(root: string): ReadonlyMap<string, number> {
  const path = reportPath(root)
  const { testResults }: Report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { testResults: [] }
  return new Map(
    testResults.map(({ name, startTime, endTime }) => [name.slice(join(root, '/').length), endTime - startTime]),
  )
}
