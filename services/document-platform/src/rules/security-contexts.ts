// What a document may be signed with. A creation request names a context by its id; its flow must fit into it.
import type { Static } from 'typebox'
import { type ElectronicType, electronicTypes, type SecurityContextModel } from '../contract/security-contexts.ts'
import type { DocumentPlatformSettings } from '../settings.ts'
import type { ActionOptions } from './flow-plan.ts'
import { refuse } from './refuse.ts'
import { type ActionType, actionKinds } from './vocabulary.ts'

export type SecurityContext = Static<typeof SecurityContextModel>

type Configured = DocumentPlatformSettings['Documents']['SecurityContexts'][number]

const allowed = (types: readonly ElectronicType[]): SecurityContext['allowedElectronicTypes'] =>
  Object.fromEntries(electronicTypes.map((type) => [type, types.includes(type)])) as Record<ElectronicType, boolean>

const NO_LIVENESS = {
  requireLivenessOnSelfieAuthentication: false,
  requireLivenessOnDatavalidAuthentication: false,
} as const

/** The contexts every instance has. */
const builtIn: readonly SecurityContext[] = [
  {
    id: '1f0cd3a2-7a54-4c35-9a3c-4a2b8d2f6e10',
    name: 'ICP-Brasil',
    englishName: 'ICP-Brasil certificates',
    portugueseName: 'Certificados ICP-Brasil',
    spanishName: 'Certificados ICP-Brasil',
    allowDigitalSignature: true,
    allowedElectronicTypes: allowed([]),
    ...NO_LIVENESS,
  },
  {
    id: '1f0cd3a2-7a54-4c35-9a3c-4a2b8d2f6e11',
    name: 'ICP-Brasil and electronic signatures',
    englishName: 'ICP-Brasil certificates and electronic signatures',
    portugueseName: 'Certificados ICP-Brasil e assinaturas eletrônicas',
    spanishName: 'Certificados ICP-Brasil y firmas electrónicas',
    allowDigitalSignature: true,
    allowedElectronicTypes: allowed(['email']),
    ...NO_LIVENESS,
  },
]

/** The contexts of the instance; one of the settings takes the place of a built-in one with its id. */
export function securityContexts(configured: readonly Configured[]): readonly SecurityContext[] {
  const own = configured.map(fromSettings)
  const replaced = new Set(own.map(({ id }) => id))
  return [...builtIn.filter(({ id }) => !replaced.has(id)), ...own]
}

const fromSettings = (context: Configured): SecurityContext => ({
  id: context.Id.toLowerCase(),
  name: context.Name,
  englishName: context.EnglishName ?? context.Name,
  portugueseName: context.PortugueseName ?? context.Name,
  spanishName: context.SpanishName ?? context.Name,
  allowDigitalSignature: context.AllowDigitalSignature ?? true,
  allowedElectronicTypes: allowed(context.AllowedElectronicTypes ?? []),
  ...NO_LIVENESS,
})

/** The context with this id; another one is refused, because what it would forbid is not known. */
export function requiredContext(configured: readonly Configured[], id: string): SecurityContext {
  const found = securityContexts(configured).find((context) => context.id === id.toLowerCase())
  if (!found) throw refuse('SecurityContextNotFound', { securityContextId: id })
  return found
}

/** Refuses an action that asks for what the context does not allow, or leaves no way to sign. */
export function requireFitting(
  context: SecurityContext,
  { type, options }: { readonly type: ActionType; readonly options: ActionOptions },
  at: string,
): void {
  if (!actionKinds[type].signs) return
  const found = options.allowElectronicSignature ? electronicProblem(context, options) : certificateProblem(context)
  if (found) throw refuse('InvalidFlowAction', { field: `${at}.${found.option}`, reason: found.reason })
}

interface Problem {
  readonly option: keyof ActionOptions
  readonly reason: string
}

const certificateProblem = ({ name, allowDigitalSignature }: SecurityContext): Problem | undefined =>
  allowDigitalSignature
    ? undefined
    : { option: 'allowElectronicSignature', reason: `is required: ${name} allows no certificates` }

/** Each way to identify the participant, by the option that asks for it. */
const askedBy = {
  sms: 'requireSmsAuthenticationToSignElectronically',
  whatsapp: 'requireWhatsappAuthenticationToSignElectronically',
  otp: 'requireAuthenticatorAppToSignElectronically',
  selfie: 'requireSelfieAuthenticationToSignElectronically',
  datavalid: 'requireDatavalidAuthenticationToSignElectronically',
  pix: 'requirePixAuthenticationToSignElectronically',
  liveness: 'requireLivenessAuthenticationToSignElectronically',
  idScan: 'requireIdScanAuthenticationToSignElectronically',
} as const satisfies Record<Exclude<ElectronicType, 'email'>, keyof ActionOptions>

function electronicProblem({ name, allowedElectronicTypes }: SecurityContext, options: ActionOptions) {
  const asked = electronicTypes.filter((type) => isAsked(type, options))
  if (asked.length === 0)
    return problem('disableEmailAuthenticationToSignElectronically', `leaves nothing that ${name} accepts`)
  const forbidden = asked.find((type) => !allowedElectronicTypes[type])
  if (!forbidden) return undefined
  const option = forbidden === 'email' ? 'allowElectronicSignature' : askedBy[forbidden]
  return problem(option, `${name} does not allow identification by ${forbidden}`)
}

const problem = (option: Problem['option'], reason: string): Problem => ({ option, reason })

const isAsked = (type: ElectronicType, options: ActionOptions): boolean =>
  type === 'email' ? options.disableEmailAuthenticationToSignElectronically !== true : options[askedBy[type]] === true

/** The context a document was created in. */
export const contextOf = ({
  security_context,
}: {
  readonly security_context: string | null
}): SecurityContext | null => (security_context === null ? null : (JSON.parse(security_context) as SecurityContext))
