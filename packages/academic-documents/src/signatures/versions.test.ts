import { expect, test } from 'vitest'
import { versionOn } from './index.ts'

test.each([
  ['1.05', '2022-10-16', 'not-yet'],
  ['1.05', '2022-10-17', 'in-force'],
  ['1.05', '2030-01-01', 'in-force'],
  ['1.04.1', '2022-05-01', 'not-yet'],
  ['1.04.1', '2023-02-14', 'in-force'],
  ['1.04.1', '2023-02-15', 'superseded'],
  ['1.02', '2020-12-14', 'not-yet'],
  ['1.02', '2021-06-30', 'in-force'],
  ['1.02', '2026-01-01', 'superseded'],
  ['1.06', '2026-01-01', 'unknown'],
] as const)('the version %s on %s is %s', (version, day, verdict) => {
  expect(versionOn(version, day)).toBe(verdict)
})
