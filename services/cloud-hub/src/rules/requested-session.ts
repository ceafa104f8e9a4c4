// Reads a client's request for a session, with every tolerance real clients need (cloud-hub facts 3.3).

import { invalidField } from '@chancela/service-kernel/errors'
import { type IdentifierType, type SessionType, sessionTypes } from '../contract/models.ts'
import type { CloudHubSettings } from '../settings.ts'
import { type HashesRequest, type RequestedHashes, requestedHashes } from './requested-hashes.ts'
import { type Identifier, requestedIdentifier } from './requested-identifier.ts'
import { type NamedOrNumbered, requestedName } from './requested-name.ts'

/** The body of the creating operations. */
export interface SessionRequest extends HashesRequest {
  readonly redirectUri: string
  readonly identifier?: string | undefined
  readonly identifierType?: NamedOrNumbered | undefined
  readonly type?: NamedOrNumbered | undefined
  readonly lifetimeInSeconds?: number | undefined
  readonly customState?: string | undefined
  readonly discover?: boolean | undefined
}

/** The same, parsed. */
export interface RequestedSession extends RequestedHashes {
  /** As written: whether it is allowed is checked next. */
  readonly redirectUri: string
  readonly type: SessionType
  readonly identifier?: Identifier
  readonly lifetimeSeconds: number
  readonly customState: string | null
}

type Settings = Pick<CloudHubSettings, 'Sessions' | 'Signing'>

export function requestedSession(request: SessionRequest, { Sessions, Signing }: Settings): RequestedSession {
  const type = requestedName('type', sessionTypes, request.type) ?? 'SingleSignature'
  const identifier =
    request.identifier === undefined ? undefined : requestedIdentifier(request.identifier, request.identifierType)
  return {
    redirectUri: request.redirectUri,
    type,
    ...(identifier && { identifier }),
    lifetimeSeconds: lifetimeOf(request.lifetimeInSeconds, { type, identifierType: identifier?.type }, Sessions),
    customState: storable(request.customState),
    ...requestedHashes(request, type, Signing),
  }
}

// PostgreSQL's text cannot store this character, and the client must get its value back unchanged.
function storable(customState: string | undefined): string | null {
  if (customState?.includes('\u0000')) throw invalidField('customState', 'must not contain the character U+0000.')
  return customState ?? null
}

interface Whose {
  readonly type: SessionType
  readonly identifierType: IdentifierType | undefined
}

/** The requested lifetime, or the default of the type, up to the maximum. Some clients send 0 for no value. */
function lifetimeOf(
  asked: number | undefined,
  { type, identifierType }: Whose,
  { DefaultSeconds, SignatureSessionSeconds, MaxSecondsCpf, MaxSecondsCnpj }: Settings['Sessions'],
): number {
  const usual = type === 'SingleSignature' || type === 'MultiSignature' ? DefaultSeconds : SignatureSessionSeconds
  const wanted = asked !== undefined && asked > 0 ? asked : usual
  return Math.min(wanted, identifierType === 'CNPJ' ? MaxSecondsCnpj : MaxSecondsCpf)
}
