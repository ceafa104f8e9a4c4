// An authenticator and its browser in software (WebAuthn level 3): makes passkeys with ES256, answers questions, and lies
// where a test wants it to.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { type Cbor, cbor } from './cbor.ts'

/** What a console asks for a new passkey; the rest of it is for browsers. */
interface Plan {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}

/** What it asks for a sign-in or a proof. */
interface Question {
  readonly challenge: string
  readonly rpId: string
}

/** Where a test has browser or authenticator say something else than they would. */
export interface Lies {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly crossOrigin?: boolean
  /** Of the authenticator data: 1 somebody is there, 4 it is the user. */
  readonly flags?: number
  readonly counter?: number
  readonly userHandle?: string | null
  /** COSE algorithm of the new key. */
  readonly algorithm?: number
  readonly format?: string
  readonly statement?: ReadonlyMap<string, Cbor>
  /** Signs in place of the passkey's own key. */
  readonly key?: KeyObject
  readonly id?: string
}

interface SoftPasskey {
  readonly id: string
  readonly rpId: string
  readonly userHandle: string
  readonly key: KeyObject
  counter: number
}

const [PRESENT, VERIFIED, WITH_KEY] = [1, 4, 64]
const ES256 = -7

/** An authenticator in a browser that shows pages of this origin. */
export function softAuthenticator(origin: string, { counts = true }: { readonly counts?: boolean } = {}) {
  const passkeys: SoftPasskey[] = []

  const clientData = (type: string, challenge: string, lies: Lies): string =>
    base64url(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: lies.crossOrigin ?? false,
      }),
    )

  const authenticatorData = (rpId: string, counter: number, flags: number, key: Buffer, lies: Lies): Buffer => {
    const data = Buffer.alloc(37)
    createHash('sha256')
      .update(lies.rpId ?? rpId)
      .digest()
      .copy(data)
    data[32] = lies.flags === undefined ? flags : lies.flags | (flags & WITH_KEY)
    data.writeUInt32BE(lies.counter ?? counter, 33)
    return Buffer.concat([data, key])
  }

  return {
    passkeys,

    /** A new passkey, as the page of a console sends it. */
    make({ challenge, rp, user }: Plan, lies: Lies = {}) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const id = lies.id ?? randomBytes(32).toString('base64url')
      const passkey = { id, rpId: rp.id, userHandle: user.id, key: privateKey, counter: 0 }
      passkeys.push(passkey)
      const credential = attested(Buffer.from(id, 'base64url'), publicKey, lies.algorithm ?? ES256)
      const data = authenticatorData(rp.id, 0, PRESENT | VERIFIED | WITH_KEY, credential, lies)
      const clientDataJSON = clientData('webauthn.create', challenge, lies)
      const own = new Map<string, Cbor>([
        ['alg', ES256],
        ['sig', signed(data, clientDataJSON, lies.key ?? privateKey)],
      ])
      const object = new Map<string, Cbor>([
        ['fmt', lies.format ?? 'none'],
        ['attStmt', lies.statement ?? (lies.format === 'packed' ? own : new Map())],
        ['authData', data],
      ])
      return {
        id,
        clientDataJSON,
        attestationObject: base64url(cbor(object)),
        transports: ['internal'],
      }
    },

    /** The answer of a passkey, of the last one unless another is named. */
    answer({ challenge, rpId }: Question, lies: Lies = {}, passkey = passkeys.at(-1)!) {
      if (counts) passkey.counter += 1
      const clientDataJSON = clientData('webauthn.get', challenge, lies)
      const data = authenticatorData(rpId, passkey.counter, PRESENT | VERIFIED, Buffer.alloc(0), lies)
      const userHandle = lies.userHandle === undefined ? passkey.userHandle : lies.userHandle
      return {
        id: lies.id ?? passkey.id,
        clientDataJSON,
        authenticatorData: base64url(data),
        signature: base64url(signed(data, clientDataJSON, lies.key ?? passkey.key)),
        userHandle,
      }
    },
  }
}

export type SoftAuthenticator = ReturnType<typeof softAuthenticator>

/** Attested credential data (§6.5.1), of an authenticator that does not say what it is. */
function attested(id: Buffer, publicKey: KeyObject, algorithm: number): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const key = new Map<number, Cbor>([
    [1, 2],
    [3, algorithm],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
  return Buffer.concat([Buffer.alloc(16), length, id, cbor(key)])
}

function signed(data: Buffer, clientDataJSON: string, key: KeyObject): Buffer {
  const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
  return sign('sha256', Buffer.concat([data, hash]), key)
}

const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url')
