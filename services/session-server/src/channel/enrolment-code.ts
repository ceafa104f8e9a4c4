// The one-time code of an enrolment, short enough to be read out: thirty characters in six groups. Eighteen are the
// seed of a key (90 random bits), twelve the digest of the server's public key (60 bits). The code itself is never
// transmitted: its key signs the agent's identity, so that an eavesdropper or impostor server learns nothing to enrol
// with, and the digest authenticates the server to the agent, even without TLS.
import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { type Identity, identityOf, isSignedBy, keyBytes } from './identity.ts'
import { grouped, readable, typedCharacters } from './readable-code.ts'

const SECRET_CHARACTERS = 18
const SERVER_CHARACTERS = 12
const GROUP = 5

/** What an agent states about itself when it enrols. */
export interface Enrolment {
  /** Ed25519, base64url. */
  readonly publicKey: string
  readonly platform: string
  readonly agentVersion: string
}

/** A code as the agent uses it. */
export interface EnrolmentCode {
  /** Public half of the code's key: identifies the code without revealing it. */
  readonly key: string
  /** Signs an enrolment with the code. */
  prove(enrolment: Enrolment): string
  /** Whether the code was made by the server with this key. */
  isOf(serverPublicKey: string): boolean
}

/** A new code of a server; only its key may be stored. */
export function newEnrolmentCode(serverPublicKey: string): { readonly text: string; readonly key: string } {
  const secret = readable(randomBytes(SECRET_CHARACTERS))
  const server = serverCharacters(serverPublicKey)
  return { text: grouped(secret + server, GROUP), key: keyOf(secret, server).publicKey }
}

/** Parses a typed code; undefined when it is invalid. */
export function readEnrolmentCode(text: string): EnrolmentCode | undefined {
  const plain = typedCharacters(text, SECRET_CHARACTERS + SERVER_CHARACTERS)
  if (plain === undefined) return undefined
  const [secret, server] = [plain.slice(0, SECRET_CHARACTERS), plain.slice(SECRET_CHARACTERS)]
  const key = keyOf(secret, server)
  return {
    key: key.publicKey,
    prove: (enrolment) => key.sign(proven(server, enrolment)).toString('base64url'),
    isOf: (serverPublicKey) => keyBytes(serverPublicKey) !== undefined && serverCharacters(serverPublicKey) === server,
  }
}

/** Whether the proof of an enrolment was made with the code of this key, for this server. */
export const isEnrolmentProven = (
  serverPublicKey: string,
  enrolment: Enrolment,
  { codeKey, proof }: { readonly codeKey: string; readonly proof: string },
): boolean => isSignedBy(codeKey, proven(serverCharacters(serverPublicKey), enrolment), Buffer.from(proof, 'base64url'))

const proven = (server: string, { publicKey, platform, agentVersion }: Enrolment): Buffer =>
  Buffer.from(JSON.stringify(['chancela enrolment 2', server, publicKey, platform, agentVersion]))

function keyOf(secret: string, server: string): Identity {
  const seed = hkdfSync('sha256', secret, server, 'chancela enrolment code 1', 32)
  return identityOf(Buffer.from(seed).toString('base64url'))
}

const serverCharacters = (publicKey: string): string =>
  readable(createHash('sha256').update('chancela server 1').update(keyBytes(publicKey)!).digest()).slice(
    0,
    SERVER_CHARACTERS,
  )
