// Who may call what: every route of both surfaces with every kind of caller.
import { DAY } from '@chancela/service-kernel/clock'
import {
  anyOf,
  authMatrix,
  bearing,
  type MatrixCaller,
  type MatrixCallers,
  nothing,
  onlyReading,
  tampered,
} from '@chancela/testkit/auth-matrix'
import { testClock } from '@chancela/testkit/clock'
import { sharedWorld } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import {
  type Browser,
  browserOf,
  comeByLink,
  maria,
  portalSettings,
  ruleOf,
  setRule,
} from './test-support/approvers.ts'
import { idpSettings, newProvider, openFor, signedInAs } from './test-support/idp.ts'
import { API_KEY, type RunningBatchSigner, sharedBatchSigner } from './test-support/running-service.ts'

const OPERATOR = 'chancela-batch'
const APPROVER = 'chancela-approver'
const PERSON = 'chancela-batch-idp'

const elsewhere = { 'sec-fetch-site': 'cross-site' }

/** Whoever has this cookie. */
const having = (name: string, value: string, may: MatrixCaller['may'], headers: object = {}): MatrixCaller => ({
  headers: { cookie: `${name}=${value}`, ...headers },
  may,
})

/** A browser of an operator who signed in with the key. */
async function operatorAt(service: RunningBatchSigner): Promise<Browser> {
  const browser = browserOf(service)
  const body = new URLSearchParams({ ApiKey: API_KEY })
  const login = await fetch(`${service.full.baseUrl}/api/auth/login`, { method: 'POST', body, redirect: 'manual' })
  browser.cookies.set(OPERATOR, login.headers.getSetCookie()[0]!.split(/[=;]/)[1]!)
  return browser
}

/** The cookie of a session, and the same of one that was ended in its browser. */
async function cookiesOf(name: string, begin: () => Promise<Browser>) {
  const [live, left] = [await begin(), await begin()]
  const ended = left.cookies.get(name)!
  await left.call('POST', '/api/auth/logout')
  return { live: live.cookies.get(name)!, ended }
}

const clock = testClock()

/** Browsers of operators and approvers; what each may on the full surface. */
async function browsers(service: RunningBatchSigner): Promise<MatrixCallers> {
  await setRule(service.store, ruleOf([maria]))
  const begin = { operator: () => operatorAt(service), approver: () => comeByLink(service, maria) }
  const [idleOperator, idleApprover] = [await begin.operator(), await begin.approver()]
  clock.advance(31 * DAY)
  const operator = await cookiesOf(OPERATOR, begin.operator)
  const approver = await cookiesOf(APPROVER, begin.approver)
  const [operating, approving] = [anyOf('key'), anyOf('approver')]
  return {
    'an operator': having(OPERATOR, operator.live, operating),
    "an operator's browser at another site": having(OPERATOR, operator.live, onlyReading(operating), elsewhere),
    'an operator who signed out': having(OPERATOR, operator.ended, nothing),
    'an idle operator': having(OPERATOR, idleOperator.cookies.get(OPERATOR)!, nothing),
    'an operator whose cookie was tampered with': having(OPERATOR, tampered(operator.live), nothing),
    'an operator as approver': having(APPROVER, operator.live, nothing),
    'an approver': having(APPROVER, approver.live, approving),
    "an approver's browser at another site": having(APPROVER, approver.live, onlyReading(approving), elsewhere),
    'an approver who signed out': having(APPROVER, approver.ended, nothing),
    'an idle approver': having(APPROVER, idleApprover.cookies.get(APPROVER)!, nothing),
    'an approver whose cookie was tampered with': having(APPROVER, tampered(approver.live), nothing),
    'an approver as operator': having(OPERATOR, approver.live, nothing),
  }
}

const keys: MatrixCallers = {
  nobody: { headers: {}, may: nothing },
  ...bearing('X-API-Key', { 'a wrong key': 'wrong', 'a longer key': `${API_KEY}x`, 'an empty key': '' }, nothing),
  ...bearing('X-API-Key', { 'the key': API_KEY }, anyOf('key')),
}

/** The routes of the full surface that are not for operators or approvers. */
const full = {
  open: [
    'POST /api/auth/login',
    'POST /api/auth/logout',
    'GET /api/auth/idp-login',
    'GET /signin-oidc',
    'GET /dashboard/api/sign-in',
    'POST /api/culture',
    'GET /api/culture',
    'GET /branding/customer-logo',
    'GET /api/health',
    'GET /api/ready',
  ],
  // The decision of an approver names its job and an address of its pool (spec 2, Authentication).
  byTicket: ['POST /api/approvals/{id}', 'GET /approvals/link/{token}', 'GET /approvals/cloud/return'],
}

describe('the routes of the batch signer', () => {
  const open = sharedBatchSigner({ database: 'SQLite', settings: portalSettings, clock })

  test('of the full surface are for operators, and those of the portal for approvers', async () => {
    const service = await open()
    const { problems, calls } = await authMatrix({
      app: service.apps['batch-signer']!,
      baseUrl: service.full.baseUrl,
      ...full,
      callers: { ...keys, ...(await browsers(service)) },
    })
    expect(problems).toEqual([])
    expect(calls).toBeGreaterThan(1000)
  })

  test('of the compact surface are for the key alone', async () => {
    const service = await open()
    const strangers = Object.entries(await browsers(service)).map(([who, { headers }]) => [
      who,
      { headers, may: nothing },
    ])
    const { problems, calls } = await authMatrix({
      app: service.apps['batch-signer-compact']!,
      baseUrl: service.compact.baseUrl,
      open: ['GET /api/health', 'GET /api/ready'],
      callers: { ...keys, ...(Object.fromEntries(strangers) as MatrixCallers) },
    })
    expect(problems).toEqual([])
    expect(calls).toBeGreaterThan(100)
  })
})

describe('the routes of the batch signer behind an identity provider', () => {
  const provider = sharedWorld(async () => {
    const world = await newProvider()
    return { world, close: async () => void (await world.close()) }
  })
  const open = sharedBatchSigner(() => ({
    database: 'SQLite',
    settings: { ...portalSettings, Auth: { ApiKey: API_KEY, Idp: idpSettings(provider()) } },
  }))

  test('are for the roles that the provider gave, and for the key', async () => {
    const service = await open()
    openFor(provider(), service.full.baseUrl)
    const cookieOf = async (login: string) => (await signedInAs(service.full.baseUrl, login)).jar.get(PERSON)!
    const left = await signedInAs(service.full.baseUrl, 'ana')
    const ended = left.jar.get(PERSON)!
    await left.visit('POST', '/api/auth/logout')
    const ana = await cookieOf('ana')
    const { problems, calls } = await authMatrix({
      app: service.apps['batch-signer']!,
      baseUrl: service.full.baseUrl,
      ...full,
      callers: {
        ...keys,
        'an administrator': having(PERSON, ana, anyOf('key')),
        "an administrator's browser at another site": having(PERSON, ana, onlyReading(anyOf('key')), elsewhere),
        'an administrator whose cookie was tampered with': having(PERSON, tampered(ana), nothing),
        'an administrator who signed out': having(PERSON, ended, nothing),
        'an approver': having(PERSON, await cookieOf('rui'), anyOf('approver')),
        'an approver who is an administrator': having(PERSON, await cookieOf('bia'), anyOf('key', 'approver')),
        'a person without a role': having(PERSON, await cookieOf('nobody'), nothing),
        'an administrator under the name of operators': having(OPERATOR, ana, nothing),
      },
    })
    expect(problems).toEqual([])
    expect(calls).toBeGreaterThan(800)
  })
})
