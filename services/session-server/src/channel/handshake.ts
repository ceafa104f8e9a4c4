// How a connection begins: three texts, after which both sides know each other and share keys nobody else has.
//
//   agent  → hello      workstation, identity, nonce, ephemeral key
//   server → challenge  nonce, ephemeral key, signature of the server over all of it
//   agent  → proof      signature of the agent over all of it, the server's signature included
//
// The first sealed frame is the server's: it welcomes the agent or refuses it.
import { createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import Type, { type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type Identity, isSignedBy } from './identity.ts'
import { ChannelProblem } from './problem.ts'
import { type Direction, SealedFrames } from './sealed-frames.ts'
import { Transcript } from './transcript.ts'

const PROTOCOL = 'chancela agent channel 1'

/** The longest text of a handshake, in characters. */
export const MAX_HANDSHAKE_TEXT = 2_000

const Key = Type.String({ minLength: 43, maxLength: 43 })
const Signature = Type.String({ maxLength: 100 })

const Hello = Type.Object({
  version: Type.Literal(1),
  workstationId: Type.String({ maxLength: 64 }),
  publicKey: Key,
  agentVersion: Type.String({ maxLength: 50 }),
  platform: Type.String({ maxLength: 100 }),
  nonce: Key,
  ephemeral: Key,
})
const Challenge = Type.Object({ nonce: Key, ephemeral: Key, signature: Signature })
const Proof = Type.Object({ signature: Signature })

/** What an agent states about itself when it connects. */
type About = Omit<Static<typeof Hello>, 'version' | 'publicKey' | 'nonce' | 'ephemeral'>

/** The same, with the key that proves it. */
export type AgentHello = About & Pick<Static<typeof Hello>, 'publicKey'>

export interface AgentHandshake {
  readonly hello: string
  /** Checks that the enrolled server answers; throws `ChannelProblem` otherwise. */
  answer(challenge: string): { readonly proof: string; readonly frames: SealedFrames }
}

/** The agent's side. */
export function beginHandshake(own: Identity, serverPublicKey: string, about: About): AgentHandshake {
  const ephemeral = newEphemeral()
  const { publicKey } = own
  const hello = JSON.stringify({ version: 1, ...about, publicKey, nonce: newNonce(), ephemeral: ephemeral.publicKey })
  return {
    hello,
    answer(text) {
      const challenge = read(Challenge, text)
      const said = afterChallenge(hello, challenge, serverPublicKey)
      if (!isSignedBy(serverPublicKey, said.of('server'), bytesOf(challenge.signature)))
        throw new ChannelProblem('not-authentic', 'the server that answers is not the one this agent was enrolled at')
      const signature = own.sign(said.add(challenge.signature).of('agent'))
      const shared = ephemeral.agree(challenge.ephemeral)
      const { toAgent, toServer, connection } = keysOf(said.add(signature), shared)
      return {
        proof: JSON.stringify({ signature: signature.toString('base64url') }),
        frames: new SealedFrames({ connection, sending: toServer, receiving: toAgent, own, peer: serverPublicKey }),
      }
    },
  }
}

export interface ServerHandshake {
  readonly about: AgentHello
  readonly challenge: string
  /** Whether the agent has the key it names. The frames also carry a refusal, which the agent can trust. */
  finish(proof: string): { readonly proven: boolean; readonly frames: SealedFrames }
}

/** The server's side, once the agent has said hello. */
export function answerHello(own: Identity, hello: string): ServerHandshake {
  const { version: _version, nonce: _nonce, ephemeral: theirs, ...about } = read(Hello, hello)
  const ephemeral = newEphemeral()
  const shared = ephemeral.agree(theirs)
  const fresh = { nonce: newNonce(), ephemeral: ephemeral.publicKey }
  const said = afterChallenge(hello, fresh, own.publicKey)
  const signature = own.sign(said.of('server')).toString('base64url')
  return {
    about,
    challenge: JSON.stringify({ ...fresh, signature }),
    finish(text) {
      const { publicKey: peer } = about
      const proof = bytesOf(read(Proof, text).signature)
      const proven = isSignedBy(peer, said.add(signature).of('agent'), proof)
      const { toAgent, toServer, connection } = keysOf(said.add(proof), shared)
      return { proven, frames: new SealedFrames({ connection, sending: toAgent, receiving: toServer, own, peer }) }
    },
  }
}

const afterChallenge = (
  hello: string,
  { nonce, ephemeral }: { readonly nonce: string; readonly ephemeral: string },
  serverPublicKey: string,
): Transcript => new Transcript(PROTOCOL).add(hello, nonce, ephemeral, serverPublicKey)

/** One key for each direction, valid for this connection only. */
function keysOf(said: Transcript, shared: Buffer): { toAgent: Direction; toServer: Direction; connection: Buffer } {
  const connection = said.hash
  const direction = (name: string): Direction => ({
    name,
    key: Buffer.from(hkdfSync('sha256', shared, connection, `${PROTOCOL} ${name}`, 32)),
  })
  return { toAgent: direction('to agent'), toServer: direction('to server'), connection }
}

interface Ephemeral {
  readonly publicKey: string
  /** The shared secret; throws `ChannelProblem` when the other's key is invalid. */
  agree(theirs: string): Buffer
}

function newEphemeral(): Ephemeral {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return {
    publicKey: publicKey.export({ format: 'jwk' }).x!,
    agree(theirs) {
      try {
        return diffieHellman({ privateKey, publicKey: x25519Key(theirs) })
      } catch {
        throw new ChannelProblem('malformed', 'the ephemeral key is none')
      }
    },
  }
}

const x25519Key = (x: string): KeyObject => createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' })

const newNonce = (): string => randomBytes(32).toString('base64url')

const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url')

function read<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> {
  if (text.length > MAX_HANDSHAKE_TEXT) throw new ChannelProblem('malformed', 'a text of the handshake is too long')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ChannelProblem('malformed', 'a text of the handshake is no JSON')
  }
  if (!Value.Check(schema, value)) throw new ChannelProblem('malformed', 'a text of the handshake lacks something')
  return value as Static<Schema>
}
