// Who may call what: every route of both surfaces with every kind of caller.
import {
  anyOf,
  authMatrix,
  bearing,
  consoleCallers,
  consoleMatrix,
  deadKeys,
  nothing,
  roleRoutes,
} from '@chancela/testkit/auth-matrix'
import { callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { consoleRights } from '../src/contract/console-rights.ts'
import { newClient, type SessionWorld, sharedSessionServer } from './test-support/session-world.ts'

const isLetIn =
  ({ baseUrl }: SessionWorld) =>
  async (apiKey: string) =>
    (await callerOf(baseUrl, { 'X-API-Key': apiKey }).call('GET', '/v1/sessions/status?sessionId=x')).status !== 401

describe('the routes of the session server', () => {
  const open = sharedSessionServer('SQLite')

  test('of the API are for the keys of applications', async () => {
    const world = open()
    const application = async () => ({ applicationId: (await newClient(world.store)).id })
    const dead = await deadKeys(world, { application, isLetIn: isLetIn(world) })
    const { 'an administrator': administrator } = await consoleCallers(world, world.client.apiKey, consoleRights)
    const { problems, calls } = await authMatrix({
      app: world.apps['session-server']!,
      baseUrl: world.baseUrl,
      open: ['GET /health', 'GET /ready'],
      callers: {
        nobody: { headers: {}, may: nothing },
        ...bearing('X-API-Key', dead, nothing),
        'a cookie of the console': { ...administrator!, may: nothing },
        'a key': { headers: { 'x-api-key': world.client.apiKey }, may: anyOf('key') },
      },
    })
    expect(problems).toEqual([])
    expect(calls).toBeGreaterThan(100)
  })

  test('of the console are for those whose role has the right', async () => {
    const world = open()
    const { problems, calls } = await authMatrix({
      app: world.apps['session-server-console']!,
      baseUrl: world.consoleUrl,
      ...consoleMatrix,
      // An agent shows the code of its enrolment, and then proves its key inside the channel.
      byTicket: ['POST /agents/enrol', 'GET /agents/channel'],
      callers: await consoleCallers(world, world.client.apiKey, consoleRights),
    })
    expect(problems).toEqual([])
    expect(calls).toBeGreaterThan(400)
  })

  test('of the console change nothing for an auditor, and for the support what helps holders', () => {
    const app = open().apps['session-server-console']!
    expect(roleRoutes(app, consoleRights, 'administrator').doesNotRead).toEqual([])
    expect(roleRoutes(app, consoleRights, 'auditor')).toEqual({ changes: [], doesNotRead: [] })
    expect(roleRoutes(app, consoleRights, 'support')).toEqual({
      changes: [
        'DELETE /api/lockouts/{cpf}',
        'DELETE /api/sessions/{id}',
        'POST /api/certificates/{id}/recheck',
        'POST /api/workstations/{id}/code',
      ],
      doesNotRead: [
        'GET /api/administrators',
        'GET /api/administrators/sessions',
        'GET /api/applications',
        'GET /api/events',
        'GET /api/events/export.csv',
        'GET /api/events/export.jsonl',
      ],
    })
  })
})
