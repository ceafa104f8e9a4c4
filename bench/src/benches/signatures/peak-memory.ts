import { readFileSync } from 'node:fs'

/**
 * Peak resident memory of this process, in megabytes of a million bytes. From /proc where available: maxRSS of
 * `getrusage` starts with the memory of the parent at the time of the fork.
 */
export function peakMemoryMb(): number {
  const kibibytes = highWaterMark() ?? process.resourceUsage().maxRSS
  return (kibibytes * 1024) / 1e6
}

function highWaterMark(): number | undefined {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return kibibytes === undefined ? undefined : Number(kibibytes)
  } catch {
    return undefined // systems without /proc
  }
}
