import type { DigestName, Hashes } from '../rules/digests.ts'
import type { Identifier } from '../rules/requested-identifier.ts'
import type { Creation } from '../store/tables.ts'
import type { AuthorizationOrder, Provider } from './provider.ts'

/** The hashes of a creation, as its row stores them. */
interface KeptHashes {
  readonly digest: DigestName
  /** Base64. */
  readonly values: readonly string[]
}

export const writeHashes = ({ digest, values }: Hashes): string =>
  JSON.stringify({ digest, values: values.map((hash) => Buffer.from(hash).toString('base64')) } satisfies KeptHashes)

function readHashes(text: string): Hashes {
  const { digest, values } = JSON.parse(text) as KeptHashes
  return { digest, values: values.map((hash) => Buffer.from(hash, 'base64')) }
}

/** The hashes of a creation, base64; its sessions are bound to them where they have names. */
export const knownHashesOf = ({ known_hashes }: Pick<Creation, 'known_hashes'>): readonly string[] =>
  known_hashes === null ? [] : (JSON.parse(known_hashes) as KeptHashes).values

/** The requested holder of a creation, if any. */
export const identifierOf = ({ identifier, identifier_type }: Creation): Identifier | undefined =>
  identifier === null || identifier_type === null ? undefined : { type: identifier_type, value: identifier }

/** What the holder is asked for, at the start and at every further step of one authorization. */
export function authorizationOrder(creation: Creation, { callbackUri, waitingUri }: Provider): AuthorizationOrder {
  const identifier = identifierOf(creation)
  return {
    type: creation.type,
    ...(identifier && { identifier }),
    // PostgreSQL's bigint arrives as text.
    lifetimeSeconds: Number(creation.lifetime_seconds),
    ...(creation.known_hashes !== null && { knownHashes: readHashes(creation.known_hashes) }),
    callbackUri,
    waitingUri,
  }
}
