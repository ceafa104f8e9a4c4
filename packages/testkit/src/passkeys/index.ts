// Passkeys at consoles: an authenticator in software, and what administrators do with it.
import { type Browser, browserOf, newAdministrator } from '../console/index.ts'
import { type Lies, type SoftAuthenticator, softAuthenticator } from './soft-authenticator.ts'

export { type Lies, type SoftAuthenticator, softAuthenticator } from './soft-authenticator.ts'

type World = Parameters<typeof newAdministrator>[0] & Parameters<typeof browserOf>[0]

/** Asks for a new passkey, and sends the one that the authenticator makes. */
export async function addPasskey(
  { call }: Pick<Browser, 'call'>,
  authenticator: SoftAuthenticator,
  { name = 'Laptop', ...lies }: Lies & { readonly name?: string } = {},
) {
  const { status, body } = await call('POST', '/api/session/passkeys/question')
  if (status !== 200) throw new Error(`No passkey was asked for: ${status} ${JSON.stringify(body)}.`)
  return call('POST', '/api/session/passkeys', { name, passkey: authenticator.make(body, lies) })
}

/** Asks a question for a sign-in, and answers it. */
export async function answerOf({ call }: Pick<Browser, 'call'>, authenticator: SoftAuthenticator, lies: Lies = {}) {
  return authenticator.answer((await call('POST', '/api/session/passkey/question')).body, lies)
}

/** Signs in with a passkey alone. */
export const signInWithPasskey = async (browser: Browser, authenticator: SoftAuthenticator, lies: Lies = {}) =>
  browser.call('POST', '/api/session/passkey', { passkey: await answerOf(browser, authenticator, lies) })

/** Proves with a passkey who is signed in. */
export async function proveWithPasskey({ call }: Browser, authenticator: SoftAuthenticator, lies: Lies = {}) {
  const passkey = authenticator.answer((await call('POST', '/api/session/proof/question')).body, lies)
  return call('POST', '/api/session/proof/passkey', { passkey })
}

/** A browser in which an administrator has signed in, whose only second factor is a passkey. */
export async function withPasskey(world: World, options: { readonly counts?: boolean } = {}) {
  const { id, email } = await newAdministrator(world)
  const browser = browserOf(world)
  await browser.signIn(email)
  const authenticator = softAuthenticator(new URL(world.consoleUrl).origin, options)
  const { status, body } = await addPasskey(browser, authenticator)
  if (status !== 200) throw new Error(`The passkey was not accepted: ${status} ${JSON.stringify(body)}.`)
  return { ...browser, id, email, authenticator, passkey: body as { readonly id: string; readonly name: string } }
}
