// The credentials of a holder: listed with the service token, chosen like certificates.

import Type, { type Static } from 'typebox'
import { chooseCertificate, isOf, readHeld } from '../../parts/signing/choose-certificate.ts'
import type { Identifier } from '../../rules/requested-identifier.ts'
import type { HeldCertificate } from '../provider.ts'
import { ProviderProblem } from '../provider-problem.ts'
import { type CscServer, callMethod } from './csc-server.ts'

const ListAnswer = Type.Object({
  credentialIDs: Type.Array(Type.String({ minLength: 1, maxLength: 512 })),
  nextPageToken: Type.Optional(Type.String()),
})

const Name = Type.String({ maxLength: 100 })

const CredentialAnswer = Type.Object({
  key: Type.Optional(Type.Object({ status: Type.Optional(Name), algo: Type.Optional(Type.Array(Name)) })),
  // A credential may not have its certificate yet.
  cert: Type.Optional(
    Type.Object({ status: Type.Optional(Name), certificates: Type.Optional(Type.Array(Type.String())) }),
  ),
  authMode: Type.Optional(Name),
  auth: Type.Optional(Type.Object({ mode: Name })),
  SCAL: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  multisign: Type.Optional(Type.Integer({ minimum: 1 })),
})

/** A key at the provider, with the properties the hub needs. */
export interface Credential extends HeldCertificate {
  /** Authorization mode. */
  readonly mode: string | undefined
  /** Whether an authorization is bound to the hashes it names. */
  readonly bindsHashes: boolean
  /** Most signatures of one authorization. */
  readonly multisign: number
  /** Object identifiers of the algorithms its key allows. */
  readonly algorithms: readonly string[]
  /** Neither disabled nor revoked nor suspended. */
  readonly enabled: boolean
}

/** Most pages of a list, and most entries read: a holder has only a few. */
const MOST_PAGES = 10
const MOST_CREDENTIALS = 50

/** Every credential of the holder the service token is for. */
export async function listCredentials(
  server: CscServer,
  bearer: string,
  signal?: AbortSignal,
): Promise<readonly Credential[]> {
  const ids = (await credentialIds(server, bearer, signal)).slice(0, MOST_CREDENTIALS)
  const read = await Promise.all(ids.map((id) => readCredential(server, bearer, id, signal).catch(leaveOut)))
  return read.flatMap((credential) => credential ?? [])
}

/** A listed credential that the provider refuses to describe must not lock the holder out of the others. */
function leaveOut(error: unknown): undefined {
  if (error instanceof ProviderProblem && (error.kind === 'refused' || error.kind === 'alias-unknown')) return
  throw error
}

async function credentialIds(server: CscServer, bearer: string, signal?: AbortSignal): Promise<readonly string[]> {
  const call = { deadline: server.deadlines.call, bearer, signal, safe: true }
  const found: string[] = []
  let pageToken: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const body = pageToken === undefined ? {} : { pageToken }
    const answer = await callMethod(server, 'credentials/list', body, ListAnswer, call)
    found.push(...answer.credentialIDs)
    pageToken = answer.nextPageToken
    if (pageToken === undefined) break
  }
  return found
}

export async function readCredential(
  server: CscServer,
  bearer: string,
  credentialID: string,
  signal?: AbortSignal,
): Promise<Credential> {
  const body = { credentialID, certificates: 'single', certInfo: true, authInfo: true }
  const call = { deadline: server.deadlines.call, bearer, signal, safe: true }
  const told = await callMethod(server, 'credentials/info', body, CredentialAnswer, call)
  return {
    alias: credentialID,
    der: Buffer.from(told.cert?.certificates?.[0] ?? '', 'base64'),
    mode: server.dialect.modeOf(told),
    bindsHashes: String(told.SCAL ?? 1) === '2',
    multisign: told.multisign ?? 1,
    algorithms: told.key?.algo ?? [],
    enabled: isEnabled(told),
  }
}

/** Expiry is checked separately, by the hub's own clock. */
const isEnabled = ({ key, cert }: Static<typeof CredentialAnswer>): boolean =>
  (key?.status ?? 'enabled') === 'enabled' && !['revoked', 'suspended'].includes(cert?.status ?? 'valid')

/** The credential to sign with, by the hub's rule: of the requested holder, valid now, issued last. */
export function chooseCredential(
  credentials: readonly Credential[],
  identifier: Identifier | undefined,
  now: Date,
): Credential {
  const read = readHeld(credentials.filter(({ enabled }) => enabled))
  const own = identifier ? read.filter((each) => isOf(each, identifier.value)) : read
  const choice = chooseCertificate(own, now)
  const chosen = credentials.find(({ alias }) => alias === choice?.alias)
  if (chosen) return chosen
  const isForeign = own.length < read.length && own.length === 0
  throw new ProviderProblem('refused', {
    found: isForeign ? 'of-somebody-else' : 'none-can-sign',
  })
}
