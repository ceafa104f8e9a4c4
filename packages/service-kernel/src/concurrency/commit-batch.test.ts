import { describe, expect, test } from 'vitest'
import { CommitBatch, type Pending } from './commit-batch.ts'

function batchOf({ most = 256, gathers = 'first' as 'first' | 'each', during = (_written: number) => {} } = {}) {
  const written: number[][] = []
  const write = async (pending: readonly Pending<number, number>[]) => {
    written.push(pending.map(({ entry }) => entry))
    during(written.length)
    await new Promise(setImmediate)
    for (const { entry, resolve, reject } of pending) {
      if (entry < 0) reject(new Error(`${entry} is wrong`))
      else resolve(entry * 10)
    }
  }
  return { batch: new CommitBatch<number, number>({ write, most, gathers }), written }
}

describe.each(['first', 'each'] as const)('a commit batch that gathers before the %s', (gathers) => {
  test('writes what many say in one turn together and answers each with its own', async () => {
    const { batch, written } = batchOf({ gathers })
    const answers = await Promise.allSettled([1, -2, 3].map((entry) => batch.add(entry)))
    expect(answers).toMatchObject([{ value: 10 }, { reason: { message: '-2 is wrong' } }, { value: 30 }])
    expect(written).toEqual([[1, -2, 3]])
  })

  test('gathers what comes while it writes, and never more than may be written together', async () => {
    const late: Promise<number>[] = []
    const during = (count: number) => {
      if (count === 1) late.push(...[4, 5, 6].map((entry) => batch.add(entry)))
    }
    const { batch, written } = batchOf({ gathers, most: 2, during })
    await Promise.all([1, 2, 3].map((entry) => batch.add(entry)))
    expect(await Promise.all(late)).toEqual([40, 50, 60])
    expect(written).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ])
  })

  test('is idle when all that was said is written, and goes on with what comes later', async () => {
    const { batch, written } = batchOf({ gathers, most: 1 })
    await batch.idle()
    void batch.add(1)
    void batch.add(2)
    await batch.idle()
    expect(written).toEqual([[1], [2]])
    expect(await batch.add(3)).toBe(30)
  })
})

test('whoever says the next thing once he was answered comes along only where each batch is gathered', async () => {
  const saidAgain = async (gathers: 'first' | 'each') => {
    const { batch, written } = batchOf({ gathers, most: 2 })
    const again = batch.add(1).then(async () => {
      for (let step = 0; step < 10; step += 1) await Promise.resolve()
      return batch.add(4)
    })
    await Promise.all([again, batch.add(2), batch.add(3)])
    return written
  }
  expect(await saidAgain('each')).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect(await saidAgain('first')).toEqual([[1, 2], [3], [4]])
})
