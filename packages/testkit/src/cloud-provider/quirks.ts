import { type CscQuirks, plainCscQuirks } from './csc/quirks.ts'

/** Ways in which providers differ from one another. */
export interface Quirks {
  /** How hashes to be signed are written. */
  hashEncoding: 'base64' | 'hex'
  /** What the token endpoint reads. */
  tokenBody: 'form' | 'json' | 'both'
  /** PEM, or the bare base64 of the DER. */
  certificateEncoding: 'pem' | 'der'
  /** CR LF inside base64 signatures. */
  lineBreaks: boolean
  /** PEM armour around signatures of the format CMS. */
  cmsArmour: boolean
  /** Longest lifetime of a token in seconds, whatever is asked. */
  shortenLifetime: number | undefined
  /** The status of discovery when it finds a certificate. */
  foundStatus: 'S' | 'Y'
  /** Whether `slots` is an empty list, not absent, when nothing is found. */
  emptySlots: boolean
  /** Most hashes of one call. */
  maxHashes: number | undefined
  /** Lists every certificate of the holder, not only the chosen one. */
  listAllCertificates: boolean
  /** Lists certificates in the order of their declaration, or the other way round; signatures likewise. */
  reversed: boolean
  /** What an alias looks like. */
  aliasStyle: 'label' | 'name-and-document'
  /** Further values in the granted scope. */
  extraScopes: readonly string[]
  /** Scopes the application was not granted: the holder consents, the token lacks them. */
  withheldScopes: readonly string[]
  /** Whether the token response omits scope and holder. */
  omitScope: boolean
  omitIdentification: boolean
  /** Sent back where the client sent no state. */
  stateWhenAbsent: string | undefined
  /** Sent back as `iss` (RFC 9207). */
  issuer: string | undefined
  /** Whether a redirect URI must be registered. */
  checkRedirectUris: boolean
  /** Whether holders are asked on their phones by clients that send `push://` as the redirect URI. */
  push: boolean
  /** How such a client gets the code to poll with. */
  pushAnswer: 'text' | 'json'
  /** The status of an answer while the holder has not decided. */
  pushPending: 304 | 202 | 200
  /** How refusals are written. */
  errorShape: ErrorShape
  /** Every response is delayed by so many milliseconds of real time. */
  discoveryDelayMs: number
  signatureDelayMs: number
  /** Quirks of the CSC protocol. */
  readonly csc: CscQuirks
}

/** Formats of refusals at real providers. */
export type ErrorShape = 'oauth' | 'problem' | 'detail' | 'message' | 'text' | 'code' | 'nested'

/** A provider that follows the norm. */
export const plainQuirks = (): Quirks => ({
  hashEncoding: 'base64',
  tokenBody: 'form',
  certificateEncoding: 'pem',
  lineBreaks: false,
  cmsArmour: false,
  shortenLifetime: undefined,
  foundStatus: 'S',
  emptySlots: false,
  maxHashes: undefined,
  listAllCertificates: false,
  reversed: false,
  aliasStyle: 'label',
  extraScopes: [],
  withheldScopes: [],
  omitScope: false,
  omitIdentification: false,
  stateWhenAbsent: undefined,
  issuer: undefined,
  checkRedirectUris: true,
  push: false,
  pushAnswer: 'text',
  pushPending: 304,
  errorShape: 'oauth',
  discoveryDelayMs: 0,
  signatureDelayMs: 0,
  csc: plainCscQuirks(),
})

/** Changes quirks in place, because routes hold references to them. */
export function setQuirks(quirks: Quirks, { csc = {}, ...changes }: QuirkChanges): void {
  Object.assign(quirks, changes)
  Object.assign(quirks.csc, csc)
}

/** Quirks to change; the others stay. */
export type QuirkChanges = Partial<Omit<Quirks, 'csc'>> & { readonly csc?: Partial<CscQuirks> }
