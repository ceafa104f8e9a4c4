import { durationOf } from '@chancela/service-kernel/config'
import { expect, test } from 'vitest'
import { durationText } from './duration.ts'

test.each([1, 59, 3_599, 86_399, 86_400, 217_815])('%d seconds are written as settings are read', (seconds) => {
  expect(durationOf(durationText(seconds))).toBe(seconds * 1000)
})
