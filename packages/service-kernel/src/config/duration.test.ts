import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../clock/index.ts'
import { faultsOf } from './check-value.ts'
import { duration, durationOf, readDuration } from './duration.ts'

test.each([
  ['00:20:00', 20 * MINUTE],
  ['23:59:59', DAY - SECOND],
  ['30.00:00:00', 30 * DAY],
  ['1.02:03:04', DAY + 2 * HOUR + 3 * MINUTE + 4 * SECOND],
  ['00:00:00', 0],
  ['PT20M', 20 * MINUTE],
  ['P30D', 30 * DAY],
  ['P2W', 14 * DAY],
  ['P1DT2H', DAY + 2 * HOUR],
  ['PT0S', 0],
])('%s is read', (text, milliseconds) => {
  expect(readDuration(text)).toBe(milliseconds)
})

test.each(['', '20', '00:20', '24:00:00', '30:00:00', '1.24:00:00', '00:60:00', '-00:01:00', 'P', 'PT', 'P1DT', 'P1M'])(
  '%s is refused: it is none, or could mean two',
  (text) => {
    expect(readDuration(text)).toBeUndefined()
    expect(() => durationOf(text)).toThrow(/no duration/)
  },
)

test('a setting takes what is within its limits, and says what it takes', () => {
  const setting = duration({ minimum: '00:00:01', maximum: '00:05:00', default: '00:00:10' }, 'A pause.')
  for (const text of ['00:00:01', 'PT5M']) expect(faultsOf(setting, text)).toEqual([])
  for (const text of ['00:00:00', 'PT301S', 'soon'])
    expect(faultsOf(setting, text)).toMatchObject([
      { sentence: expect.stringMatching(/^must be a duration such as .* from 00:00:01 to 00:05:00, is "/) },
    ])
})
