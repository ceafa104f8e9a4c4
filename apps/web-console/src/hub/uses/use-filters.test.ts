import { expect, test } from 'vitest'
import { filtersOfUses, usesAsked } from './use-filters.ts'

test('what an address says is asked, and what it should not say is not kept', () => {
  expect(filtersOfUses({ action: 'sign', outcome: 'failed', from: '2026-02-28', to: 'soon', other: 'x' })).toEqual({
    action: 'sign',
    outcome: 'failed',
    from: '2026-02-28',
  })
  expect(filtersOfUses({ action: 'dance', sessionId: ' 7 ' })).toEqual({ sessionId: '7' })
})

test('the last day counts, and outcomes are those of the contract', () => {
  const asked = usesAsked({ outcome: 'well', to: '2026-02-28' })
  expect(asked.failed).toBe('false')
  expect(new Date(asked.to!).getMonth()).toBe(2)
  expect(usesAsked({}).failed).toBeUndefined()
})
