// A real identity provider with people of every kind, and their way through its pages.
import { type Browser, browserOf } from '@chancela/testkit/console'
import { expect, vi } from 'vitest'
import {
  type Account,
  client,
  reserveIdentityProvider,
  signInAtProvider,
} from '../../../session-server/test/test-support/identity-provider.ts'

const people: Readonly<Record<string, Account>> = {
  ana: { preferred_username: 'ana@casa', roles: ['Administrator'] },
  rui: { preferred_username: 'rui@casa', roles: ['Approver'], email: 'Rui@Example.com', email_verified: true },
  bia: { roles: ['Approver', 'Administrator'], email: 'bia@example.com', email_verified: true },
  // Some providers verify every address and do not say so.
  eva: { roles: 'Approver', email: 'eva@example.com' },
  nobody: { preferred_username: 'nobody@casa', email: 'nobody@example.com', email_verified: true },
  other: { roles: ['administrator', 'Auditor'], email: 'other@example.com', email_verified: true },
  addressless: { preferred_username: 'x@example.com', roles: ['Approver'] },
  unverified: { roles: ['Approver'], email: 'rui@example.com', email_verified: false },
}

type Provider = Awaited<ReturnType<typeof reserveIdentityProvider>>

/** Reserves the address of a provider. */
export { reserveIdentityProvider as newProvider }

export const idpSettings = ({ issuer }: Pick<Provider, 'issuer'>, over: object = {}) => ({
  Issuer: issuer,
  ClientId: client.id,
  ClientSecret: client.secret,
  ...over,
})

type OpenOptions = Partial<Parameters<Provider['open']>[0]>

/** Opens a provider for the service at this address. */
export function openFor(provider: Provider, baseUrl: string, over: OpenOptions = {}): void {
  // The provider prints notes for its operators to the console.
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => undefined)
  provider.open({ accounts: people, redirectUris: [new URL('/signin-oidc', baseUrl).href], ...over })
}

export const browserAt = (baseUrl: string): Browser => browserOf({ consoleUrl: baseUrl })

/** Where the service redirects a browser. */
export async function sentTo({ visit }: Browser, path: string): Promise<string> {
  const answer = await visit('GET', path)
  expect(answer.status).toBe(302)
  return answer.headers.get('location')!
}

/** Goes to the provider and signs in; the address that the provider sends the browser back to. */
export async function wayBack(browser: Browser, login: string, returnUrl?: string): Promise<string> {
  const query = returnUrl === undefined ? '' : `?${new URLSearchParams({ ReturnUrl: returnUrl })}`
  return signInAtProvider(await sentTo(browser, `/api/auth/idp-login${query}`), login)
}

/** Signs in; the page that the browser then opens. */
export const passThrough = async (browser: Browser, login: string, returnUrl?: string): Promise<string> =>
  sentTo(browser, await wayBack(browser, login, returnUrl))

/** A browser in which somebody has signed in. */
export async function signedInAs(baseUrl: string, login: string): Promise<Browser> {
  const browser = browserAt(baseUrl)
  await passThrough(browser, login)
  return browser
}
