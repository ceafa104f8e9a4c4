/** How far some work is. */
export interface Advance {
  readonly done: number
  readonly total: number
  /** Milliseconds since it began. */
  readonly elapsed: number
}

const WIDTH = 20

/** `[#####               ]  25 %  12.5 MB/s  00:42 left`: the rate of bytes, and how long the rest takes at that rate. */
export function progressLine({ done, total, elapsed }: Advance): string {
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH)
  const percent = `${Math.round(share * 100)} %`.padStart(5)
  if (done === 0 || elapsed === 0) return `[${bar}] ${percent}`
  const rate = done / elapsed
  return `[${bar}] ${percent}  ${(rate / 1000).toFixed(1)} MB/s  ${clock(Math.max(0, total - done) / rate)} left`
}

/** Minutes and seconds, with hours where there are some. */
function clock(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'))
  const hours = Math.floor(seconds / 3600)
  return (hours > 0 ? [String(hours), ...parts] : parts).join(':')
}
