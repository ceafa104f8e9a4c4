import { DAY } from '@chancela/service-kernel/clock'

/** Whether a certificate is within the earliest notice before its end, or past it. */
export const isExpiring = (notAfter: Date, days: readonly number[], now: Date): boolean =>
  daysLeft(notAfter, now) <= Math.max(0, ...days)

/** Whole days until the certificate ends, rounded up: 1 on the last day; 0 or less when it has ended. */
export const daysLeft = (notAfter: Date, now: Date): number => Math.ceil((notAfter.getTime() - now.getTime()) / DAY)

/**
 * The notice that is due: of those whose day has come, the one nearest to the end. Undefined before the first and after
 * the end, which holds the profile and is told as that.
 */
export function noticeDue(notAfter: Date, days: readonly number[], now: Date): number | undefined {
  const left = daysLeft(notAfter, now)
  if (left <= 0) return undefined
  return [...days].sort((a, b) => a - b).find((day) => left <= day)
}
