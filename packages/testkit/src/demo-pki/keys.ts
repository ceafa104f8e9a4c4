import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, randomUUID, sign } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  bitString,
  contentOf,
  type Der,
  explicit,
  integer,
  membersOf,
  nothing,
  oid,
  sequence,
} from '@chancela/signature-engine/der'

// The asynchronous forms run on libuv's threads: keys are generated, and responses signed, on all cores.
const generate = promisify(generateKeyPair)
const signAsync = promisify(sign)

const rsa = (hash: 'sha256' | 'sha512', bits: number, signatureOid: string) => ({
  generate: () => generate('rsa', { modulusLength: bits }),
  hash,
  signature: sequence(oid(signatureOid), nothing),
})

// RFC 4055 §3.1: the parameters are in every signature, and may be in the key.
const pss = (hash: 'sha256' | 'sha384', hashOid: string, saltLength: number, bound: boolean) => {
  const digest = sequence(oid(hashOid), nothing)
  const mask = sequence(oid('1.2.840.113549.1.1.8'), digest)
  const parameters = sequence(explicit(0, digest), explicit(1, mask), explicit(2, integer(saltLength)))
  const restriction = bound ? { hashAlgorithm: hash, mgf1HashAlgorithm: hash, saltLength } : {}
  return {
    generate: () => generate('rsa-pss', { modulusLength: 2048, ...restriction } as { modulusLength: number }),
    hash,
    signature: sequence(oid('1.2.840.113549.1.1.10'), parameters),
  }
}

// RFC 5758 §3.2: an ECDSA algorithm identifier has no parameters, not even NULL.
const ecdsa = (hash: 'sha256' | 'sha384' | 'sha512', namedCurve: string, signatureOid: string) => ({
  generate: () => generate('ec', { namedCurve }),
  hash,
  signature: sequence(oid(signatureOid)),
})

/** Every kind of key of the demo PKI, and how a certificate authority or service signs with it. */
const keyKinds = {
  'RSA-2048': rsa('sha256', 2048, '1.2.840.113549.1.1.11'),
  'RSA-4096': rsa('sha512', 4096, '1.2.840.113549.1.1.13'),
  'P-256': ecdsa('sha256', 'prime256v1', '1.2.840.10045.4.3.2'),
  'P-384': ecdsa('sha384', 'secp384r1', '1.2.840.10045.4.3.3'),
  // RFC 8410: the algorithm hashes by itself, with SHA-512, and its identifier has no parameters.
  Ed25519: { generate: () => generate('ed25519'), hash: 'sha512', signature: sequence(oid('1.3.101.112')) },
  // The same with SHAKE256; the digest is for what is hashed beside.
  Ed448: { generate: () => generate('ed448'), hash: 'sha512', signature: sequence(oid('1.3.101.113')) },
  'P-521': ecdsa('sha512', 'secp521r1', '1.2.840.10045.4.3.4'),
  brainpoolP384r1: ecdsa('sha384', 'brainpoolP384r1', '1.2.840.10045.4.3.3'),
  // RFC 4055 §1.2: keys that make no other signatures; the second makes these alone.
  'RSA-PSS': pss('sha256', '2.16.840.1.101.3.4.2.1', 32, false),
  'RSA-PSS-SHA384': pss('sha384', '2.16.840.1.101.3.4.2.2', 48, true),
} as const

export type KeyKind = keyof typeof keyKinds

export interface DemoKey {
  readonly kind: KeyKind
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** Source of a certificate's key; the label is the certificate's. */
export type KeySource = (label: string, kind: KeyKind) => Promise<DemoKey>

/** A new key each time. */
export const freshKeys: KeySource = async (_label, kind) => ({ kind, ...(await keyKinds[kind].generate()) })

const TEST_KEYS = fileURLToPath(new URL('../../node_modules/.cache/demo-pki-keys', import.meta.url))

/** Keys this process has read or generated: reading one back costs a millisecond, and a PKI has dozens. */
const atHand = new Map<string, Promise<DemoKey>>()

/** The same keys for every test run: generating the RSA-4096 ones again takes seconds. Certificates are new. */
export const cachedKeys =
  (folder: string = TEST_KEYS): KeySource =>
  (label, kind) => {
    const file = join(folder, `${label}.${kind}.pem`)
    const key = atHand.get(file) ?? keptKey(file, kind)
    atHand.set(file, key)
    return key
  }

async function keptKey(file: string, kind: KeyKind): Promise<DemoKey> {
  return (await readKey(file, kind)) ?? makeAndKeep(file, kind)
}

/** A key from its PKCS#8 PEM. Throws where the text is no key, or a key of another kind. */
export function keyFromPem(pem: string): DemoKey {
  const privateKey = createPrivateKey(pem)
  return { kind: kindOf(privateKey), privateKey, publicKey: createPublicKey(privateKey) }
}

export const keyToPem = (key: DemoKey): string => key.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

/** SubjectPublicKeyInfo, as certificates contain it. */
export function publicKeyInfo({ publicKey }: DemoKey): Der {
  const known = exported.get(publicKey)
  if (known) return known
  const info = publicKey.export({ type: 'spki', format: 'der' })
  exported.set(publicKey, info)
  return info
}

/** OpenSSL encodes a key slowly, and every certificate, list and answer about its holder needs it. */
const exported = new WeakMap<KeyObject, Der>()

/** The bits of the public key alone: what RFC 5280 §4.2.1.2 and RFC 6960 hash to identify a key. */
export function publicKeyBits(spki: Der): Buffer {
  const [, bits] = membersOf(spki)
  return contentOf(bits!).subarray(1)
}

/** The hash inside the signatures of this key. */
export const hashOf = (key: DemoKey): 'sha256' | 'sha384' | 'sha512' => keyKinds[key.kind].hash

export const signatureAlgorithm = (key: DemoKey): Der => keyKinds[key.kind].signature

/** The plain signature over these bytes; `wrong` makes it invalid, for faults that a client must detect. */
export async function signatureOver(bytes: Uint8Array, key: DemoKey, wrong = false): Promise<Buffer> {
  const signature = await signAsync(key.kind.startsWith('Ed') ? null : hashOf(key), bytes, key.privateKey)
  if (wrong) signature[signature.length - 1]! ^= 1
  return signature
}

/** The common structure of certificates and CRLs: content, algorithm, signature. */
export const signed = async (content: Der, key: DemoKey, wrong = false): Promise<Der> =>
  sequence(content, signatureAlgorithm(key), bitString(await signatureOver(content, key, wrong)))

async function readKey(file: string, kind: KeyKind): Promise<DemoKey | undefined> {
  try {
    const key = keyFromPem(await readFile(file, 'utf8'))
    return key.kind === kind ? key : undefined
  } catch {
    return undefined // A cache: a missing or unreadable key is generated again.
  }
}

async function makeAndKeep(file: string, kind: KeyKind): Promise<DemoKey> {
  const key = await freshKeys(file, kind)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // Test files run in parallel: each writes its own file, the last rename wins, no reader sees half a key.
  const unfinished = join(dirname(file), `.${randomUUID()}`)
  await writeFile(unfinished, keyToPem(key), { mode: 0o600 })
  await rename(unfinished, file)
  return key
}

const kindsByDetails: Partial<Record<string, KeyKind>> = {
  'rsa 2048': 'RSA-2048',
  'rsa 4096': 'RSA-4096',
  'ec prime256v1': 'P-256',
  'ec secp384r1': 'P-384',
  'ed25519 undefined': 'Ed25519',
  'ed448 undefined': 'Ed448',
  'ec secp521r1': 'P-521',
  'ec brainpoolP384r1': 'brainpoolP384r1',
  'rsa-pss 2048': 'RSA-PSS',
  'rsa-pss 2048 sha384': 'RSA-PSS-SHA384',
}

function kindOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): KeyKind {
  const bound = details?.hashAlgorithm ? ` ${details.hashAlgorithm}` : ''
  const kind = kindsByDetails[`${type} ${details?.modulusLength ?? details?.namedCurve}${bound}`]
  if (!kind) throw new RangeError(`not a kind of key the demo PKI makes: ${type}`)
  return kind
}
