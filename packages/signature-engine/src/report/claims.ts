import type { ProductionPlace } from '../signing/signer-claims.ts'

/** Where it was signed, by the signer; `lines` are what the format does not divide: an address, a PDF's /Location. */
export interface PlaceReport extends ProductionPlace {
  readonly lines?: readonly string[]
}

/** What the signer states besides the time. It is signed, but nothing of it is proven. */
export interface ClaimsReport {
  readonly roles: readonly string[]
  /** By their names, such as `proof-of-approval`; types that have none by identifier or URI. */
  readonly commitments: readonly string[]
  readonly place: PlaceReport | null
  /** Of the content; of the first one where several are signed. */
  readonly mimeType: string | null
  /** Of the same content, in words. */
  readonly description: string | null
}

const NOTHING: ClaimsReport = { roles: [], commitments: [], place: null, mimeType: null, description: null }

/** The field of a report: absent where nothing is claimed. */
export function claimed(claims: Partial<ClaimsReport>): { readonly claims?: ClaimsReport } {
  const all = { ...NOTHING, ...claims }
  const isNothing = all.roles.length + all.commitments.length === 0 && !all.place && !all.mimeType && !all.description
  return isNothing ? {} : { claims: all }
}

/** A place, from the street to the country. */
export const placeLines = ({ street, postalCode, city, state, country, lines = [] }: PlaceReport): string[] =>
  [...lines, street, postalCode, city, state, country].filter((part) => part !== undefined)

/** The same in one line. */
export const placeLine = (place: PlaceReport): string => placeLines(place).join(', ')
