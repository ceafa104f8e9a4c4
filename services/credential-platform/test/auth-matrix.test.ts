// Who may call what: every route with every kind of caller.
import { HOUR, MINUTE } from '@chancela/service-kernel/clock'
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
import type { Role } from '../src/contract/vocabulary.ts'
import { type Operation, operations, systemOperations } from '../src/rules/rights.ts'
import { credentialSurface } from '../src/surfaces.ts'
import {
  type CredentialWorld,
  type Organization,
  organizationAt,
  personOf,
  sharedPlatform,
} from './test-support/credential-world.ts'

/** What a role may; which route each right is for, `rights.test.ts` says. */
const rightsOf = (role: Role): readonly string[] =>
  Object.keys(operations).filter((name) => (operations[name as Operation] as readonly Role[]).includes(role))

/** What a person signs, which no application does. */
const OF_PEOPLE: readonly string[] = ['GET /api/signer', 'GET /api/signer/documents']

const keyAs =
  (role: Role, ...more: readonly string[]): MatrixCaller['may'] =>
  (access, _method, route) =>
    [...rightsOf(role), ...more].includes(access) && !OF_PEOPLE.includes(route)

const personAs = (role: Role): MatrixCaller['may'] => anyOf('visitor', 'proven-visitor', ...rightsOf(role))

/** What a copied cookie is not enough for. */
const wantsProof = (access: string, method: string): boolean =>
  access === 'proven-visitor' || (['users.manage', 'applications.manage'].includes(access) && method !== 'GET')

const having = (cookie: string, may: MatrixCaller['may'], headers: object = {}): MatrixCaller => ({
  headers: { cookie, ...headers },
  may,
})

/** People of an organization, in every state of a session. */
async function people(world: CredentialWorld, organization: Organization): Promise<MatrixCallers> {
  const cookieOf = async (role: Role) => (await personOf(world, organization, role)).cookie
  const idle = await cookieOf('Administrador')
  world.clock.advance(24 * HOUR)
  const unproven = await cookieOf('Administrador')
  world.clock.advance(11 * MINUTE)
  const [administrador, gerente, left] = [
    await cookieOf('Administrador'),
    await cookieOf('Gerente'),
    await cookieOf('Administrador'),
  ]
  await callerOf(world.baseUrl, { cookie: left }).call('DELETE', '/api/session')
  const may = personAs('Administrador')
  return {
    'a person as Administrador': having(administrador, may),
    'a person as Gerente': having(gerente, personAs('Gerente')),
    'a person who proved long ago': having(
      unproven,
      (access, method, route) => may(access, method, route) && !wantsProof(access, method),
    ),
    "a person's browser at another site": having(administrador, onlyReading(may), { 'sec-fetch-site': 'cross-site' }),
    'a person whose cookie was tampered with': having(tampered(administrador), nothing),
    'a person who signed out': having(left, nothing),
    'a person who is idle': having(idle, nothing),
  }
}

/** Keys of the organization, of the operator, and of others. */
async function applications(world: CredentialWorld, organization: Organization): Promise<MatrixCallers> {
  const { systemKey, system } = world
  const [other, disabled] = [await organizationAt(world), await organizationAt(world)]
  await system.json('PUT', `/api/subscriptions/${disabled.subscriptionId}`, { disabled: true })
  const { apiKey: gerente } = await organization.application('Gerente')
  const here = { 'x-subscription': organization.subscriptionId }
  return {
    ...bearing('X-Api-Key', { 'a key as Administrador': organization.apiKey }, keyAs('Administrador')),
    ...bearing('X-Api-Key', { 'a key as Gerente': gerente }, keyAs('Gerente')),
    ...bearing('X-Api-Key', { 'the operator': systemKey }, anyOf(...systemOperations)),
    'the operator in the organization': {
      headers: { 'x-api-key': systemKey, ...here },
      may: keyAs('Administrador', ...systemOperations),
    },
    'a key of another organization': { headers: { 'x-api-key': other.apiKey, ...here }, may: nothing },
    ...bearing('X-Api-Key', { 'a key of a disabled organization': disabled.apiKey }, nothing),
  }
}

describe('the routes of the credential platform', () => {
  const open = sharedPlatform('SQLite')

  test('are for the rights that callers have', async () => {
    const world = open()
    const organization = await organizationAt(world)
    const isLetIn = async (apiKey: string) =>
      (await callerOf(world.baseUrl, { 'X-Api-Key': apiKey }).call('GET', '/api/institutes')).status !== 401
    const application = async () => ({ applicationId: (await organization.application('Administrador')).id })
    const { problems, calls } = await authMatrix({
      app: world.apps[credentialSurface.name]!,
      baseUrl: world.baseUrl,
      open: ['POST /api/session', 'DELETE /api/session', 'POST /public/verify', 'GET /api/health', 'GET /api/ready'],
      byTicket: [
        'POST /api/session/invitation',
        'GET /{code}',
        'GET /{code}.xml',
        'GET /{code}/xml/{sha256}',
        'GET /{code}/rvdd',
        'GET /public/{iesCode}/annulled-degrees.xml',
        'GET /cloud-return',
        'GET /issuers/{id}/did.json',
        'GET /issuers/{id}/status-lists/{purpose}/{number}',
        'GET /wallet/{ticket}',
        'POST /wallet/{ticket}',
      ],
      weak: {
        visitor: [
          'GET /api/session',
          'PUT /api/session/password',
          'POST /api/session/proof',
          'GET /api/session/sessions',
          'DELETE /api/session/sessions/{id}',
          'DELETE /api/session/sessions',
        ],
      },
      callers: {
        nobody: { headers: {}, may: nothing },
        ...bearing('X-Api-Key', await deadKeys(world, { application, isLetIn }), nothing),
        ...(await people(world, organization)),
        ...(await applications(world, organization)),
      },
    })
    expect(problems).toEqual([])
    expect(calls).toBeGreaterThan(2500)
  })
})
