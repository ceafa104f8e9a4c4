// Approvers in browsers of their own. Pools are written into the store, where the service looks for them.

import { readAnswer } from '@chancela/testkit/service-world'
import type { TestStore } from '@chancela/testkit/stores'
import { linkToken } from '../../src/parts/approvals/approver-links.ts'
import type { ApprovalRule, Approver } from '../../src/rules/approval-rule.ts'
import type { Tables } from '../../src/store/tables.ts'

const LINK_SECRET = 'links-of-the-tests-are-made-of-this-secret'
export const SEED_SECRET = 'seeds-of-the-tests-are-sealed-with-this-one'

/** The portal is on, and nobody is held back by a limit. */
export const portalSettings = {
  ApproverPortal: { Enabled: true, LinkSecret: LINK_SECRET },
  RateLimiting: { Enabled: false },
}

export const maria: Approver = { name: 'Maria Lima', email: 'Maria@example.com', cpf: '52998224725' }
export const joao: Approver = { name: 'João Reis', email: 'joao@example.com', cpf: '11144477735' }
export const rita: Approver = { name: 'Rita Paz', email: 'rita@example.com', cpf: '39053344705' }

export const ruleOf = (approvers: readonly Approver[], over: Partial<ApprovalRule> = {}): ApprovalRule => ({
  minimumApprovers: 1,
  expiresAfterSeconds: null,
  signers: 'ProfileKey',
  approvers,
  ...over,
})

/** Gives a profile a pool, or takes it away. */
export async function setRule(
  { db }: TestStore<Tables>,
  rule: ApprovalRule | null,
  { profile = 'default', enabled = true } = {},
): Promise<void> {
  const named = db.selectFrom('signing_profile').select('behaviour').where('name', '=', profile)
  const { behaviour } = await named.executeTakeFirstOrThrow()
  await db
    .updateTable('signing_profile')
    .set({ behaviour: JSON.stringify({ ...JSON.parse(behaviour), approval: rule }), enabled: enabled ? 1 : 0 })
    .where('name', '=', profile)
    .execute()
}

export const linkOf = (email: string, secret = LINK_SECRET): string => `/approvals/link/${linkToken(secret, email)}`

interface Place {
  readonly full: { readonly baseUrl: string }
}

/** A browser without any cookie; it keeps what it is given. */
export function browserOf({ full: { baseUrl } }: Place) {
  const cookies = new Map<string, string>()
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(new URL(path, baseUrl), {
      method,
      redirect: 'manual',
      headers: { ...cookieHeader(cookies), ...(body !== undefined && JSON_TYPE), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    for (const cookie of answer.headers.getSetCookie()) keep(cookies, cookie)
    return answer
  }
  const json: typeof readAnswerOf = async (...asked) => readAnswer(await call(...asked))
  return { cookies, call, json }
}

const JSON_TYPE = { 'content-type': 'application/json' }

declare const readAnswerOf: (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => ReturnType<typeof readAnswer>

export type Browser = ReturnType<typeof browserOf>

const cookieHeader = (cookies: ReadonlyMap<string, string>) =>
  cookies.size > 0 ? { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } : {}

function keep(cookies: Map<string, string>, header: string): void {
  const [pair = '', ...attributes] = header.split('; ')
  const equals = pair.indexOf('=')
  if (attributes.includes('Max-Age=0')) cookies.delete(pair.slice(0, equals))
  else cookies.set(pair.slice(0, equals), pair.slice(equals + 1))
}

/** A browser that came by somebody's link. */
export async function comeByLink(place: Place, { email }: Pick<Approver, 'email'>): Promise<Browser> {
  const browser = browserOf(place)
  const answer = await browser.call('GET', linkOf(email))
  if (answer.headers.get('location') !== '/approvals') throw new Error('The link was not accepted.')
  return browser
}
