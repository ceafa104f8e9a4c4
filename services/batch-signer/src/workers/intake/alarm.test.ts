import { expect, test } from 'vitest'
import { Alarm } from './alarm.ts'

test('a ring ends a sleep, and one while nobody sleeps ends the next', async () => {
  const alarm = new Alarm()
  const sleeping = alarm.sleep()
  alarm.ring()
  await sleeping
  alarm.ring()
  alarm.ring()
  await alarm.sleep()
  const woken: string[] = []
  const third = alarm.sleep().then(() => woken.push('third'))
  await new Promise(setImmediate)
  expect(woken).toEqual([])
  alarm.ring()
  await third
})
