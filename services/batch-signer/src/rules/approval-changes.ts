import { type ApprovalRule, type Approver, approverKey } from './approval-rule.ts'
import { durationText } from './duration.ts'
import { type Said, said } from './sentences.ts'

/** What an edit changed of an approval rule, for the event log: who and how many, never a CPF. */
export function approvalChanges(before: ApprovalRule | null, after: ApprovalRule | null): readonly Said[] {
  if (after === null) return before === null ? [] : [said('rule-removed')]
  if (before === null) return [ruleSet(after), ...changes({ ...after, ...unset }, after)]
  return changes(before, after)
}

/** What a rule has where nothing is said about it. */
const unset = { expiresAfterSeconds: null, signers: 'ProfileKey', approvers: [] } as const

const ruleSet = ({ minimumApprovers: needed, approvers }: ApprovalRule): Said =>
  said('rule-set', { needed, pool: approvers.length })

const changes = (before: ApprovalRule, after: ApprovalRule): readonly Said[] => [
  ...quorumChange(before, after),
  ...expiryChange(before, after),
  ...signersChange(before, after),
  ...poolChanges(before.approvers, after.approvers),
]

const quorumChange = (before: ApprovalRule, after: ApprovalRule): readonly Said[] =>
  before.minimumApprovers === after.minimumApprovers
    ? []
    : [said('rule-quorum', { after: after.minimumApprovers, before: before.minimumApprovers })]

const expiryChange = (before: ApprovalRule, after: ApprovalRule): readonly Said[] =>
  before.expiresAfterSeconds === after.expiresAfterSeconds
    ? []
    : [said('rule-expiry', { after: waitOf(after), before: waitOf(before) })]

const waitOf = ({ expiresAfterSeconds: seconds }: ApprovalRule): Said | string =>
  seconds === null ? said('rule-no-expiry') : durationText(seconds)

const signersChange = (before: ApprovalRule, after: ApprovalRule): readonly Said[] =>
  before.signers === after.signers
    ? []
    : [said('rule-signers', { after: said(`signs-${after.signers}`), before: said(`signs-${before.signers}`) })]

/** An address is a person; whoever has another address is another one. */
function poolChanges(before: readonly Approver[], after: readonly Approver[]): readonly Said[] {
  const known = byAddress(before)
  const kept = byAddress(after)
  return [
    ...before.filter(({ email }) => !kept.has(approverKey(email))).map((gone) => said('approver-removed', named(gone))),
    ...after.flatMap((approver) => {
      const former = known.get(approverKey(approver.email))
      return former ? personChanges(former, approver) : [said('approver-added', named(approver))]
    }),
  ]
}

const byAddress = (pool: readonly Approver[]): ReadonlyMap<string, Approver> =>
  new Map(pool.map((approver) => [approverKey(approver.email), approver]))

const personChanges = (before: Approver, after: Approver): readonly Said[] => [
  ...(textOf(before) === textOf(after)
    ? []
    : [said('approver-rewritten', { before: textOf(before), after: textOf(after) })]),
  ...(before.cpf === after.cpf ? [] : [said('approver-cpf', named(after))]),
]

const textOf = ({ name, email }: Approver): string => `${name} <${email}>`

const named = (approver: Approver) => ({ approver: textOf(approver) })
