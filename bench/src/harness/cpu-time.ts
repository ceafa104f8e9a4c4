import { readdirSync, readFileSync } from 'node:fs'

// Linux reports CPU time to user space in hundredths of a second on every architecture Node runs on (USER_HZ).
const MS_PER_TICK = 10

/** Reads CPU times, in milliseconds since an arbitrary start; only differences mean something. */
export interface CpuTimes {
  /** All cores of the machine together. */
  machineBusyMs(): number
  /** Children this process has waited for: load generators that have ended. */
  endedChildrenMs(): number
  /** These processes and all their descendants. */
  treeMs(pids: readonly number[]): number
  /** The first thread of a process, which runs the event loop of Node. */
  mainThreadMs(pid: number): number
}

/** CPU times from `/proc`, or undefined on systems without it: the harness then runs without gating. */
export function procCpuTimes(folder = '/proc'): CpuTimes | undefined {
  const read = (file: string) => readFileSync(`${folder}/${file}`, 'utf8')
  try {
    read('stat')
    read('self/stat')
  } catch {
    return undefined // macOS and Windows have no such folder; the report mentions it
  }
  return {
    machineBusyMs: () => busyTicks(read('stat')) * MS_PER_TICK,
    endedChildrenMs: () => parseProcess(read('self/stat')).endedChildrenTicks * MS_PER_TICK,
    treeMs: (pids) => (pids.length === 0 ? 0 : treeTicks(pids, allProcesses(folder, read)) * MS_PER_TICK),
    mainThreadMs: (pid) => parseProcess(read(`${pid}/task/${pid}/stat`)).ownTicks * MS_PER_TICK,
  }
}

/** Busy ticks of the machine from `/proc/stat`: everything but idle and waiting for disks. */
export function busyTicks(stat: string): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = firstLine(stat)
    .split(/\s+/)
    .slice(1)
    .map(Number)
  // Guest time, the ninth column, is already inside user. Steal is time a neighbour took from us: it disturbs.
  return user + nice + system + irq + softirq + steal
}

/** What `/proc/PID/stat` tells of one process. */
export interface ProcessTimes {
  readonly pid: number
  readonly parent: number
  readonly ownTicks: number
  readonly endedChildrenTicks: number
}

/** Parses `/proc/PID/stat` (proc(5)); the name in parentheses may itself hold spaces and parentheses. */
export function parseProcess(stat: string): ProcessTimes {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  // Fields 4 (ppid) and 14 to 17 (utime, stime, cutime, cstime) of the manual page; the slice begins at field 3.
  const [parent = 0, utime = 0, stime = 0, cutime = 0, cstime = 0] = [1, 11, 12, 13, 14].map((index) => fields[index])
  return {
    pid: Number.parseInt(stat, 10),
    parent,
    ownTicks: utime + stime,
    endedChildrenTicks: cutime + cstime,
  }
}

/** CPU of the processes and their descendants; a child that ends moves into its parent's share, so nothing is lost. */
export function treeTicks(roots: readonly number[], processes: readonly ProcessTimes[]): number {
  const family = new Set(roots)
  const isNew = ({ pid, parent }: ProcessTimes) => family.has(parent) && !family.has(pid)
  for (let joined = processes.filter(isNew); joined.length > 0; joined = processes.filter(isNew))
    for (const { pid } of joined) family.add(pid)
  return processes
    .filter(({ pid }) => family.has(pid))
    .reduce((sum, each) => sum + each.ownTicks + each.endedChildrenTicks, 0)
}

function allProcesses(folder: string, read: (file: string) => string): ProcessTimes[] {
  const pids = readdirSync(folder).filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      return [parseProcess(read(`${pid}/stat`))]
    } catch {
      return [] // it ended between the listing and the reading
    }
  })
}

const firstLine = (text: string): string => text.slice(0, text.indexOf('\n'))
