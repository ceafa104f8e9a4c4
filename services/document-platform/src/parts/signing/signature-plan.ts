import { randomUUID } from 'node:crypto'
import type { Appearance, Permits } from '@chancela/signature-engine/pades'
import type { Position, XPathPlace } from '@chancela/signature-engine/xades'
import type { Acting } from '../../actions/participants/participant-access.ts'
import type { xadesPolicies } from '../../contract/models.ts'
import { mayBeStampedLater } from '../../rules/later-stamps.ts'
import { refuse } from '../../rules/refuse.ts'
import type { SignatureFormat } from '../../rules/vocabulary.ts'
import type { Signing } from './open-signing.ts'

/** Levels of signatures under a policy of ICP-Brasil. */
export type PolicyLevel = (typeof xadesPolicies)[number]

export const isUnderPolicy = (level: SignaturePlan['level']): level is PolicyLevel => level.startsWith('AD-')

/** How a signature is made: with the file and the certificate it determines every byte, now and on completion. */
export interface SignaturePlan {
  readonly format: SignatureFormat
  readonly level: 'B-B' | 'B-T' | PolicyLevel
  /** The signer's time. */
  readonly at: string
  /** Identifies the objects the signature adds to the file. */
  readonly uuid: string
  /** PDF: what its first signature says may come after it; the engine knows whether it is the first. */
  readonly permits?: Permits
  /** PDF: what is shown; the first belongs to the signature, the others are stamps. */
  readonly marks?: readonly Appearance[]
  /** PDF: the reason entry of the signature. */
  readonly reason?: string
  /** CMS: whether others signed before. */
  readonly isFurther?: boolean
  readonly xml?: XmlPlan
}

/** Which part of an XML document is signed, and where the signature is placed. */
export interface XmlPlan {
  readonly target?: { readonly id: string } | XPathPlace
  readonly at: Position['at']
  /** Whether others can sign the same content. */
  readonly parallel: boolean
}

interface PlanRequest {
  readonly marks: readonly Appearance[]
  readonly reason?: string
}

/** The signature the action asks for, with the participant's certificate or the instance's. */
export function planSignature(
  { timestamps }: Pick<Signing, 'timestamps'>,
  acting: Acting,
  signer: 'certificate' | 'electronic',
  { marks, reason }: PlanRequest,
  now: Date,
): SignaturePlan {
  const { document, options } = acting
  const policy = document.format === 'Xades' && signer === 'certificate' ? policyIn(options) : undefined
  const level = policy ?? timestampLevel(document.timestamp_enabled)
  if (isUnderPolicy(level) && !timestamps) throw refuse('TimestampNotAvailable', { level })
  return {
    format: document.format,
    level: timestamps ? level : 'B-B',
    at: now.toISOString(),
    uuid: randomUUID(),
    ...formatPlans[document.format](acting, marks),
    ...(document.format === 'Pades' && reason !== undefined && { reason }),
  }
}

const policyIn = ({ xadesOptions }: Acting['options']): PolicyLevel | undefined =>
  xadesOptions?.policy ?? (xadesOptions?.signatureType === 'FullXmlAdRc' ? 'AD-RC' : undefined)

const timestampLevel = (enabled: number): 'B-B' | 'B-T' => (enabled === 1 ? 'B-T' : 'B-B')

type FormatPlan = (acting: Acting, marks: readonly Appearance[]) => Partial<SignaturePlan>

const formatPlans: Readonly<Record<SignatureFormat, FormatPlan>> = {
  Pades: ({ steps, step }, marks) => ({
    marks,
    permits: mayBeStampedLater(steps, step) ? 'annotations' : 'form-filling',
  }),
  Cades: ({ document }) => ({ isFurther: document.signatures > 0 }),
  Xades: (acting) => ({ xml: xmlPlan(acting) }),
}

const insertions = {
  AppendChild: 'last-child',
  PrependChild: 'first-child',
  AppendSibling: 'after',
  PrependSibling: 'before',
} as const satisfies Record<string, Position['at']>

function xmlPlan({ document, options: { xadesOptions } }: Acting): XmlPlan {
  const { signatureType, elementToSignIdentifierType, elementToSignIdentifier } = xadesOptions ?? {}
  const plan = {
    at: insertions[xadesOptions?.insertionOption ?? 'AppendChild'],
    parallel: xadesOptions?.disableXPathTransformation !== true,
  }
  if (signatureType !== 'XmlElement' || !elementToSignIdentifier) return plan
  const target =
    elementToSignIdentifierType === 'XPath'
      ? { xpath: elementToSignIdentifier, namespaces: namespacesOf(document.xml_namespaces) }
      : { id: elementToSignIdentifier }
  return { ...plan, target }
}

function namespacesOf(json: string | null): Readonly<Record<string, string>> {
  const declared = json === null ? [] : (JSON.parse(json) as readonly { prefix: string; uri: string }[])
  return Object.fromEntries(declared.map(({ prefix, uri }) => [prefix, uri]))
}
