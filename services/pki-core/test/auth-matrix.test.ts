// Who may call what: every route of both surfaces with every kind of caller.
import {
  anyOf,
  authMatrix,
  bearing,
  consoleCallers,
  consoleMatrix,
  deadKeys,
  type MatrixCaller,
  type MatrixCallers,
  nothing,
  type Refused,
  roleRoutes,
} from '@chancela/testkit/auth-matrix'
import { samplePdf } from '@chancela/testkit/samples'
import { callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { consoleRights } from '../src/contract/console-rights.ts'
import { operations, parentRolesOf, type Role, type RootRole, roles, rootOperations } from '../src/rules/rights.ts'
import { consoleSurface, coreSurface } from '../src/surfaces.ts'
import { type CoreWorld, clientAt, sharedCore } from './test-support/core-world.ts'
import { rootClient } from './test-support/management.ts'
import { begin, pdfDocument } from './test-support/sessions.ts'

const allowed = (table: Readonly<Record<string, readonly string[]>>, held: readonly string[]): readonly string[] =>
  Object.keys(table).filter((operation) => table[operation]!.some((role) => held.includes(role)))

/** What roles in a subscription and in the instance may; which route each right is for, `rights.test.ts` says. */
function rightsOf(held: readonly Role[], atRoot: readonly RootRole[] = []): MatrixCaller['may'] {
  const inSubscription = allowed(operations, [...held, ...parentRolesOf(atRoot)])
  // Whoever runs sessions of faces may complete them.
  const completing = inSubscription.includes('bio.run') ? ['bio.complete'] : []
  return anyOf(...inSubscription, ...completing, ...allowed(rootOperations, atRoot))
}

const rootRoles: readonly RootRole[] = ['Owner', 'Contributor', 'Reader']

/** Applications with each role, in a subscription and in the instance. */
async function applications(world: CoreWorld): Promise<MatrixCallers> {
  const callers: Record<string, MatrixCaller> = {}
  const { subscriptionId } = world.client
  for (const role of roles) {
    const { apiKey } = await clientAt(world, { roles: [role], subscriptionId })
    callers[`a key as ${role}`] = { headers: { 'x-api-key': apiKey }, may: rightsOf([role]) }
  }
  for (const role of rootRoles) {
    const { apiKey } = await rootClient(world, [role], subscriptionId)
    const headers = { 'x-api-key': apiKey, 'x-subscription': subscriptionId }
    callers[`a key as ${role} in a subscription`] = { headers, may: rightsOf([], [role]) }
  }
  const { apiKey } = await rootClient(world, ['Owner'])
  const may = anyOf(...allowed(rootOperations, ['Owner']))
  return { ...callers, ...bearing('X-Api-Key', { 'a key as Owner in no subscription': apiKey }, may) }
}

/** Keys that are right, and in the wrong place. */
async function strangers(world: CoreWorld): Promise<MatrixCallers> {
  const { apiKey } = await clientAt(world, { roles: ['Admin'] })
  const disabled = await clientAt(world, { roles: ['Admin'] })
  const owner = await rootClient(world, ['Owner'])
  await owner.json('PUT', `/api/subscriptions/${disabled.subscriptionId}`, { disabled: true })
  const { subscriptionId } = world.client
  return {
    'a key of another subscription': {
      headers: { 'x-api-key': apiKey, 'x-subscription': subscriptionId },
      may: nothing,
    },
    'a key of a disabled subscription': { headers: { 'x-api-key': disabled.apiKey }, may: nothing },
  }
}

/** People on the pages of sessions, who have a token and no key. */
async function people(world: CoreWorld): Promise<MatrixCallers> {
  const { token } = await begin(world, { documents: [pdfDocument(samplePdf('Contract'))] })
  const asked = { returnUrl: 'https://example.com/back' }
  const { body } = await world.json('POST', '/api/bio/sessions/liveness', asked)
  const face = new URL(body.sessionUrl).searchParams.get('token')!
  return {
    ...bearing('X-Signature-Session-Token', { 'a person who signs': token }, anyOf('session-page')),
    ...bearing('X-Signature-Session-Token', { 'a person with the token of another page': face }, nothing),
    ...bearing('X-Bio-Session-Token', { 'a person before a camera': face }, anyOf('bio.page')),
    ...bearing('X-Bio-Session-Token', { 'a person before a camera with the token of another page': token }, nothing),
    ...bearing('X-Api-Key', { 'a person with the token of a page as a key': token }, nothing),
  }
}

const tokenCodes = [
  'SignatureSessionTokenRequired',
  'BadSignatureSessionToken',
  'BioSessionTokenRequired',
  'BadBioSessionToken',
]

/** A key is refused with a message alone, the token of a page with a code (spec 1 C, Errors). */
const refuses = ({ status, body }: Refused): boolean =>
  status === 422 ? tokenCodes.includes(body.code) : [401, 403].includes(status) && typeof body.message === 'string'

describe('the routes of the PKI core', () => {
  const open = sharedCore('SQLite')

  test('of the API are for keys with the right, and for people with the token of their session', async () => {
    const world = open()
    const isLetIn = async (apiKey: string) =>
      (await callerOf(world.baseUrl, { 'X-Api-Key': apiKey }).call('GET', '/Api/Authentication')).status !== 401
    const dead = await deadKeys(world, { application: () => clientAt(world, { roles: ['Admin'] }), isLetIn })
    const { 'an administrator': administrator } = await consoleCallers(world, world.client.apiKey, consoleRights)
    const { problems, calls } = await authMatrix({
      app: world.apps[coreSurface.name]!,
      baseUrl: world.baseUrl,
      open: [
        'GET /api/verification/{key}',
        'GET /verification/{key}',
        'GET /api/system/info',
        'GET /api/system/manifest',
        'GET /api/health',
        'GET /api/ready',
      ],
      byTicket: [
        'GET /Api/PendingSignatures/{token}',
        'POST /Api/PendingSignatures/{token}/Certificate',
        'POST /Api/PendingSignatures/{token}',
        'GET /api/files',
        'GET /cloud-return',
      ],
      refuses,
      callers: {
        nobody: { headers: {}, may: nothing },
        ...bearing('X-Api-Key', dead, nothing),
        'a cookie of the console': { ...administrator!, may: nothing },
        ...(await applications(world)),
        ...(await strangers(world)),
        ...(await people(world)),
      },
    })
    expect(problems).toEqual([])
    expect(calls).toBeGreaterThan(2500)
  })

  test('of the console are for those whose role has the right', async () => {
    const world = open()
    const { problems, calls } = await authMatrix({
      app: world.apps[consoleSurface.name]!,
      baseUrl: world.consoleUrl,
      ...consoleMatrix,
      callers: await consoleCallers(world, world.client.apiKey, consoleRights),
    })
    expect(problems).toEqual([])
    expect(calls).toBeGreaterThan(400)
  })

  test('of the console change nothing for an auditor, and for the support what helps holders', () => {
    const app = open().apps[consoleSurface.name]!
    expect(roleRoutes(app, consoleRights, 'administrator').doesNotRead).toEqual([])
    expect(roleRoutes(app, consoleRights, 'auditor')).toEqual({ changes: [], doesNotRead: [] })
    expect(roleRoutes(app, consoleRights, 'support')).toEqual({
      changes: ['POST /api/signature-sessions/{id}/cancellation'],
      doesNotRead: [
        'GET /api/administrators',
        'GET /api/administrators/sessions',
        'GET /api/applications',
        'GET /api/applications/{id}',
        'GET /api/applications/{id}/keys',
        'GET /api/bio-subjects',
        'GET /api/events',
        'GET /api/events/export.csv',
        'GET /api/events/export.jsonl',
        'GET /api/subscriptions/{subscriptionId}/security-contexts',
      ],
    })
  })
})
