import { expect, test } from 'vitest'
import { secondsOfParts, tableOf } from './test-seconds.mjs'

const file = (name: string, seconds: number, tests: number) => ({
  name: `/house/${name}`,
  startTime: 1_000,
  endTime: 1_000 + seconds * 1_000,
  assertionResults: Array.from({ length: tests }),
})

test('files are added up by package, service and app, and by folder elsewhere', () => {
  const parts = secondsOfParts(
    [
      file('services/cloud-hub/test/a.test.ts', 3, 2),
      file('services/cloud-hub/src/b/c.test.ts', 4.5, 1),
      file('scripts/steps/d.test.ts', 1, 5),
      file('bench/src/e.test.ts', 2, 1),
    ],
    '/house/',
  )
  expect(parts).toMatchObject([
    { part: 'services/cloud-hub', files: 2, tests: 3, seconds: 7.5 },
    { part: 'bench', files: 1, tests: 1, seconds: 2 },
    { part: 'scripts', files: 1, tests: 5, seconds: 1 },
  ])
})

test('a part over its budget is marked, and one without a budget said so', () => {
  const parts = secondsOfParts(
    [file('services/cloud-hub/a.test.ts', 9_999, 1), file('elsewhere/b.test.ts', 1, 1)],
    '/house/',
  )
  expect(tableOf(parts)).toMatch(/cloud-hub .* 9999 s of \d+ s, OVER\nelsewhere .* 1 s no budget$/)
})
