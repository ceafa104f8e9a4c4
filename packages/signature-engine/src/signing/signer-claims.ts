import { refuseSigning } from './errors.ts'

/** What a signer states besides the time, the same in every format. Nothing of it is proven. */
export interface SignerClaims {
  /** In which capacity the signer signs: "Diretora", "Procurador". */
  readonly roles?: readonly string[]
  /** What the signature means: a name of `commitmentTypes`, or the object identifier of another type. */
  readonly commitments?: readonly string[]
  /** Where it is signed. */
  readonly place?: ProductionPlace
}

export interface ProductionPlace {
  readonly street?: string
  readonly city?: string
  readonly state?: string
  readonly postalCode?: string
  /** A name, or better its code in ISO 3166. */
  readonly country?: string
}

/** The commitment types of ETSI TS 119 172-1 annex B: in CMS by object identifier, in XML by URI. */
export const commitmentTypes = {
  'proof-of-origin': { oid: '1.2.840.113549.1.9.16.6.1', uri: 'http://uri.etsi.org/01903/v1.2.2#ProofOfOrigin' },
  'proof-of-receipt': { oid: '1.2.840.113549.1.9.16.6.2', uri: 'http://uri.etsi.org/01903/v1.2.2#ProofOfReceipt' },
  'proof-of-delivery': { oid: '1.2.840.113549.1.9.16.6.3', uri: 'http://uri.etsi.org/01903/v1.2.2#ProofOfDelivery' },
  'proof-of-sender': { oid: '1.2.840.113549.1.9.16.6.4', uri: 'http://uri.etsi.org/01903/v1.2.2#ProofOfSender' },
  'proof-of-approval': { oid: '1.2.840.113549.1.9.16.6.5', uri: 'http://uri.etsi.org/01903/v1.2.2#ProofOfApproval' },
  'proof-of-creation': { oid: '1.2.840.113549.1.9.16.6.6', uri: 'http://uri.etsi.org/01903/v1.2.2#ProofOfCreation' },
} as const

export type CommitmentType = keyof typeof commitmentTypes

const isNamed = (commitment: string): commitment is CommitmentType => Object.hasOwn(commitmentTypes, commitment)

/** The name of a commitment type that a signature gives by identifier or URI; another one as it stands there. */
export function commitmentName(written: string): string {
  for (const [name, { oid, uri }] of Object.entries(commitmentTypes))
    if (written === oid || written === uri || written === `urn:oid:${oid}`) return name
  return written.replace(/^urn:oid:/, '')
}

/** How CMS and XML name a commitment type. */
export const commitmentIdentifier = (commitment: string): { readonly oid: string; readonly uri: string } =>
  isNamed(commitment) ? commitmentTypes[commitment] : { oid: commitment, uri: `urn:oid:${commitment}` }

const MOST_CLAIMS = 32
const MOST_CHARACTERS = 256
// Without control characters and what XML cannot hold, so that every format writes the same claim.
const TEXT = new RegExp(`^[^\\p{Cc}\\p{Cs}\\uFFFE\\uFFFF]{1,${MOST_CHARACTERS}}$`, 'u')
const OBJECT_IDENTIFIER = /^[0-2](?:\.(?:0|[1-9]\d{0,15})){1,30}$/

const PLACE_FIELDS = ['street', 'city', 'state', 'postalCode', 'country'] as const

/** Refuses claims that a signature cannot make, by name; callers outside TypeScript send anything. */
export function requireClaims({ roles = [], commitments = [], place }: SignerClaims): void {
  requireFew('roles', roles)
  requireFew('commitments', commitments)
  for (const role of roles) requireText('role', role)
  for (const commitment of commitments)
    if (!isNamed(commitment) && !OBJECT_IDENTIFIER.test(commitment))
      throw refuseSigning('signing.commitment-unknown', { commitment, known: Object.keys(commitmentTypes).join(', ') })
  if (place !== undefined) requirePlace(place)
}

function requireFew(what: string, claims: readonly string[]): void {
  if (!Array.isArray(claims) || claims.length > MOST_CLAIMS)
    throw refuseSigning('signing.claims-unusable', { what, limit: MOST_CLAIMS })
}

function requirePlace(place: ProductionPlace): void {
  const given = PLACE_FIELDS.filter((field) => place[field] !== undefined)
  if (given.length === 0) throw refuseSigning('signing.place-empty', { fields: PLACE_FIELDS.join(', ') })
  for (const field of given) requireText(field, place[field]!)
}

/** Refuses a text that cannot stand in every format. */
export function requireText(what: string, text: string): void {
  if (typeof text !== 'string' || !TEXT.test(text) || text.trim() === '')
    throw refuseSigning('signing.text-unusable', { what, limit: MOST_CHARACTERS })
}

/** A place in one line, as people write it. */
export const placeText = ({ street, postalCode, city, state, country }: ProductionPlace): string =>
  [street, postalCode, city, state, country].filter((part) => part !== undefined).join(', ')
