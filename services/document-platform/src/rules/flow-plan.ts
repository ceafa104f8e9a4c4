import { isCnpj, isCpf } from '@chancela/signature-engine/x509'
import type { Static } from 'typebox'
import { type FlowActionCreate, languages, type ParticipantUser } from '../contract/models.ts'
import { unavailableIn, unavailableMethods } from './authentication-methods.ts'
import { refuse } from './refuse.ts'
import { digitsOf } from './search-key.ts'
import { type ActionType, actionKinds } from './vocabulary.ts'

export type RequestedAction = Static<typeof FlowActionCreate>
export type RequestedPerson = Static<typeof ParticipantUser>

/** A person of a request, normalized: CPF as digits, e-mail address in lower case. */
export interface PlannedPerson {
  readonly id: string | null
  readonly name: string
  readonly identifier: string | null
  readonly email: string | null
  readonly phone: string | null
}

/** What an action requires of its participants; stored as given. */
export type ActionOptions = Omit<
  RequestedAction,
  | 'type'
  | 'step'
  | 'user'
  | 'ruleUsers'
  | 'signRuleUsers'
  | 'numberRequiredActions'
  | 'numberRequiredSignatures'
  | 'title'
  | 'ruleName'
>

/** A validated flow action. */
export interface PlannedAction {
  readonly type: ActionType
  readonly step: number
  readonly required: number
  readonly title: string | null
  readonly ruleName: string | null
  readonly options: ActionOptions
  readonly participants: readonly PlannedPerson[]
}

/** What a flow is validated against. */
interface FlowLimits {
  /** Most participants. */
  readonly most: number
  /** Name of the list in the request. Default `flowActions`. */
  readonly list?: string
}

/** Refuses one field of an action; `at` is where the action stands in the request: `flowActions[0]`. */
const wrong = (at: string, field: string, reason: string) =>
  refuse('InvalidFlowAction', { field: `${at}.${field}`, reason })

/** Validates the flow of a request; refuses it as a whole when any part is invalid. */
export function planFlow(
  requested: readonly RequestedAction[],
  { most, list = 'flowActions' }: FlowLimits,
): readonly PlannedAction[] {
  if (requested.length === 0) throw refuse('FlowRequired')
  const actions = requested.map((action, index) => planAction(action, `${list}[${index}]`))
  const participants = actions.reduce((sum, action) => sum + action.participants.length, 0)
  if (participants > most) throw refuse('MaxSignersLimitReached', { limit: most, given: participants })
  return actions
}

function planAction(requested: RequestedAction, at: string): PlannedAction {
  const {
    type,
    step,
    user,
    ruleUsers,
    signRuleUsers,
    numberRequiredActions,
    numberRequiredSignatures,
    title,
    ruleName,
    ...options
  } = requested
  const { isRule, signs } = actionKinds[type]
  const people = isRule ? (ruleUsers ?? signRuleUsers ?? []) : user ? [user] : []
  if (people.length === 0) throw wrong(at, isRule ? 'ruleUsers' : 'user', 'is required')
  const needsCpf = signs && !options.allowElectronicSignature
  const participants = people.map((person, index) => {
    const field = isRule ? `ruleUsers[${index}]` : 'user'
    return planPerson(person, { needsCpf, wrong: (name, reason) => wrong(at, `${field}.${name}`, reason) })
  })
  refuseDoubles(participants, at)
  const required = isRule ? (numberRequiredActions ?? numberRequiredSignatures ?? participants.length) : 1
  if (required > participants.length) throw wrong(at, 'numberRequiredActions', 'is more than there are participants')
  requireAvailable(options, at)
  checkOptions(options, at)
  return { type, step: step ?? 1, required, title: title ?? null, ruleName: ruleName ?? null, options, participants }
}

interface PersonRules {
  readonly needsCpf: boolean
  wrong(field: string, reason: string): Error
}

/** A person of a flow: with an id, the stored data supplies the rest. */
export function planPerson(person: RequestedPerson, rules: PersonRules): PlannedPerson {
  const name = person.name?.trim() ?? ''
  const identifier = person.identifier ? digitsOf(person.identifier) : ''
  const email = person.email?.trim().toLowerCase() ?? ''
  if (identifier !== '' && !isCpf(identifier)) throw rules.wrong('identifier', 'is no valid CPF')
  if (email !== '' && !isEmail(email)) throw rules.wrong('email', 'is no e-mail address')
  if (person.id) return { id: person.id.toLowerCase(), name, ...contact(identifier, email, person.phone) }
  if (name === '') throw rules.wrong('name', 'is required')
  if (rules.needsCpf && identifier === '') throw rules.wrong('identifier', 'is required to sign with a certificate')
  if (identifier === '' && email === '') throw rules.wrong('email', 'or identifier is required')
  return { id: null, name, ...contact(identifier, email, person.phone) }
}

const EMAIL = /^[^\s@"<>,;:\\()[\]]{1,64}@[^\s@"<>,;:\\()[\]]{1,189}$/

/** Whether this is a valid e-mail address in lower case. */
export const isEmail = (address: string): boolean => EMAIL.test(address)

const contact = (identifier: string, email: string, phone: string | null | undefined) => ({
  identifier: identifier || null,
  email: email || null,
  phone: phone?.trim() || null,
})

function refuseDoubles(participants: readonly PlannedPerson[], at: string): void {
  const names = participants.map(({ id, identifier, email }) => id ?? identifier ?? email)
  if (new Set(names).size < names.length) throw wrong(at, 'ruleUsers', 'names somebody twice')
}

/** Refuses a way to identify participants that nobody could go: a document must not wait for what never comes. */
export function requireAvailable(options: ActionOptions, at: string): void {
  const [option] = unavailableIn(options)
  if (option)
    throw refuse('AuthenticationNotAvailable', { field: `${at}.${option}`, authentication: unavailableMethods[option] })
}

/** Refuses options that are wrong in themselves or contradict one another. */
export function checkOptions(options: ActionOptions, at: string): void {
  const { requiredCompanyIdentifier: cnpj, notificationLanguage: language, xadesOptions: xades } = options
  if (cnpj && !isCnpj(cnpj.replaceAll(/[./-]/g, ''))) throw wrong(at, 'requiredCompanyIdentifier', 'is no valid CNPJ')
  if (language && !languages.includes(language)) throw wrong(at, 'notificationLanguage', 'is not known')
  if (xades?.signatureType === 'XmlElement' && !xades.elementToSignIdentifier)
    throw wrong(at, 'xadesOptions.elementToSignIdentifier', 'is required')
  if (xades?.signatureType === 'FullXmlAdRc' && (xades.policy ?? 'AD-RC') !== 'AD-RC')
    throw wrong(at, 'xadesOptions.policy', 'contradicts signatureType')
  // A signature of the instance in somebody's name is under no policy of ICP-Brasil.
  if (xades?.policy && options.allowElectronicSignature)
    throw wrong(at, 'allowElectronicSignature', 'contradicts xadesOptions.policy')
  checkCompany(options, at)
}

function checkCompany(options: ActionOptions, at: string): void {
  if (!options.requireCompanyCertificate) return
  if (options.requiredCertificateHolderTypeToSign === 'Individual')
    throw wrong(at, 'requiredCertificateHolderTypeToSign', 'contradicts requireCompanyCertificate')
  // An electronic signature has no certificate of its signer, so that the wish would be ignored.
  if (options.allowElectronicSignature)
    throw wrong(at, 'allowElectronicSignature', 'contradicts requireCompanyCertificate')
}

/** The e-mail address of a request, in lower case; nothing where none is given. */
export function readEmail(given: string | null | undefined, field: string): string | null {
  const email = given?.trim().toLowerCase() ?? ''
  if (email !== '' && !isEmail(email)) throw refuse('InvalidFlowAction', { field, reason: 'is no e-mail address' })
  return email || null
}
