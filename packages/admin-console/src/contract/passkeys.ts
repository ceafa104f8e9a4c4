// Passkeys of administrators: registering them, signing in and proving with them.
import Type, { type TSchema } from 'typebox'
import { NewPasskey, Passkey, PasskeyAnswer, PasskeyName, PasskeyPlan, PasskeyQuestion } from './passkey-shapes.ts'
import { Me } from './session.ts'

const tags = ['Session']

/** A question is a change: browsers get a cookie, by which the answer must come from the one that asked. */
const question = <const Path extends string, const Access extends string, Answer extends TSchema>(
  path: Path,
  { summary, answer, access }: { readonly summary: string; readonly answer: Answer; readonly access: Access },
) => ({ method: 'POST', path, summary, tags, answer, access }) as const

export const askForSignIn = {
  ...question('/api/session/passkey/question', {
    summary: 'What a browser asks a passkey for a sign-in, alone or after the password; once, within five minutes.',
    answer: PasskeyQuestion,
    access: 'anonymous',
  }),
  refusals: ['PASSKEYS_UNAVAILABLE'],
} as const

export const signInWithPasskey = {
  method: 'POST',
  path: '/api/session/passkey',
  summary: 'Signs a local administrator in with a passkey alone; answers with a cookie.',
  description: 'The passkey has asked for the finger, the face or the PIN of its owner, which makes it two factors.',
  tags,
  body: Type.Object({ passkey: PasskeyAnswer }),
  answer: Me,
  access: 'anonymous',
  policy: 'SignIn',
  refusals: ['PASSKEY_REFUSED', 'PASSKEYS_UNAVAILABLE'],
} as const

export const askForProof = {
  ...question('/api/session/proof/question', {
    summary: 'What a browser asks a passkey of whoever is signed in, as a proof.',
    answer: PasskeyQuestion,
    access: 'visitor',
  }),
  refusals: ['PASSKEYS_UNAVAILABLE', 'AT_IDENTITY_PROVIDER'],
} as const

export const proveWithPasskey = {
  method: 'POST',
  path: '/api/session/proof/passkey',
  summary:
    'Proves again who is signed in, as POST /api/session/proof does, with a passkey in place of password and code.',
  tags,
  body: Type.Object({ passkey: PasskeyAnswer }),
  access: 'visitor',
  policy: 'SignIn',
  refusals: ['PROOF_REFUSED', 'PASSKEYS_UNAVAILABLE', 'AT_IDENTITY_PROVIDER'],
} as const

export const listPasskeys = {
  method: 'GET',
  path: '/api/session/passkeys',
  summary: 'The passkeys of whoever is signed in.',
  tags,
  answer: Type.Array(Passkey),
  access: 'account',
} as const

export const planPasskey = {
  ...question('/api/session/passkeys/question', {
    summary: 'What a browser asks for a new passkey of whoever is signed in.',
    answer: PasskeyPlan,
    access: 'proven-visitor',
  }),
  refusals: ['PASSKEYS_UNAVAILABLE', 'AT_IDENTITY_PROVIDER', 'REAUTHENTICATION_REQUIRED', 'TOO_MANY_PASSKEYS'],
} as const

export const addPasskey = {
  method: 'POST',
  path: '/api/session/passkeys',
  summary: 'Adds a passkey to whoever is signed in; ends their other sessions.',
  tags,
  body: Type.Object({ name: PasskeyName, passkey: NewPasskey }),
  answer: Passkey,
  access: 'proven-visitor',
  policy: 'SignIn',
  refusals: [
    'PASSKEY_INVALID',
    'PASSKEYS_UNAVAILABLE',
    'AT_IDENTITY_PROVIDER',
    'REAUTHENTICATION_REQUIRED',
    'TOO_MANY_PASSKEYS',
  ],
} as const

export const renamePasskey = {
  method: 'PUT',
  path: '/api/session/passkeys/{id}',
  summary: 'Another name for a passkey of whoever is signed in.',
  tags,
  body: Type.Object({ name: PasskeyName }),
  answer: Passkey,
  access: 'proven-account',
  refusals: ['PASSKEY_NOT_FOUND', 'AT_IDENTITY_PROVIDER', 'REAUTHENTICATION_REQUIRED'],
} as const

export const removePasskey = {
  method: 'DELETE',
  path: '/api/session/passkeys/{id}',
  summary: 'Forgets a passkey of whoever is signed in; ends their other sessions.',
  tags,
  access: 'proven-account',
  refusals: ['PASSKEY_NOT_FOUND', 'LAST_SECOND_FACTOR', 'AT_IDENTITY_PROVIDER', 'REAUTHENTICATION_REQUIRED'],
} as const
