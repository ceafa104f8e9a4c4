/** What must never happen, by the column of the report. */
export const violationKinds = [
  'lost',
  'delivered twice',
  'signed though refused',
  'signed though canceled',
  'signed though open',
  'signed though held',
  'invalid',
  'history untrue',
  'hung',
  'left behind',
] as const

export type ViolationKind = (typeof violationKinds)[number]

/** One promise that was broken. */
export interface Violation {
  readonly kind: ViolationKind
  /** The file or job: it is counted once, however often it is seen. */
  readonly about: string
  readonly text: string
}

export const violation = (kind: ViolationKind, about: string, text: string): Violation => ({ kind, about, text })
