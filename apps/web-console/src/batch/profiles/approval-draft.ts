import { cpfDigits, isCpf, typedCpf } from '../../shared/format/cpf.ts'
import type { ProfileDraft } from '../api/profiles.ts'
import type { Profile } from '../api/types.ts'

/** An approval rule as a form edits it; CPFs have their punctuation. */
export type Approval = NonNullable<ProfileDraft['approval']>

export type Approver = Approval['approvers'][number]

export const signerSets = ['ProfileKey', 'Approvers', 'ProfileKeyAndApprovers'] as const

const nobody: Approver = { name: '', email: '', cpf: '' }

/** What a rule is before it is filled in. */
export const newApproval: Approval = {
  minimumApprovers: 1,
  expiresAfterSeconds: null,
  signers: 'ProfileKey',
  approvers: [nobody],
}

/** A stored rule for the form. */
export const approvalOf = ({ approval }: Pick<Profile, 'approval'>): Approval | null =>
  approval && { ...approval, approvers: approval.approvers.map((one) => ({ ...one, cpf: typedCpf(one.cpf) })) }

export const withApprover = (rule: Approval): Approval => ({ ...rule, approvers: [...rule.approvers, nobody] })

export const withChanged = (rule: Approval, index: number, changes: Partial<Approver>): Approval => ({
  ...rule,
  approvers: rule.approvers.map((one, at) => (at === index ? { ...one, ...changes } : one)),
})

/** No more can be needed than are left. */
export function without(rule: Approval, index: number): Approval {
  const approvers = rule.approvers.filter((_, at) => at !== index)
  return { ...rule, approvers, minimumApprovers: Math.max(1, Math.min(rule.minimumApprovers, approvers.length)) }
}

/** How many may be needed: up to the whole pool, and what is stored in any case. */
export const quorums = ({ approvers, minimumApprovers }: Approval): readonly number[] =>
  Array.from({ length: Math.max(1, approvers.length, minimumApprovers) }, (_, index) => index + 1)

const sameAs = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase()

/** What can be said of an approver while the form is filled in; the service judges the rest. */
export function approverFaults({ approvers }: Approval, index: number): { email?: 'twice'; cpf?: 'wrong' | 'twice' } {
  const { email, cpf } = approvers[index]!
  const others = approvers.filter((_, at) => at !== index)
  const isWhole = cpfDigits(cpf).length === 11
  const isTwice = isWhole && others.some((other) => cpfDigits(other.cpf) === cpfDigits(cpf))
  return {
    ...(email.trim() !== '' && others.some((other) => sameAs(other.email, email)) && { email: 'twice' as const }),
    ...(isTwice && { cpf: 'twice' as const }),
    ...(isWhole && !isCpf(cpf) && { cpf: 'wrong' as const }),
  }
}

const HOUR = 3600

/** Seconds of typed hours; nothing typed is a wait without end, and what is no number none at all. */
export const secondsOf = (hours: string): number | null =>
  hours.trim() === '' ? null : Math.round(Number(hours.replace(',', '.')) * HOUR) || 0

export const hoursOf = (seconds: number | null): string =>
  seconds === null ? '' : String(Math.round((seconds / HOUR) * 10_000) / 10_000)

const LONG_WAIT = 24 * 24 * HOUR

/** Whether a file may wait so long that the deadline hardly is one. */
export const isLongWait = ({ expiresAfterSeconds }: Approval): boolean =>
  expiresAfterSeconds !== null && expiresAfterSeconds >= LONG_WAIT
