import { expect, test } from 'vitest'
import { Bucket } from './bucket.ts'

function takenAt(bucket: Bucket, now: number): number {
  let taken = 0
  for (; bucket.allows(now); taken += 1) bucket.take()
  return taken
}

test('allows what it holds at once, and then its rate', () => {
  const bucket = new Bucket(10, 4)
  expect(takenAt(bucket, 1_000)).toBe(4)
  expect(bucket.wait).toBe(100)
  expect(takenAt(bucket, 1_099)).toBe(0)
  expect(takenAt(bucket, 1_100)).toBe(1)
  expect(takenAt(bucket, 60_000)).toBe(4)
})
