import type { ActionType, CertificateType, Mark, NewFlowAction, NewObserver, NoticeLanguage } from '../api/types.ts'

/** A participant's data as typed. */
export interface DraftPerson {
  readonly name: string
  readonly identifier: string
  readonly email: string
}

/** A flow action that is being edited. */
export interface DraftAction {
  /** React key: cards are moved between steps. */
  readonly key: string
  readonly type: ActionType
  /** One for a signer or approver; several share a rule. */
  readonly people: readonly DraftPerson[]
  /** How many of a rule's people are enough. */
  readonly required: number
  readonly ruleName: string
  readonly title: string
  readonly language: NoticeLanguage
  readonly allowElectronic: boolean
  readonly certificateType: CertificateType | ''
  readonly marks: readonly Mark[]
}

/** Steps in order; the actions of one step run in parallel. */
export type DraftFlow = readonly (readonly DraftAction[])[]

/** Whether an action is a signature, and whether several people share it. */
export const kinds: Readonly<Record<ActionType, { readonly signs: boolean; readonly isRule: boolean }>> = {
  Signer: { signs: true, isRule: false },
  Approver: { signs: false, isRule: false },
  SignRule: { signs: true, isRule: true },
  ApproverRule: { signs: false, isRule: true },
}

export const nobody: DraftPerson = { name: '', identifier: '', email: '' }

export const newAction = (type: ActionType, key: string, language: NoticeLanguage): DraftAction => ({
  key,
  type,
  people: kinds[type].isRule ? [nobody, nobody] : [nobody],
  required: 1,
  ruleName: '',
  title: '',
  language,
  allowElectronic: false,
  certificateType: '',
  marks: [],
})

/** The flow with a further action, in a step of its own after all others. */
export const withAction = (flow: DraftFlow, action: DraftAction): DraftFlow => [...flow, [action]]

export const withChange = (flow: DraftFlow, changed: DraftAction): DraftFlow =>
  flow.map((step) => step.map((action) => (action.key === changed.key ? changed : action)))

export const without = (flow: DraftFlow, key: string): DraftFlow =>
  withoutEmpty(flow.map((step) => step.filter((action) => action.key !== key)))

/** Where a card is dropped: into a step, or between two as a step of its own. Indexes are those before the move. */
export type Target = { readonly into: number } | { readonly before: number }

/** Moves a card; empty steps are removed. */
export function moveTo(flow: DraftFlow, key: string, target: Target): DraftFlow {
  const moved = flow.flat().find((action) => action.key === key)
  if (!moved) return flow
  const rest = flow.map((step) => step.filter((action) => action.key !== key))
  if ('into' in target)
    return withoutEmpty(rest.map((step, index) => (index === target.into ? [...step, moved] : step)))
  return withoutEmpty([...rest.slice(0, target.before), [moved], ...rest.slice(target.before)])
}

/** One press of an arrow: out of a shared step into one of its own, or from there into the neighbouring step. */
export function nudge(flow: DraftFlow, key: string, by: -1 | 1): DraftFlow {
  const at = flow.findIndex((step) => step.some((action) => action.key === key))
  if (at < 0) return flow
  if (flow[at]!.length > 1) return moveTo(flow, key, { before: by < 0 ? at : at + 1 })
  const neighbour = at + by
  return neighbour < 0 || neighbour >= flow.length ? flow : moveTo(flow, key, { into: neighbour })
}

/** The step of an action, counted from 1. */
export const stepOf = (flow: DraftFlow, key: string): number =>
  flow.findIndex((step) => step.some((action) => action.key === key)) + 1

const withoutEmpty = (flow: DraftFlow): DraftFlow => flow.filter((step) => step.length > 0)

/** What is wrong with a field of a person: `missing`, or `invalid`. */
export type PersonFault = { readonly field: keyof DraftPerson; readonly fault: 'missing' | 'invalid' }

/** What the service would refuse about a person, checked before submitting. */
export function personFaults(person: DraftPerson, { type, allowElectronic }: DraftAction): readonly PersonFault[] {
  const needsCpf = kinds[type].signs && !allowElectronic
  const digits = person.identifier.replaceAll(/\D/g, '')
  const faults: PersonFault[] = []
  if (person.name.trim() === '') faults.push({ field: 'name', fault: 'missing' })
  if (digits !== '' && !isCpf(digits)) faults.push({ field: 'identifier', fault: 'invalid' })
  if (digits === '' && needsCpf) faults.push({ field: 'identifier', fault: 'missing' })
  if (person.email.trim() !== '' && !EMAIL.test(person.email.trim())) faults.push({ field: 'email', fault: 'invalid' })
  if (person.email.trim() === '' && digits === '' && !needsCpf) faults.push({ field: 'email', fault: 'missing' })
  return faults
}

const EMAIL = /^[^\s@"<>,;:\\()[\]]+@[^\s@"<>,;:\\()[\]]+$/

/** Whether eleven digits are a CPF: both check digits hold, and not all digits are the same. */
export function isCpf(digits: string): boolean {
  if (!/^\d{11}$/.test(digits) || /^(\d)\1*$/.test(digits)) return false
  return [9, 10].every((length) => {
    const sum = [...digits.slice(0, length)].reduce((all, digit, at) => all + Number(digit) * (length + 1 - at), 0)
    return Number(digits[length]) === ((sum * 10) % 11) % 10
  })
}

/** Whether every action of the flow can be made. */
export const isComplete = (flow: DraftFlow): boolean =>
  flow.length > 0 &&
  flow.flat().every((action) => action.people.every((person) => personFaults(person, action).length === 0))

/** The flow as the service takes it. */
export const asFlowActions = (flow: DraftFlow): NewFlowAction[] =>
  flow.flatMap((step, index) => step.map((action) => asFlowAction(action, index + 1)))

export function asFlowAction(action: DraftAction, step: number): NewFlowAction {
  const { signs, isRule } = kinds[action.type]
  const people = action.people.map(asUser)
  return {
    type: action.type,
    step,
    ...(isRule ? { ruleUsers: people, numberRequiredActions: action.required } : { user: people[0]! }),
    ...(isRule && action.ruleName.trim() !== '' && { ruleName: action.ruleName.trim() }),
    ...(action.title.trim() !== '' && { title: action.title.trim() }),
    notificationLanguage: action.language,
    ...(signs && {
      allowElectronicSignature: action.allowElectronic,
      ...(action.certificateType !== '' && { requiredCertificateTypeToSign: action.certificateType }),
      ...(action.marks.length > 0 && { prePositionedMarks: [...action.marks] }),
    }),
  }
}

const asUser = ({ name, identifier, email }: DraftPerson) => ({
  name: name.trim(),
  ...(identifier.trim() !== '' && { identifier: identifier.trim() }),
  ...(email.trim() !== '' && { email: email.trim() }),
})

export const asObservers = (observers: readonly DraftPerson[]): NewObserver[] =>
  observers.filter(({ email }) => email.trim() !== '').map((person) => ({ user: asUser(person) }))

/** A saved flow as a draft; marks belong to files and stay behind. */
export function draftOf(actions: readonly NewFlowAction[], newKey: () => string): DraftFlow {
  const steps = [...new Set(actions.map(numberOf))].toSorted((one, other) => one - other)
  return steps.map((step) =>
    actions.filter((action) => numberOf(action) === step).map((action) => draftAction(action, newKey())),
  )
}

const numberOf = ({ step }: NewFlowAction): number => step ?? 1

const draftAction = (action: NewFlowAction, key: string): DraftAction => ({
  key,
  type: action.type,
  people: (kinds[action.type].isRule ? (action.ruleUsers ?? action.signRuleUsers ?? []) : [action.user ?? {}]).map(
    draftPerson,
  ),
  required: action.numberRequiredActions ?? action.numberRequiredSignatures ?? 1,
  ruleName: action.ruleName ?? '',
  title: action.title ?? '',
  language: action.notificationLanguage ?? 'Pt',
  allowElectronic: action.allowElectronicSignature === true,
  certificateType: action.requiredCertificateTypeToSign ?? '',
  marks: [],
})

const draftPerson = (user: NonNullable<NewFlowAction['user']>): DraftPerson => ({
  name: user.name ?? '',
  identifier: user.identifier ?? '',
  email: user.email ?? '',
})
