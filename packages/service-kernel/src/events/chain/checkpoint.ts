import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { canonicalJson, HeadSchema } from './link.ts'

/** A head that a service signed. */
export const CheckpointSchema = Type.Object({
  /** From 1, without gaps. */
  number: Type.Integer(),
  ...HeadSchema.properties,
  at: Type.String(),
  keyId: Type.String(),
  /** Ed25519, base64. */
  signature: Type.String(),
})

export type Checkpoint = Readonly<Static<typeof CheckpointSchema>>

/** The public half of a key that signs checkpoints. */
export const CheckpointKeySchema = Type.Object({
  /** SHA-256 of the key, in hexadecimal digits: this is what an auditor notes. */
  id: Type.String(),
  /** SubjectPublicKeyInfo, base64. */
  publicKey: Type.String(),
})

export type CheckpointKey = Readonly<Static<typeof CheckpointKeySchema>>

/** What is signed: nothing else that this key ever signs has this form. */
const signedBytes = ({ number, sequence, link, at, keyId }: Omit<Checkpoint, 'signature'>): Buffer =>
  Buffer.from(canonicalJson(['chancela audit checkpoint', number, sequence, link, at, keyId]))

export const signedCheckpoint = (content: Omit<Checkpoint, 'signature'>, key: KeyObject): Checkpoint => ({
  ...content,
  signature: sign(null, signedBytes(content), key).toString('base64'),
})

export const isSignedBy = (checkpoint: Checkpoint, key: KeyObject): boolean =>
  verify(null, signedBytes(checkpoint), key, Buffer.from(checkpoint.signature, 'base64'))

/** The public half as it is stored and exported. */
export function checkpointKeyOf(key: KeyObject): CheckpointKey {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return { id: idOf(der), publicKey: der.toString('base64') }
}

const idOf = (der: Buffer): string => createHash('sha256').update(der).digest('hex')

/** The key, if it is one and its id is its own. */
export function readCheckpointKey({ id, publicKey }: CheckpointKey): KeyObject | undefined {
  const der = Buffer.from(publicKey, 'base64')
  if (idOf(der) !== id) return undefined
  try {
    const key = createPublicKey({ key: der, type: 'spki', format: 'der' })
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}

/** The checkpoint that a line of JSON is or, as lines of a service's log do, has as text; none or one. */
export function checkpointsIn(line: string): readonly Checkpoint[] {
  const value = parsed(line)
  const { checkpoint } = (value ?? {}) as { checkpoint?: unknown }
  const found = typeof checkpoint === 'string' ? parsed(checkpoint) : value
  return Value.Check(CheckpointSchema, found) ? [found] : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
