import type { SessionType } from '../../contract/models.ts'
import type { Grant } from '../provider.ts'

interface Scope {
  readonly scope: string
  readonly calls: Grant['calls']
  /** Most hashes of one call by the norm; undefined where it has no limit. */
  readonly maxHashes?: number
}

/** The four scopes of the norm, by the type of session that asks for each. */
const scopes: Readonly<Record<SessionType, Scope>> = {
  SingleSignature: { scope: 'single_signature', calls: 'one', maxHashes: 1 },
  MultiSignature: { scope: 'multi_signature', calls: 'one' },
  SignatureSession: { scope: 'signature_session', calls: 'many' },
  AuthenticationSession: { scope: 'authentication_session', calls: 'none' },
}

/** Scopes from the most to the least powerful. */
const byPower: readonly SessionType[] = [
  'SignatureSession',
  'MultiSignature',
  'SingleSignature',
  'AuthenticationSession',
]

export const scopeOf = (type: SessionType): string => scopes[type].scope

/**
 * What a token allows. Providers grant several scopes at once, separated by spaces, and sometimes less than requested;
 * an answer without a scope grants what was requested (RFC 6749 §5.1).
 */
export function allowanceOf(granted: unknown, asked: SessionType): Pick<Grant, 'calls' | 'maxHashes'> {
  const { calls, maxHashes } = scopes[grantedType(granted, asked)]
  return { calls, ...(maxHashes !== undefined && { maxHashes }) }
}

function grantedType(granted: unknown, asked: SessionType): SessionType {
  if (typeof granted !== 'string' || granted.trim() === '') return asked
  const given = new Set(granted.split(/[\s,]+/))
  if (given.has(scopes[asked].scope)) return asked
  return byPower.find((type) => given.has(scopes[type].scope)) ?? 'AuthenticationSession'
}
