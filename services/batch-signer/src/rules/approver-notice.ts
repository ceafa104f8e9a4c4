import { DAY, HOUR, plus, SECOND } from '@chancela/service-kernel/clock'
import { expiryOf } from './frozen-approval.ts'
import { dayPlus, siteDay, siteMidnight } from './site-days.ts'

/** What approvers are told by mail, each if the settings name it. */
export const approverMailKinds = ['Waiting', 'Reminder', 'Expired', 'Rejected', 'Digest'] as const

export type ApproverMailKind = (typeof approverMailKinds)[number]

/** The kinds that tell of single files, and are written down file by file. */
export type FileNoticeKind = Exclude<ApproverMailKind, 'Digest'>

/** Of the kinds that the settings name, those. */
export const fileKindsOf = (kinds: readonly ApproverMailKind[]): readonly FileNoticeKind[] =>
  kinds.filter((kind) => kind !== 'Digest')

/** Kinds that ask for a decision: pointless once it is made. */
export const askingKinds = ['Waiting', 'Reminder'] as const satisfies readonly FileNoticeKind[]

/**
 * When somebody is reminded of a file: so long before its end, and never in the first half of a wait, in which the mail
 * that it waits has just come. Undefined for a file that waits for as long as it takes.
 */
export function reminderTime(
  rule: { readonly expiresAfterSeconds: number | null },
  parkedAt: Date,
  before: number,
): Date | undefined {
  const end = expiryOf(rule, parkedAt)
  if (!end || rule.expiresAfterSeconds === null) return undefined
  return plus(end, -Math.min(before, (rule.expiresAfterSeconds * SECOND) / 2))
}

/** When one of the files of a reminder is due, those that are due within this time are in the same mail. */
const REMINDERS_TOGETHER = HOUR

/** Until when files go into a mail that is written now. */
export const horizonOf = (kind: FileNoticeKind, now: Date): Date =>
  kind === 'Reminder' ? plus(now, REMINDERS_TOGETHER) : now

/** A stream of files that never ends does not hold the mail back for longer than this many gathering times. */
const MOST_GATHERING = 10

export interface Gathered {
  readonly kind: FileNoticeKind
  /** When the first and the last of the files of a mail were to be told of. */
  readonly oldest: Date
  readonly newest: Date
  /** When the person got the last mail of the kind. */
  readonly lastAt: Date | undefined
}

export interface Pace {
  /** Milliseconds in which files are gathered into one mail. */
  readonly gather: number
  /** Milliseconds between two mails of a kind to one person. */
  readonly pause: number
}

/** Whether a mail is due: no more files came for a while, or the first waited long enough, and the pause is over. */
export function isMailDue({ kind, oldest, newest, lastAt }: Gathered, { gather, pause }: Pace, now: Date): boolean {
  if (lastAt && plus(lastAt, pause) > now) return false
  if (kind === 'Reminder') return oldest <= now
  return plus(newest, gather) <= now || plus(oldest, MOST_GATHERING * gather) <= now
}

/** The last moment, not after now, at which it was this hour at the site; in a change of summer time the first one. */
export function digestMoment(timeZone: string, hour: number, now: Date): Date {
  const today = siteDay(timeZone, now)
  const moment = plus(siteMidnight(timeZone, today), hour * HOUR)
  return moment <= now ? moment : plus(siteMidnight(timeZone, dayPlus(today, -1)), hour * HOUR)
}

/** Up to when a digest is worth sending: the next one tells more. */
export const digestEnd = (moment: Date): Date => plus(moment, DAY - HOUR)
