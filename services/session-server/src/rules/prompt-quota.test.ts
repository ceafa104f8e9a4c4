import { expect, test } from 'vitest'
import { countingUse, mayAsk } from './prompt-quota.ts'

const rules = { most: 2, window: 300_000, quiet: 60_000 }
const now = new Date('2026-11-15T12:00:00.000Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)

test('a screen is used so many times in the window, and again when the oldest is out of it', () => {
  expect(mayAsk({ asked: [] }, now, rules)).toBe(true)
  expect(mayAsk({ asked: [ago(10)] }, now, rules)).toBe(true)
  expect(mayAsk({ asked: [ago(20), ago(10)] }, now, rules)).toBe(false)
  expect(mayAsk({ asked: [ago(299), ago(10)] }, now, rules)).toBe(false)
  expect(mayAsk({ asked: [ago(300), ago(10)] }, now, rules)).toBe(true)
})

test('after a refusal it is quiet for a while', () => {
  expect(mayAsk({ asked: [], refusedAt: ago(59) }, now, rules)).toBe(false)
  expect(mayAsk({ asked: [], refusedAt: ago(60) }, now, rules)).toBe(true)
})

test('where none may be asked by CPF, none is', () => {
  expect(mayAsk({ asked: [] }, now, { ...rules, most: 0 })).toBe(false)
})

test('what counts no more is dropped', () => {
  expect(countingUse({ asked: [ago(400), ago(10)], refusedAt: ago(61) }, now, rules)).toEqual({ asked: [ago(10)] })
  expect(countingUse({ asked: [], refusedAt: ago(1) }, now, rules)).toEqual({ asked: [], refusedAt: ago(1) })
})
