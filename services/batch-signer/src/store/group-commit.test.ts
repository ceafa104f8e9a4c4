import { isStoreUnreachable } from '@chancela/service-kernel/errors'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts'

class Passing extends Error {}

const groupOf = (over: Partial<GroupCommitOptions<number, number>>) =>
  new GroupCommit<number, number>({
    commit: async (entries) => entries.map((entry) => entry * 10),
    passes: (error) => error instanceof Passing,
    onTrouble: () => {},
    onRecovery: () => {},
    retryMs: 1,
    ...over,
  })

describe('a group commit', () => {
  test('writes what many say in one turn at once and answers each with its own result', async () => {
    const written: (readonly number[])[] = []
    const group = groupOf({
      commit: async (entries) => {
        written.push(entries)
        return entries.map((entry) => entry * 10)
      },
    })
    expect(await Promise.all([1, 2, 3].map((entry) => group.add(entry)))).toEqual([10, 20, 30])
    expect(written).toEqual([[1, 2, 3]])
  })

  test('gathers what comes while it writes, and never more than a transaction may hold', async () => {
    const written: (readonly number[])[] = []
    const late: Promise<number>[] = []
    const group: GroupCommit<number, number> = groupOf({
      most: 2,
      commit: async (entries) => {
        written.push(entries)
        if (written.length === 1) late.push(...[4, 5, 6].map((entry) => group.add(entry)))
        return [...entries]
      },
    })
    await Promise.all([1, 2, 3].map((entry) => group.add(entry)))
    expect(await Promise.all(late)).toEqual([4, 5, 6])
    expect(written).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ])
  })

  test('keeps its callers waiting while the store cannot write, and tells once of the trouble and of its end', async () => {
    const told: string[] = []
    const tries: boolean[] = []
    const group = groupOf({
      commit: async (entries, again) => {
        tries.push(again)
        if (tries.length < 4) throw new Passing()
        return [...entries]
      },
      onTrouble: () => told.push('trouble'),
      onRecovery: () => told.push('recovery'),
    })
    expect(await Promise.all([group.add(1), group.add(2)])).toEqual([1, 2])
    expect(tries).toEqual([false, true, true, true])
    expect(told).toEqual(['trouble', 'recovery'])
  })

  test('an entry the store cannot take is refused alone', async () => {
    const written: number[] = []
    const group = groupOf({
      commit: async (entries) => {
        if (entries.includes(3)) throw new Error('Not storable.')
        written.push(...entries)
        return [...entries]
      },
    })
    const answers = await Promise.allSettled([1, 2, 3, 4, 5].map((entry) => group.add(entry)))
    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(written).toEqual([1, 2, 4, 5])
  })

  test('closing waits for what was said', async () => {
    const group = groupOf({})
    const answer = group.add(1)
    await group.close()
    expect(await answer).toBe(10)
  })

  test('closing gives up on a store that stays in trouble', async () => {
    const group = groupOf({ commit: () => Promise.reject(new Passing()) })
    const answers = Promise.allSettled([group.add(1), group.add(2)])
    await group.close()
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  test('a caller that does not wait is told of the trouble at once, and its entry is taken back', async () => {
    const written: (readonly number[])[] = []
    let fails = true
    const group = groupOf({
      commit: async (entries) => {
        if (fails) throw new Passing()
        written.push(entries)
        return [...entries]
      },
      withdrawal: (entry) => -entry,
    })
    const waiting = group.add(1)
    await expect(group.addInTime(2, 60_000)).rejects.toThrow(Passing)
    await expect(group.addInTime(3, 60_000), 'while it lasts').rejects.toThrow(Passing)
    expect(() => group.requireNoTrouble()).toThrow(Passing)
    fails = false
    await waiting
    await group.close()
    expect(written).toEqual([[1, -2]])
    group.requireNoTrouble()
    expect(await group.addInTime(4, 60_000)).toBe(4)
  })

  test('a caller is told in time of a store that says nothing; what it wrote after all is taken back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const written: (readonly number[])[] = []
    let answer: (() => void) | undefined
    const group = groupOf({
      commit: async (entries) => {
        if (written.push(entries) === 1)
          await new Promise<void>((resolve) => {
            answer = resolve
          })
        return [...entries]
      },
      withdrawal: (entry) => -entry,
    })
    const late = expect(group.addInTime(1, 10_000)).rejects.toSatisfy(isStoreUnreachable)
    while (!answer) await new Promise((resolve) => setImmediate(resolve))
    vi.advanceTimersByTime(10_000)
    await late
    answer()
    await group.close()
    expect(written).toEqual([[1], [-1]])
  })
})
