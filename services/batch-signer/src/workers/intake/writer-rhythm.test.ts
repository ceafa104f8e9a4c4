import { expect, test } from 'vitest'
import { WriterRhythm } from './writer-rhythm.ts'

test('a folder of which nothing is known yet gives its files five windows of rest', () => {
  expect(new WriterRhythm(1_500).quietMs).toBe(7_500)
})

test('files rest three times as long as the longest pause of the folder’s writers', () => {
  const rhythm = new WriterRhythm(1_500)
  for (const pause of [1_000, 6_000, 2_000]) rhythm.wentOnAfter(pause)
  expect(rhythm.quietMs).toBe(18_000)
})

test('each file that was taken too early makes it three times as long, up to ten minutes', () => {
  const rhythm = new WriterRhythm(1_500)
  rhythm.wasTakenTooEarly()
  expect(rhythm.quietMs).toBe(22_500)
  for (let times = 0; times < 5; times += 1) rhythm.wasTakenTooEarly()
  expect(rhythm.quietMs).toBe(600_000)
})
