// Hashes that are known when a session is created: those for the provider alone, and a list the session is bound to.
import { invalidField } from '@chancela/service-kernel/errors'
import type { SessionType } from '../contract/models.ts'
import type { CloudHubSettings } from '../settings.ts'
import { type NamedDigest, readDigestAlgorithm, readHash } from './digest-algorithm.ts'
import type { Hashes } from './digests.ts'
import { refuse } from './refuse.ts'

/** A document as the holder is shown it, with the hash that will be signed for it. */
interface RequestedDocument {
  readonly name: string
  readonly hash: string
}

/** The fields of a creation that name hashes. */
export interface HashesRequest extends NamedDigest {
  readonly hashes?: readonly string[] | undefined
  readonly documents?: readonly RequestedDocument[] | undefined
}

/** The same, parsed. */
export interface RequestedHashes {
  /** Given to providers that bind the holder's consent to them. */
  readonly knownHashes?: Hashes
  /** What the hashes are shown as, in their order: the session is bound to them, whatever the provider does. */
  readonly names?: readonly string[]
}

type Signing = CloudHubSettings['Signing']

export function requestedHashes(request: HashesRequest, type: SessionType, signing: Signing): RequestedHashes {
  const { hashes, documents } = request
  if (documents) return boundTo(documents, request, type, signing)
  if (!hashes) return {}
  const digest = readDigestAlgorithm(request, signing)
  return { knownHashes: { digest, values: hashes.map((text, at) => readHash(text, digest, `hashes[${at}]`)) } }
}

function boundTo(
  documents: readonly RequestedDocument[],
  request: HashesRequest,
  type: SessionType,
  signing: Signing,
): RequestedHashes {
  if (request.hashes) throw invalidField('hashes', 'must not be given with documents, which have their hashes.')
  if (type === 'AuthenticationSession') throw invalidField('documents', 'cannot be signed in an AuthenticationSession.')
  const digest = readDigestAlgorithm(request, signing)
  const values = documents.map(({ hash }, at) => readHash(hash, digest, `documents[${at}].hash`))
  const names = documents.map(({ name }, at) => readName(name, `documents[${at}].name`))
  refuseRepeated(values)
  if (type === 'SingleSignature' && documents.length > 1) throw refuse('TooManyHashes')
  return { knownHashes: { digest, values }, names }
}

// Names are read by people who consent: what turns the direction of text can show another file extension.
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

function readName(name: string, field: string): string {
  const shown = name.trim()
  if (shown === '') throw invalidField(field, 'must not be blank.')
  if (HIDDEN.test(shown)) throw invalidField(field, 'must not contain control characters, nor such of text direction.')
  return shown
}

/** Each hash of a list is signed once: of two names for one nobody could say which was signed. */
function refuseRepeated(values: readonly Buffer[]): void {
  const texts = values.map((value) => value.toString('base64'))
  const at = texts.findIndex((text, index) => texts.indexOf(text) < index)
  if (at >= 0) throw invalidField(`documents[${at}].hash`, 'must not be the hash of another document of the list.')
}
