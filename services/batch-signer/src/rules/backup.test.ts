import { describe, expect, test } from 'vitest'
import { backupName, dueAt, surplusBackups } from './backup.ts'

const now = new Date('2026-03-02T12:00:00Z')
const at = (time: string) => new Date(`2026-03-02T${time}:00Z`)

describe('a scheduled backup is due', () => {
  const due = (succeededAt?: Date, triedAt?: Date, intervalHours: number | undefined = 6) =>
    dueAt({ intervalHours, succeededAt, triedAt }, now)?.toISOString()

  test('IntervalHours after the last success', () => {
    expect(due(at('11:00'))).toBe('2026-03-02T17:00:00.000Z')
  })

  test('at once when there was none, or when its time has passed', () => {
    expect(due()).toBe(now.toISOString())
    expect(due(at('01:00'))).toBe(now.toISOString())
  })

  test('a quarter of an hour after the last try at the soonest', () => {
    expect(due(undefined, at('11:55'))).toBe('2026-03-02T12:10:00.000Z')
    expect(due(at('01:00'), at('11:55'))).toBe('2026-03-02T12:10:00.000Z')
    expect(due(at('11:55'), at('11:55'))).toBe('2026-03-02T17:55:00.000Z')
  })

  test('never without an interval', () => {
    expect(dueAt({ intervalHours: undefined, succeededAt: undefined, triedAt: undefined }, now)).toBeUndefined()
  })
})

describe('surplus backups', () => {
  const names = ['a', 'b', 'c'].map((id, day) => backupName(id.repeat(8), new Date(Date.UTC(2026, 0, 1 + day))))

  test('are the oldest beyond the number to keep; 0 keeps all', () => {
    expect(surplusBackups(names, 2)).toStrictEqual([names[0]])
    expect(surplusBackups([...names].reverse(), 1)).toStrictEqual([names[1], names[0]])
    expect(surplusBackups(names, 0)).toStrictEqual([])
  })

  test('are never files of other names', () => {
    const others = ['notes.txt', 'batch-signer.db', `${names[0]}.part`, `${names[0]}-old`, `old-${names[0]}`]
    expect(surplusBackups([...others, ...names], 3)).toStrictEqual([])
  })
})
