import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** What tells a process from every other, as far as the system says it. */
export interface ProcessMark {
  /** The machine since its start, and the space in which process ids are unique; null where that is unknown. */
  readonly space: string | null
  readonly pid: number
  /** When the process started, in the kernel's ticks: process ids are used again. */
  readonly startedAt: string | null
}

export const thisProcess = (): ProcessMark => ({ space: spaceOf(), pid: process.pid, startedAt: startOf(process.pid) })

/** Whether a process is certainly gone. False when it runs, or when this process cannot tell. */
export const isCertainlyGone = ({ space, pid, startedAt }: ProcessMark): boolean =>
  space !== null && startedAt !== null && space === spaceOf() && startOf(pid) !== startedAt

function spaceOf(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    // Not Linux, or no /proc: then only the signs of life tell.
    return null
  }
}

function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The 22nd field; the second is a name in parentheses, which may contain anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
