import { createHash } from 'node:crypto'

/** Where an act came from. */
export interface Origin {
  readonly ipAddress: string
  readonly userAgent: string
  /** As reported by the page or client. */
  readonly geolocation?: unknown
}

/** What proves an act, as it is kept and shown (document-platform facts 1.10). */
export interface Evidence {
  readonly ipAddress: string
  readonly userAgentSha256: string
  readonly authenticationTypes: readonly string[]
  readonly authenticatedEmail: string | null
  readonly authenticatedApplication: string | null
  readonly geolocation?: unknown
  readonly timestamp: string
  /** Digest of all fields above and of the file acted on. */
  readonly evidencesSha256: string
}

/** How the person was authenticated. */
export interface Authentication {
  readonly types: readonly string[]
  readonly email?: string | null
  readonly application?: string | null
}

/** The record of an act on a file; its digest goes into the file where the format has a place for it. */
export function evidenceOf(
  { ipAddress, userAgent, geolocation }: Origin,
  { types, email = null, application = null }: Authentication,
  documentSha256: string,
  now: Date,
): Evidence {
  const record = {
    ipAddress,
    userAgentSha256: sha256(userAgent),
    authenticationTypes: types,
    authenticatedEmail: email,
    authenticatedApplication: application,
    ...(geolocation !== undefined && geolocation !== null && { geolocation }),
    timestamp: now.toISOString(),
  }
  return { ...record, evidencesSha256: sha256(JSON.stringify({ ...record, documentSha256 })) }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
