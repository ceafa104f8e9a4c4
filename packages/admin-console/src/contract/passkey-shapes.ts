// What passkeys are asked and answer (WebAuthn level 3). Bytes are in base64url, as browsers give them in JSON.
import Type from 'typebox'
import { Id, orNull, Text } from './common.ts'

const bytes = (maxLength: number, description?: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength, ...(description && { description }) })

/** Of at most 1023 bytes (§4, credential ID). */
const CredentialId = bytes(1364, 'The credential id.')

const ClientData = bytes(8192, 'clientDataJSON: what the browser says of the question.')

const Transport = Type.String({ pattern: '^[a-z-]{1,32}$', description: 'Such as internal, usb or hybrid.' })

/** The answer of a passkey to a question. */
export const PasskeyAnswer = Type.Object(
  {
    id: CredentialId,
    clientDataJSON: ClientData,
    authenticatorData: bytes(8192),
    signature: bytes(2048),
    userHandle: Type.Optional(orNull(bytes(128, 'Whose passkey it is; most say so.'))),
  },
  { $id: 'PasskeyAnswer' },
)

/** A passkey that was just made. */
export const NewPasskey = Type.Object(
  {
    id: CredentialId,
    clientDataJSON: ClientData,
    attestationObject: bytes(16_384, 'With the format none, or packed without certificates.'),
    transports: Type.Optional(Type.Array(Transport, { maxItems: 8 })),
  },
  { $id: 'NewPasskey' },
)

const Descriptor = Type.Object({ type: Type.Literal('public-key'), id: Text, transports: Type.Array(Text) })

export const PasskeyQuestion = Type.Object(
  {
    challenge: Text,
    rpId: Text,
    timeout: Type.Integer({ description: 'Milliseconds until the question is over.' }),
    userVerification: Type.Literal('required'),
    allowCredentials: Type.Array(Descriptor, { description: 'Empty: any passkey of this site.' }),
  },
  { $id: 'PasskeyQuestion', description: 'PublicKeyCredentialRequestOptionsJSON of WebAuthn.' },
)

export const PasskeyPlan = Type.Object(
  {
    challenge: Text,
    rp: Type.Object({ id: Text, name: Text }),
    user: Type.Object({ id: Text, name: Text, displayName: Text }),
    pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
    timeout: Type.Integer({ description: 'Milliseconds until the question is over.' }),
    attestation: Type.Literal('none'),
    authenticatorSelection: Type.Object({
      residentKey: Type.Literal('required'),
      requireResidentKey: Type.Literal(true),
      userVerification: Type.Literal('required'),
    }),
    excludeCredentials: Type.Array(Descriptor),
  },
  { $id: 'PasskeyPlan', description: 'PublicKeyCredentialCreationOptionsJSON of WebAuthn.' },
)

export const PasskeyName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'To tell it from others.',
})

export const Passkey = Type.Object(
  {
    id: Id,
    name: Text,
    host: Type.String({ description: 'The name of the site that it signs in to; browsers offer it nowhere else.' }),
    createdAt: Text,
    lastUsedAt: orNull(Text),
  },
  { $id: 'Passkey' },
)
