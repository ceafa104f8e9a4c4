import { readFileSync } from 'node:fs'

/**
 * Highest resident memory of a process since its start, in megabytes of a million bytes; not a number where the system
 * does not tell it of another process.
 */
export function peakMemoryOf(pid: number): number {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return (Number(kibibytes) * 1024) / 1e6
  } catch {
    return Number.NaN // systems without /proc
  }
}
