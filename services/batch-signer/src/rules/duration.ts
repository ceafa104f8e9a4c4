const DAY = 86_400
const HOUR = 3_600
const MINUTE = 60

/** Seconds as settings have them: `2.12:00:00`. */
export function durationText(seconds: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const clock = [(seconds % DAY) / HOUR, (seconds % HOUR) / MINUTE, seconds % MINUTE].map(two).join(':')
  return `${Math.floor(seconds / DAY)}.${clock}`
}
