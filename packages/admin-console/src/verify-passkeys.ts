// What passkeys sign, judged (WebAuthn §7). Everything here was sent by a stranger: whatever the library says of it by
// throwing is a refusal, and the log alone is told which.
import type { Logger } from '@chancela/service-kernel/http'
import type { Static } from 'typebox'
import type { NewPasskey, PasskeyAnswer } from './contract/index.ts'
import type { PasskeyRow } from './passkey-table.ts'
import type { RelyingParty } from './relying-party.ts'

/** COSE algorithms, the preferred first: ES256, Ed25519, RS256. Every authenticator has one of them. */
export const ALGORITHMS = [-7, -8, -257]

/** The question that is answered. */
interface Question {
  readonly challenge: string
  readonly party: RelyingParty
}

/** What is stored of a new passkey. */
export type PasskeyKey = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter'>

/** Loaded with the first passkey: it takes half a second and 30 MB, which a service without passkeys need not spend. */
const library = async () => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers')),
})

type Library = Awaited<ReturnType<typeof library>>

/** The count of an answer that this passkey gave to this question at this site; undefined for any other. */
export const countOf = (
  { id, userHandle, ...response }: Static<typeof PasskeyAnswer>,
  { challenge, party }: Question,
  passkey: PasskeyRow,
  logger: Logger,
): Promise<number | undefined> =>
  judged(logger, async ({ verifyAuthenticationResponse }) => {
    refuseForeign(response.clientDataJSON)
    if (userHandle && userHandle !== handleOf(passkey.administrator_id)) throw new Error('Of another administrator')
    if (passkey.rp_id !== party.id) throw new Error('Of another site')
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    })
    if (!verified) throw new Error('Another signature')
    return authenticationInfo.newCounter
  })

/** The key of a passkey that was made for this question at this site; undefined for any other. */
export const keyOf = (
  { id, transports = [], ...response }: Static<typeof NewPasskey>,
  { challenge, party }: Question,
  logger: Logger,
): Promise<PasskeyKey | undefined> =>
  judged(logger, async ({ verifyRegistrationResponse, ...decoding }) => {
    refuseForeign(response.clientDataJSON)
    refuseCertificates(decoding, response.attestationObject)
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { ...response, transports },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) throw new Error('Another signature')
    const { credential } = registrationInfo
    if (credential.id !== id) throw new Error('Another credential id')
    const { publicKey, counter } = credential
    return { credential_id: id, public_key: Buffer.from(publicKey).toString('base64url'), counter }
  })

/** Reasons quote what was sent. */
const LONGEST_REASON = 300

/** The user handle of an administrator's passkeys. */
export const handleOf = (administratorId: string): string => Buffer.from(administratorId).toString('base64url')

async function judged<T>(logger: Logger, judge: (library: Library) => Promise<T>): Promise<T | undefined> {
  // Outside: files that cannot be opened are no fault of the passkey.
  const loaded = await library()
  try {
    return await judge(loaded)
  } catch (error) {
    logger.info({ reason: (error as Error).message.slice(0, LONGEST_REASON) }, 'a passkey was refused')
    return undefined
  }
}

/** A page of another site that shows this one in a frame may have asked (§5.8.1, crossOrigin). */
function refuseForeign(clientDataJSON: string): void {
  const { crossOrigin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { crossOrigin?: unknown }
  if (crossOrigin === true) throw new Error('Asked by another site in a frame')
}

/**
 * Nobody asked for a statement about the make of the authenticator, and browsers remove it. The library follows addresses
 * in certificates of some kinds to lists of revoked ones: this machine would call where a caller wants it to.
 */
function refuseCertificates(
  { decodeAttestationObject }: Pick<Library, 'decodeAttestationObject'>,
  attestationObject: string,
): void {
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = decoded.get('fmt')
  const isPlain = format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
  if (!isPlain) throw new Error('An attestation with certificates')
}
