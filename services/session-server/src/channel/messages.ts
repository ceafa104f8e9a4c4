// Messages between server and agent once the channel is open: JSON, with its length before it. Every request has an id, which its
// answer repeats. Unknown fields are ignored, so that either side may be newer than the other.
import Type, { type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** Largest message, in bytes: all certificates of a workstation with their issuers. */
export const MAX_FRAME_BYTES = 1024 * 1024

/** Most certificates of one workstation. */
export const MAX_CERTIFICATES = 50

/** Most documents of one approval. */
const MAX_APPROVED = 100

const Id = Type.String({ maxLength: 40 })
const Fingerprint = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of a certificate, hexadecimal.' })
const Fingerprints = Type.Array(Fingerprint, { maxItems: MAX_CERTIFICATES })
const Der = Type.String({ maxLength: 20_000, description: 'Base64.' })
const Pin = Type.String({ maxLength: 256 })
const Text = Type.String({ maxLength: 500 })
const House = Type.Optional(Type.String({ maxLength: 200, description: 'Whose server asks.' }))
const Digest = Type.String({ maxLength: 100, description: 'Base64.' })
const Signature = Type.String({ maxLength: 4_000, description: 'Base64.' })

const digestAlgorithms = ['SHA-256', 'SHA-384', 'SHA-512'] as const

/** The version of the agent that the server's operator offers. The agent shows it; the holder installs it. */
const AgentOffer = Type.Object({
  version: Type.String({ maxLength: 50 }),
  packages: Type.Array(
    Type.Object({
      platform: Type.String({ maxLength: 50, description: 'As Node.js says: `linux-x64`.' }),
      url: Type.String({ maxLength: 2_000 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
    { maxItems: 16 },
  ),
})

/** Why an agent is not let in: its key is nobody's, was revoked, or was enrolled for a channel of before. */
const refusals = ['unknown', 'revoked', 'outdated'] as const

export type ChannelRefusal = (typeof refusals)[number]

/** Messages of the server. */
export const serverMessages = {
  /** The first message: the agent is let in. Names the PINs to drop since it was last connected. */
  welcome: Type.Object({
    id: Id,
    name: Text,
    pingSeconds: Type.Integer({ minimum: 1 }),
    forget: Fingerprints,
    agent: Type.Optional(AgentOffer),
  }),
  /** The only message instead: the enrolment is no longer valid. */
  refused: Type.Object({ reason: Type.Enum([...refusals]) }),
  /** Asks for a sign of life; no proxy can answer it in the agent's place. */
  ping: Type.Object({}),
  /** A PIN to compare with the one in use. */
  offer: Type.Object({ id: Id, fingerprints: Fingerprints, pin: Pin }),
  /** Prompts the holder for the PIN, and compares it with the given one. */
  prompt: Type.Object({
    id: Id,
    fingerprints: Fingerprints,
    pin: Pin,
    cpf: Type.String({ maxLength: 11 }),
    application: Text,
    seconds: Type.Integer({ minimum: 1, maximum: 3600 }),
    house: House,
    sessionSeconds: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Without a signature; the session ends then.' }),
    ),
    allowance: Type.Optional(Type.Integer({ minimum: 1, description: 'Signing requests; no limit when absent.' })),
  }),
  /** Withdraws a prompt nobody waits for any more. */
  'take-back': Type.Object({ prompt: Id }),
  sign: Type.Object({
    id: Id,
    fingerprint: Fingerprint,
    digest: Digest,
    digestAlgorithm: Type.Enum([...digestAlgorithms]),
  }),
  /** Whether a session may still sign with this certificate. */
  'check-pin': Type.Object({ id: Id, fingerprint: Fingerprint }),
  /** The PIN in use for these certificates is to be dropped. */
  forget: Type.Object({ id: Id, fingerprints: Fingerprints }),
  /**
   * Asks the holder to approve the signature of these documents, or a test, with a certificate of their choice and its
   * PIN. The approval is for one signature of each document, and ends with the connection.
   */
  approve: Type.Object({
    id: Id,
    approval: Id,
    kind: Type.Enum(['sign', 'test']),
    code: Type.String({ maxLength: 20, description: 'Shown here and on the page that asks.' }),
    site: Text,
    application: Text,
    requester: Type.Optional(Text),
    cpf: Type.Optional(Type.String({ maxLength: 11, description: 'Of the person whose signature is wanted.' })),
    documents: Type.Array(Text, { maxItems: MAX_APPROVED }),
    house: House,
    seconds: Type.Integer({ minimum: 1, maximum: 3600 }),
  }),
  /** What the approved certificate has to sign: a digest for each document, or the nonce of a test. */
  'sign-approved': Type.Object({
    id: Id,
    approval: Id,
    digests: Type.Array(Type.Object({ digest: Digest, digestAlgorithm: Type.Enum([...digestAlgorithms]) }), {
      maxItems: MAX_APPROVED,
    }),
    nonce: Type.Optional(Type.String({ maxLength: 100, description: 'Base64.' })),
  }),
  /** Nothing more is signed under this approval. */
  'approval-over': Type.Object({ approval: Id }),
  /** Answers `pair`; where the code was found, `approve` follows. */
  paired: Type.Object({ to: Id, result: Type.Enum(['found', 'not-found', 'too-many']) }),
  /** Answers `certificates`: those ignored because they do not belong here. */
  published: Type.Object({ to: Id, ignored: Fingerprints }),
} as const satisfies Readonly<Record<string, TSchema>>

/** Why an agent did not sign. */
const signProblems = ['no-pin', 'certificate-absent', 'token-absent', 'failed'] as const

/** What a workstation lacks to sign anything, in the order in which it is set up. */
const missingThings = ['source', 'driver', 'token', 'certificate'] as const

/** Messages of an agent. */
export const agentMessages = {
  /** The first message: what the console shows of it. Who it is says its key. */
  hello: Type.Object({ agentVersion: Type.String({ maxLength: 50 }), platform: Type.String({ maxLength: 100 }) }),
  /** Answers `ping`. */
  pong: Type.Object({}),
  /** All certificates it holds now; those missing from the list are gone. */
  certificates: Type.Object({
    id: Id,
    certificates: Type.Array(
      Type.Object({ der: Der, chain: Type.Array(Der, { maxItems: 8 }), source: Type.String({ maxLength: 200 }) }),
      { maxItems: MAX_CERTIFICATES },
    ),
  }),
  /** Answers `offer`. */
  offered: Type.Union([
    Type.Object({ to: Id, result: Type.Literal('confirmed'), fingerprint: Fingerprint }),
    Type.Object({ to: Id, result: Type.Enum(['differs', 'no-pin']) }),
  ]),
  /** Answers `prompt`. */
  prompted: Type.Union([
    Type.Object({ to: Id, result: Type.Literal('confirmed'), fingerprint: Fingerprint }),
    Type.Object({ to: Id, result: Type.Enum(['differs', 'declined', 'timed-out', 'not-shown']) }),
  ]),
  /** Answers `check-pin`: in use where the token or file is there, and its PIN was not dropped. */
  'pin-checked': Type.Object({ to: Id, result: Type.Enum(['in-use', 'no-pin']) }),
  /** Answers `sign`. */
  signed: Type.Object({ to: Id, signature: Signature }),
  'not-signed': Type.Object({ to: Id, problem: Type.Enum([...signProblems]), message: Text }),
  /** The code that somebody typed here, from the page that asks for a signature. */
  pair: Type.Object({ id: Id, code: Type.String({ maxLength: 20 }) }),
  /** Answers `approve`. */
  approved: Type.Union([
    Type.Object({ to: Id, result: Type.Literal('approved'), der: Der, chain: Type.Array(Der, { maxItems: 8 }) }),
    Type.Object({ to: Id, result: Type.Literal('missing'), missing: Type.Enum([...missingThings]) }),
    Type.Object({ to: Id, result: Type.Enum(['declined', 'timed-out', 'not-shown']) }),
  ]),
  /** Answers `sign-approved`, in the order of what was asked; or `not-signed` does. */
  'all-signed': Type.Object({ to: Id, signatures: Type.Array(Signature, { maxItems: MAX_APPROVED }) }),
  /** Answers `forget` and the `welcome` that named PINs. */
  forgotten: Type.Object({ to: Id }),
} as const satisfies Readonly<Record<string, TSchema>>

/** What either side says to a message it does not know or cannot read. */
const problem = Type.Object({ to: Type.Optional(Id), message: Text })

type Table = Readonly<Record<string, TSchema>>

type ReadOnly<T> = T extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadOnly<T[Key]> }
    : T

type MessageOf<T extends Table> = {
  [Kind in keyof T & string]: { readonly type: Kind } & ReadOnly<Static<T[Kind]>>
}[keyof T & string]

type Problem = { readonly type: 'problem' } & ReadOnly<Static<typeof problem>>

export type ServerMessage = MessageOf<typeof serverMessages> | Problem
export type AgentMessage = MessageOf<typeof agentMessages> | Problem

type MessagesOf<T extends Table> = MessageOf<T> | Problem

export const writeMessage = (message: ServerMessage | AgentMessage): Buffer => Buffer.from(JSON.stringify(message))

/** A message of one of the tables, or the problem to answer with. */
export function readMessage<T extends Table>(
  table: T,
  content: Uint8Array,
): { readonly message: MessagesOf<T> } | { readonly problem: Problem } {
  const value = parsed(content)
  const { type, id } = (value ?? {}) as { type?: unknown; id?: unknown }
  const schema = type === 'problem' ? problem : schemaOf(table, type)
  if (schema && Value.Check(schema, value)) return { message: value as MessagesOf<T> }
  const message = schema ? `The message ${type} is malformed.` : 'The type of the message is not known.'
  return { problem: { type: 'problem', ...(Value.Check(Id, id) && { to: id }), message } }
}

const schemaOf = (table: Table, type: unknown): TSchema | undefined =>
  typeof type === 'string' && Object.hasOwn(table, type) ? table[type] : undefined

function parsed(content: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(content).toString('utf8'))
  } catch {
    return undefined
  }
}
