import { DAY, HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import { digestMoment, type Gathered, horizonOf, isMailDue, reminderTime } from './approver-notice.ts'

const noon = new Date('2026-11-18T12:00:00.000Z')
const ago = (milliseconds: number) => plus(noon, -milliseconds)

describe('a reminder', () => {
  test.each([
    [86_400, 4 * HOUR, 20 * HOUR],
    [7200, 4 * HOUR, HOUR],
    [86_400, 0, DAY],
  ])('of a wait of %i s, %i ms before its end, comes %i ms after its beginning', (wait, before, after) => {
    expect(reminderTime({ expiresAfterSeconds: wait }, noon, before)).toEqual(plus(noon, after))
  })

  test('of a wait without an end never comes', () => {
    expect(reminderTime({ expiresAfterSeconds: null }, noon, HOUR)).toBeUndefined()
  })

  test('takes along what is due within the hour', () => {
    expect(horizonOf('Reminder', noon)).toEqual(plus(noon, HOUR))
    expect(horizonOf('Waiting', noon)).toEqual(noon)
  })
})

describe('a mail', () => {
  const pace = { gather: MINUTE, pause: 15 * MINUTE }
  const gathered = (over: Partial<Gathered>): Gathered => ({
    kind: 'Waiting',
    oldest: ago(2 * MINUTE),
    newest: ago(2 * MINUTE),
    lastAt: undefined,
    ...over,
  })

  test.each<[string, Partial<Gathered>, boolean]>([
    ['nothing came for a minute', {}, true],
    ['files still come', { newest: ago(0) }, false],
    ['files come without an end', { oldest: ago(10 * MINUTE), newest: ago(0) }, true],
    ['the last one is not long ago', { lastAt: ago(14 * MINUTE) }, false],
    ['the last one is long ago', { lastAt: ago(15 * MINUTE) }, true],
    ['a reminder is due', { kind: 'Reminder', oldest: ago(0), newest: plus(noon, HOUR) }, true],
    ['a reminder is not yet due', { kind: 'Reminder', oldest: plus(noon, 1), newest: plus(noon, 1) }, false],
  ])('where %s', (_, over, isDue) => {
    expect(isMailDue(gathered(over), pace, noon)).toBe(isDue)
  })
})

describe('the digest', () => {
  const zone = 'America/Sao_Paulo'

  test.each([
    ['2026-11-18T11:00:00.000Z', 8, '2026-11-18T11:00:00.000Z'],
    ['2026-11-18T10:59:59.999Z', 8, '2026-11-17T11:00:00.000Z'],
    ['2026-11-18T02:59:00.000Z', 0, '2026-11-17T03:00:00.000Z'],
  ])('at %s, of %i h at the site, was due at %s', (now, hour, due) => {
    expect(digestMoment(zone, hour, new Date(now)).toISOString()).toBe(due)
  })
})
