import { expect, test } from 'vitest'
import { noticesOf } from './shown-notices.ts'

const shown = (checks: Parameters<typeof noticesOf>[0]) =>
  noticesOf(checks).map(({ cause, who, detail }) => [cause, who, detail])

test('a page names each cause once, with all whom it is about and the reason of each', () => {
  expect(
    shown([
      { name: 'provider:Um', ok: false, detail: 'refused' },
      { name: 'provider:Dois', ok: true },
      { name: 'provider:Tres', ok: false, detail: 'late' },
      { name: 'disk', ok: false, detail: 'full' },
    ]),
  ).toEqual([
    ['provider', 'Um, Tres', 'Um: refused; Tres: late'],
    ['disk', '', 'full'],
  ])
})

test('what refuses calls comes first', () => {
  expect(
    shown([
      { name: 'disk', ok: false },
      { name: 'database', ok: false },
    ]).map(([cause]) => cause),
  ).toEqual(['database', 'disk'])
})

test('a certificate that has ended hides its own warning, and no other', () => {
  expect(
    shown([
      { name: 'certificate:tls', ok: false },
      { name: 'certificate-expiring:tls', ok: false },
      { name: 'certificate-expiring:provider:Um', ok: false },
    ]),
  ).toEqual([
    ['certificate', 'tls', ''],
    ['certificate-expiring', 'provider:Um', ''],
  ])
})
