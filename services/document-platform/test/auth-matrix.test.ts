// Who may call what: every route with every kind of caller.
import { HOUR } from '@chancela/service-kernel/clock'
import {
  anyOf,
  authMatrix,
  bearing,
  deadKeys,
  type MatrixCaller,
  type MatrixCallers,
  nothing,
  onlyReading,
  tampered,
} from '@chancela/testkit/auth-matrix'
import { callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { type Operation, operations, rights } from '../src/rules/rights.ts'
import { platformSurface } from '../src/surfaces.ts'
import { administration } from './test-support/administration.ts'
import { newOrganization, type PlatformWorld, sharedPlatform, untilKnown } from './test-support/platform-world.ts'
import { browserOf, newUser } from './test-support/users.ts'

type Role = keyof (typeof rights)[Operation]

/** What a role may do to anything; which route each right is for, `rights.test.ts` says. */
const rightsOf = (role: Role): readonly Operation[] => operations.filter((name) => rights[name][role] !== 'none')

const userOf = (role: Role): MatrixCaller['may'] => anyOf('user', ...rightsOf(role))

const profileOf = (role: Role) =>
  Object.fromEntries(['administrator', 'manager', 'operator'].map((name) => [name, name === role]))

async function cookieOf(world: PlatformWorld, role: Role): Promise<string> {
  const { email } = await newUser(world, { accessProfile: profileOf(role) })
  const { set } = await browserOf(world).signIn(email)
  return set!.split(';')[0]!
}

const having = (cookie: string, may: MatrixCaller['may'], headers: object = {}): MatrixCaller => ({
  headers: { cookie, ...headers },
  may,
})

/** Users of the organization, in every state of a session. */
async function users(world: PlatformWorld): Promise<MatrixCallers> {
  const idle = await cookieOf(world, 'administrator')
  world.clock.advance(24 * HOUR)
  const callers: Record<string, MatrixCaller> = { 'a user who is idle': having(idle, nothing) }
  for (const role of ['administrator', 'manager', 'operator', 'basic'] as const)
    callers[`a user as ${role}`] = having(await cookieOf(world, role), userOf(role))
  const administrator = await cookieOf(world, 'administrator')
  const reading = onlyReading(userOf('administrator'))
  callers["a user's browser at another site"] = having(administrator, reading, { 'sec-fetch-site': 'cross-site' })
  callers['a user whose cookie was tampered with'] = having(tampered(administrator), nothing)
  const left = await cookieOf(world, 'administrator')
  await callerOf(world.baseUrl, { cookie: left }).call('DELETE', '/api/session')
  callers['a user who signed out'] = having(left, nothing)
  return callers
}

/** A user whose organization wants a second factor, which the user does not have yet. */
async function withoutSecondFactor(world: PlatformWorld): Promise<MatrixCallers> {
  const cookie = await cookieOf(world, 'administrator')
  const { id, name } = world.organization
  const { status } = await world.json('PUT', `/api/organizations/${id}`, { name, requireSecondFactor: true })
  expect(status).toBe(200)
  return { 'a user without a second factor': having(cookie, anyOf('user')) }
}

/** Keys of the organization, of the instance, and of one that is no more. */
async function applications(world: PlatformWorld): Promise<MatrixCallers> {
  const { store, clock, organization, administrationKey } = world
  const folder = await world.json('POST', '/api/folders', { name: 'One' })
  const limited = { name: 'limited', folderIds: [folder.body.id] }
  const made = await world.json('POST', `/api/organizations/${organization.id}/applications`, limited)
  const [billing, monitor] = [
    await newOrganization(store, clock(), 'Billing', { role: 'Billing' }),
    await newOrganization(store, clock(), 'Monitor', { role: 'Monitor' }),
  ]
  const deleted = await newOrganization(store, clock(), 'Deleted')
  for (const { apiKey } of [billing, monitor, deleted]) await untilKnown(world.baseUrl, apiKey)
  await administration(world)('DELETE', `/api/admin/organizations/${deleted.id}`)
  const whole = anyOf(...rightsOf('application'), 'administration', 'monitoring', 'billing')
  return {
    ...bearing('X-Api-Key', { 'a key of the organization': organization.apiKey }, anyOf(...rightsOf('application'))),
    ...bearing('X-Api-Key', { 'a key of a folder': made.body.apiKey }, anyOf(...rightsOf('folderApplication'))),
    ...bearing('X-Api-Key', { 'a key of the administration': administrationKey }, whole),
    ...bearing('X-Api-Key', { 'a key for billing': billing.apiKey }, anyOf('billing')),
    ...bearing('X-Api-Key', { 'a key for monitoring': monitor.apiKey }, anyOf('monitoring')),
    ...bearing('X-Api-Key', { 'a key of a deleted organization': deleted.apiKey }, nothing),
  }
}

/** By the key of a document and the ticket of a participant, in the query or in the body. */
const ofParticipants = [
  'GET /api/documents/keys/{key}/action',
  'GET /api/documents/keys/{key}/signatures',
  'GET /api/documents/content',
  'POST /api/documents/sms-authentication-code',
  ...[
    ...['signature/certificate', 'signature', 'electronic-signature', 'authentication-code', 'action-link', 'approval'],
    ...['refusal', 'signature/cloud', 'signature/token', 'signature/token/{id}'],
  ].map((act) => `POST /api/documents/keys/{key}/${act}`),
  'DELETE /api/documents/keys/{key}/signature/token/{id}',
]

describe('the routes of the document platform', () => {
  const platform = sharedPlatform('SQLite')

  test('are for the rights that callers have, and for participants with a ticket', async () => {
    const world = await platform()
    const isLetIn = async (apiKey: string) =>
      (await callerOf(world.baseUrl, { 'X-Api-Key': apiKey }).call('GET', '/api/documents?limit=0')).status !== 401
    const application = () => newOrganization(world.store, world.clock(), 'Dead')
    const { problems, calls } = await authMatrix({
      app: world.apps[platformSurface.name]!,
      baseUrl: world.baseUrl,
      params: { orgId: world.organization.id },
      open: [
        'POST /api/session',
        'DELETE /api/session',
        'POST /api/session/password-reset',
        'GET /api/session/ways',
        'GET /api/session/oidc',
        'GET /oidc/callback',
        'POST /api/validation',
        'POST /api/computer-tests',
        'POST /api/computer-tests/look',
        'GET /api/health',
        'GET /api/ready',
      ],
      byTicket: [
        ...ofParticipants,
        'GET /api/invitation',
        'POST /api/invitation',
        'POST /api/session/password',
        'PUT /api/marks-sessions/{id}/data',
        'GET /api/marks-sessions/{id}/page',
        'GET /api/reports/documents',
        'GET /cloud-return',
      ],
      callers: {
        nobody: { headers: {}, may: nothing },
        ...bearing('X-Api-Key', await deadKeys(world, { application, isLetIn }), nothing),
        ...(await users(world)),
        ...(await withoutSecondFactor(await platform())),
        ...(await applications(world)),
      },
    })
    expect(problems).toEqual([])
    expect(calls).toBeGreaterThan(2000)
  })
})
