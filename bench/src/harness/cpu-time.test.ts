import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { busyTicks, type ProcessTimes, parseProcess, procCpuTimes, treeTicks } from './cpu-time.ts'

const processOf = (pid: number, parent: number, ownTicks: number, endedChildrenTicks = 0): ProcessTimes => ({
  pid,
  parent,
  ownTicks,
  endedChildrenTicks,
})

describe('CPU times', () => {
  test('the machine is busy in every column of /proc/stat but idle and iowait, and guest time counts once', () => {
    const stat = 'cpu  100 20 30 5000 700 4 6 8 90 10\ncpu0 1 1 1 1 1 1 1 1 1 1\n'
    expect(busyTicks(stat)).toBe(100 + 20 + 30 + 4 + 6 + 8)
  })

  test('a process whose name holds spaces and parentheses is read right', () => {
    const stat = '4711 (tricky) 1 name) S 42 4711 4711 0 -1 4194560 1 2 3 4 250 50 7 3 20 0 11 0 12345 1 2 3\n'
    expect(parseProcess(stat)).toEqual({ pid: 4711, parent: 42, ownTicks: 300, endedChildrenTicks: 10 })
  })

  test('a tree counts descendants at any depth, ended children, and no strangers', () => {
    const processes = [processOf(30, 20, 4), processOf(10, 1, 1, 16), processOf(20, 10, 2), processOf(99, 1, 1000)]
    expect(treeTicks([10], processes)).toBe(1 + 16 + 2 + 4)
  })

  test('a root inside the tree of another root counts once', () => {
    expect(treeTicks([10, 20], [processOf(10, 1, 1), processOf(20, 10, 2)])).toBe(3)
  })

  test('the main thread of a process counts without the others', () => {
    const folder = temporaryFolder()
    const put = (name: string, ticks: number) => {
      mkdirSync(join(folder, name), { recursive: true })
      writeFileSync(join(folder, name, 'stat'), `7 (node) S 1 7 7 0 -1 0 1 2 3 4 ${ticks} 0 0 0 20 0 11 0 1 1 2 3\n`)
    }
    for (const [name, ticks] of Object.entries({ '.': 0, self: 0, '7': 90, '7/task/7': 25 })) put(name, ticks)
    expect(procCpuTimes(folder)?.mainThreadMs(7)).toBe(250)
  })

  test('a system without /proc tells no CPU times', () => {
    expect(procCpuTimes('/there-is-no-such-folder')).toBeUndefined()
  })

  test.runIf(process.platform === 'linux')(
    'work of an ended child appears as such and in the tree of this process',
    () => {
      const times = procCpuTimes()
      const [childrenBefore, treeBefore] = [times?.endedChildrenMs() ?? 0, times?.treeMs([process.pid]) ?? 0]
      execFileSync(process.execPath, [
        '-e',
        'const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end);',
      ])
      expect((times?.endedChildrenMs() ?? 0) - childrenBefore).toBeGreaterThanOrEqual(250)
      expect((times?.treeMs([process.pid]) ?? 0) - treeBefore).toBeGreaterThanOrEqual(250)
    },
  )
})
