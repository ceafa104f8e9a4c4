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

test('a sleep says whether it was rung or its time was over', async () => {
  const alarm = new Alarm()
  expect(await alarm.sleep(1)).toBe('timeout')
  alarm.ring()
  expect(await alarm.sleep(60_000)).toBe('rung')
  const sleeping = alarm.sleep(60_000)
  alarm.ring()
  expect(await sleeping).toBe('rung')
  expect(await alarm.sleep(1)).toBe('timeout')
})
