import { isCpf } from '@chancela/signature-engine/x509'
import type { SignatureFormat } from './job.ts'
import type { ProfileMethod } from './profile.ts'

/** Who signs a file that was approved: the profile's key, the approvers in its place, or both. */
const signerSets = ['ProfileKey', 'Approvers', 'ProfileKeyAndApprovers'] as const

export type SignerSet = (typeof signerSets)[number]

/** Whether approving a file of this set is done by signing it. */
export const approversSign = (signers: SignerSet): boolean => signers !== 'ProfileKey'

/** Whether the profile's own key signs. */
export const profileSigns = (signers: SignerSet): boolean => signers !== 'Approvers'

/** Somebody who may decide about the files of a profile. */
export interface Approver {
  readonly name: string
  readonly email: string
  /** Eleven digits: a signature of somebody else is not theirs. */
  readonly cpf: string
}

/** The approval rule of a profile (batch-signer facts 3). */
export interface ApprovalRule {
  /** How many of the pool must approve. */
  readonly minimumApprovers: number
  /** Seconds that a file may wait; null: for as long as it takes. */
  readonly expiresAfterSeconds: number | null
  readonly signers: SignerSet
  readonly approvers: readonly Approver[]
}

/** Whether files of a profile are signed without a key of its own: approvers sign in its place. */
export const isKeyless = ({ approval }: { readonly approval: ApprovalRule | null }): boolean =>
  approval !== null && !profileSigns(approval.signers)

/** What a rule is judged by. */
export interface ApprovalSurroundings {
  readonly format: SignatureFormat | null
  readonly method: ProfileMethod
  /** Whether the profile has a key of its own. */
  readonly hasKey: boolean
  /** Whether approvers can come in: by the portal's links or by an identity provider. */
  readonly isReachable: boolean
}

interface Problem {
  readonly field: string
  readonly sentence: string
}

interface Rule {
  readonly field: string
  readonly sentence: string
  readonly isBroken: (rule: ApprovalRule, around: ApprovalSurroundings) => boolean
}

/** Most people of one pool: all of them are named on the page of a file. */
const MOST_APPROVERS = 50

/** Longest wait, in seconds: a hundred years of days, far from what a date cannot hold. */
const LONGEST_WAIT = 36_500 * 86_400

const MOST_LETTERS = 200

/** How an address is compared: a person is one person, however it is written. */
export const approverKey = (email: string): string => email.trim().normalize('NFC').toLowerCase()

/** A rule as it is kept: what people type around a name, an address or the digits of a CPF says nothing. */
export const tidied = ({ approvers, ...rule }: ApprovalRule): ApprovalRule => ({
  ...rule,
  approvers: approvers.map(({ name, email, cpf }) => ({
    name: name.trim(),
    email: email.trim(),
    cpf: cpf.replaceAll(/[\s.-]/g, ''),
  })),
})

const isAddress = (email: string): boolean => /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= MOST_LETTERS

const repeats = (values: readonly string[]): boolean => new Set(values).size < values.length

const rules: readonly Rule[] = [
  {
    field: 'approvers',
    sentence: `A pool has 1 to ${MOST_APPROVERS} approvers.`,
    isBroken: ({ approvers }) => approvers.length === 0 || approvers.length > MOST_APPROVERS,
  },
  {
    field: 'approvers',
    sentence: 'Every approver has a name.',
    isBroken: ({ approvers }) => approvers.some(({ name }) => name.trim() === '' || name.length > MOST_LETTERS),
  },
  {
    field: 'approvers',
    sentence: 'Every approver has an e-mail address.',
    isBroken: ({ approvers }) => approvers.some(({ email }) => !isAddress(email)),
  },
  {
    field: 'approvers',
    sentence: 'An e-mail address is in the pool once: one person cannot approve for two.',
    isBroken: ({ approvers }) => repeats(approvers.map(({ email }) => approverKey(email))),
  },
  {
    field: 'approvers',
    sentence: 'The CPF of an approver has eleven digits, of which the last two check the others.',
    isBroken: ({ approvers }) => approvers.some(({ cpf }) => !isCpf(cpf)),
  },
  {
    field: 'approvers',
    sentence: 'A CPF is in the pool once: one person cannot approve for two.',
    isBroken: ({ approvers }) => repeats(approvers.map(({ cpf }) => cpf)),
  },
  {
    field: 'minimumApprovers',
    sentence: 'At least one approver is needed, and at most as many as the pool has.',
    isBroken: ({ minimumApprovers: least, approvers }) =>
      !Number.isInteger(least) || least < 1 || least > approvers.length,
  },
  {
    field: 'expiresAfter',
    sentence: 'A wait is longer than nothing.',
    isBroken: ({ expiresAfterSeconds: seconds }) =>
      seconds !== null && !(Number.isInteger(seconds) && seconds > 0 && seconds <= LONGEST_WAIT),
  },
  {
    field: 'signers',
    sentence: 'Approvers sign in CAdES: choose that format.',
    isBroken: ({ signers }, { format }) => approversSign(signers) && format !== 'Cades',
  },
  {
    field: 'signers',
    sentence: 'Approvers sign in the portal: enable it, or configure an identity provider.',
    isBroken: ({ signers }, { isReachable }) => approversSign(signers) && !isReachable,
  },
  {
    field: 'signers',
    sentence: 'A file that the external service signs cannot carry signatures of approvers.',
    isBroken: ({ signers }, { method }) => approversSign(signers) && method !== 'Local',
  },
  {
    field: 'signers',
    sentence: 'The key of the profile signs, and it has none.',
    isBroken: ({ signers }, { method, hasKey }) => profileSigns(signers) && method === 'Local' && !hasKey,
  },
]

/** Every violated rule, in the order of the form. */
export const approvalProblems = (rule: ApprovalRule, around: ApprovalSurroundings): readonly Problem[] =>
  rules.filter(({ isBroken }) => isBroken(rule, around)).map(({ field, sentence }) => ({ field, sentence }))
