import { readFileSync } from 'node:fs'

/**
 * Peak resident memory of a process since its start, in megabytes of a million bytes; NaN where the system does not
 * report it for another process.
 */
export function peakMemoryOf(pid: number): number {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return (Number(kibibytes) * 1024) / 1e6
  } catch {
    return Number.NaN // systems without /proc
  }
}
