import type { DerValue } from '../der/der-value.ts'
import { contextConstructed, contextPrimitive, tags } from '../der/tags.ts'
import { EngineError } from '../errors/engine-error.ts'
import { type ClaimsReport, claimed, type PlaceReport } from '../report/claims.ts'
import { type Finding, finding } from '../report/report.ts'
import { commitmentName } from '../signing/signer-claims.ts'
import { attributeOids } from './oids.ts'
import { type SignerInfo, valuesOf } from './signed-data.ts'

/** What a signer states in signed attributes. One that cannot be read is left out, with a warning. */
export function claimsOf(signer: SignerInfo, findings: Finding[]): { readonly claims?: ClaimsReport } {
  const read = <T>(claim: string, type: keyof typeof attributeOids, of: (value: DerValue) => T): T[] =>
    valuesOf(signer.signedAttributes, attributeOids[type]).flatMap((value) =>
      readable(findings, claim, () => of(value)),
    )
  return claimed({
    roles: [...read('role', 'signerAttributes', rolesIn), ...read('role', 'signerAttributesV2', rolesIn)].flat(),
    commitments: read('commitment', 'commitmentType', (value) => commitmentName(value.sequence().next().oid())),
    place: read('place', 'signerLocation', placeIn)[0] ?? null,
    mimeType: read('mimeType', 'mimeType', (value) => value.text())[0] ?? null,
    description: read('description', 'contentHints', descriptionIn)[0] ?? null,
  })
}

function readable<T>(findings: Finding[], claim: string, read: () => T): T[] {
  try {
    return [read()]
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    findings.push(finding('claim-unreadable', { claim, reason: error.message }))
    return []
  }
}

/** SignerAttribute of RFC 5126 §5.11.3 and its successor of EN 319 122-1 §5.2.6.1: both begin with claimed attributes. */
const rolesIn = (value: DerValue): string[] =>
  value
    .expect(tags.sequence)
    .members()
    .filter(({ tag }) => tag === contextConstructed(0))
    .flatMap((claimedAttributes) => claimedAttributes.unwrap().members())
    .flatMap((attribute) => attribute.members()[1]?.expect(tags.set).members() ?? [])
    .flatMap((role) => roleText(role) ?? [])

/** A text, or the RoleSyntax of X.509, whose roleName is a GeneralName. Attributes of other kinds are no role. */
function roleText(value: DerValue): string | undefined {
  if (value.isText()) return value.text()
  if (value.tag !== tags.sequence) return undefined
  const name = value.members().find(({ tag }) => tag === contextConstructed(1))
  const inner = name?.unwrap()
  return inner && GENERAL_TEXTS.includes(inner.tag) ? inner.content.toString('latin1') : undefined
}

/** rfc822Name, dNSName, uniformResourceIdentifier. */
const GENERAL_TEXTS = [1, 2, 6].map(contextPrimitive)

/** SignerLocation (EN 319 122-1 §5.2.5). */
function placeIn(value: DerValue): PlaceReport {
  const fields = value.sequence()
  const country = fields.optional(contextConstructed(0))?.unwrap().text()
  const city = fields.optional(contextConstructed(1))?.unwrap().text()
  const lines = fields.optional(contextConstructed(2))?.unwrap().members()
  return {
    ...(country !== undefined && { country }),
    ...(city !== undefined && { city }),
    ...(lines && { lines: lines.map((line) => line.text()) }),
  }
}

/** ContentHints of RFC 2634 §2.9. */
const descriptionIn = (value: DerValue): string | null => value.sequence().optional(tags.utf8String)?.text() ?? null
