import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import { answerOf, newPasskeyOf } from '../../shared/authenticator/browser-passkeys.ts'
import type { Me, Passkey, PasskeyPlan, PasskeyQuestion } from './types.ts'

const PASSKEYS = '/api/session/passkeys'

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => call<Passkey[]>('GET', PASSKEYS, { signal }),
})

/** Has a passkey answer for a sign-in, alone or after the password. */
export const passkeyForSignIn = async () =>
  answerOf(await call<PasskeyQuestion>('POST', '/api/session/passkey/question'))

export const signInWithPasskey = async () =>
  call<Me>('POST', '/api/session/passkey', { body: { passkey: await passkeyForSignIn() } })

/** Has a passkey show again who is signed in. */
export async function proveWithPasskey(): Promise<void> {
  const passkey = await answerOf(await call<PasskeyQuestion>('POST', '/api/session/proof/question'))
  await call('POST', '/api/session/proof/passkey', { body: { passkey } })
}

export async function addPasskey(name: string): Promise<Passkey> {
  const passkey = await newPasskeyOf(await call<PasskeyPlan>('POST', `${PASSKEYS}/question`))
  return call<Passkey>('POST', PASSKEYS, { body: { name, passkey } })
}

const passkey = (id: string) => `${PASSKEYS}/${encodeURIComponent(id)}`

export const renamePasskey = ({ id, name }: { id: string; name: string }) =>
  call<Passkey>('PUT', passkey(id), { body: { name } })

export const removePasskey = (id: string) => call<unknown>('DELETE', passkey(id))
