import { EngineError } from '../errors/engine-error.ts'
import { type ClaimsReport, claimed, type PlaceReport } from '../report/claims.ts'
import { type Finding, finding } from '../report/report.ts'
import {
  commitmentIdentifier,
  commitmentName,
  type ProductionPlace,
  type SignerClaims,
} from '../signing/signer-claims.ts'
import { malformed } from './errors.ts'
import { isObject, type JsonObject } from './strict-json.ts'

/** Members of `sigPl` (TS 119 182-1 §5.2.4), which are those of a postal address of schema.org. */
const PLACE_PARTS = {
  addressCountry: 'country',
  addressLocality: 'city',
  addressRegion: 'state',
  postalCode: 'postalCode',
  streetAddress: 'street',
} as const satisfies Record<string, keyof ProductionPlace>

/** The header parameters that carry these claims: `srCms` (§5.2.3), `sigPl` (§5.2.4) and `srAts` (§5.2.5). */
export function claimHeaders({ roles = [], commitments = [], place }: SignerClaims): JsonObject {
  return {
    ...(commitments.length > 0 && {
      srCms: commitments.map((one) => ({ commId: { id: commitmentIdentifier(one).uri } })),
    }),
    ...(place && { sigPl: placeHeader(place) }),
    ...(roles.length > 0 && { srAts: { claimed: [{ mediaType: 'text/plain', encoding: 'binary', qVals: roles }] } }),
  }
}

const placeHeader = (place: ProductionPlace): JsonObject =>
  Object.fromEntries(
    Object.entries(PLACE_PARTS).flatMap(([member, part]) => (place[part] === undefined ? [] : [[member, place[part]]])),
  )

/** What a signer states in the protected header. What cannot be read is left out, with a warning. */
export function claimsOf(header: JsonObject, findings: Finding[]): { readonly claims?: ClaimsReport } {
  return claimed({
    roles: readable(findings, 'role', () => rolesIn(header.srAts)) ?? [],
    commitments: readable(findings, 'commitment', () => commitmentsIn(header.srCms)) ?? [],
    place: readable(findings, 'place', () => placeIn(header.sigPl)) ?? null,
    mimeType: readable(findings, 'mimeType', () => mimeTypeIn(header)) ?? null,
  })
}

function readable<T>(findings: Finding[], claim: string, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    findings.push(finding('claim-unreadable', { claim, reason: error.message }))
    return undefined
  }
}

/** Claimed attributes that are text; those of other kinds are no role, and certified ones are for who knows their issuer. */
const rolesIn = (srAts: unknown): string[] =>
  optional(srAts, (value) => list(object(value).claimed ?? []).flatMap(rolesOf)) ?? []

function rolesOf(value: unknown): string[] {
  const { mediaType, encoding, qVals } = object(value)
  if (typeof mediaType !== 'string' || !mediaType.startsWith('text/')) return []
  return list(qVals).map((role) => (encoding === 'base64' ? Buffer.from(text(role), 'base64').toString() : text(role)))
}

const commitmentsIn = (srCms: unknown): string[] =>
  optional(srCms, (value) => list(value).map((one) => commitmentName(identifierOf(object(one).commId)))) ?? []

/** An identifier as the norm has it (§5.4.1), or, as some write it, its URI alone. */
export const identifierOf = (value: unknown): string => text(isObject(value) ? value.id : value)

function placeIn(sigPl: unknown): PlaceReport | undefined {
  return optional(sigPl, (value) => {
    const { postOfficeBoxNumber: box, ...place } = object(value)
    const parts = Object.entries(PLACE_PARTS).flatMap(([member, part]) =>
      place[member] === undefined ? [] : [[part, text(place[member])]],
    )
    return { ...Object.fromEntries(parts), ...(box !== undefined && { lines: [text(box)] }) }
  })
}

/** `cty`, or that of the first content in `sigD`; without a slash it is one of `application/` (RFC 7515 §4.1.10). */
function mimeTypeIn({ cty, sigD }: JsonObject): string | undefined {
  const first = isObject(sigD) && Array.isArray(sigD.ctys) ? sigD.ctys[0] : undefined
  return optional(cty ?? first, (value) => (text(value).includes('/') ? text(value) : `application/${text(value)}`))
}

const optional = <T>(value: unknown, read: (value: unknown) => T): T | undefined =>
  value === undefined ? undefined : read(value)

const MOST_VALUES = 256

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length > MOST_VALUES) throw malformed('a claim is no list, or too long')
  return value
}

function object(value: unknown): JsonObject {
  if (!isObject(value)) throw malformed('a claim is no object')
  return value
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw malformed('a claim is no text')
  return value
}
