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
import { type HubWorld, newClient, sharedHub } from './test-support/hub-world.ts'

const isLetIn =
  ({ baseUrl }: HubWorld) =>
  async (apiKey: string) =>
    (await callerOf(baseUrl, { 'X-Api-Key': apiKey }).call('GET', '/api/sessions/custom-state?session=x')).status !==
    401

describe('the routes of the cloud hub', () => {
  const open = sharedHub('SQLite')

  test('of the API are for the keys of applications', async () => {
    const world = open()
    const application = async () => ({ applicationId: (await newClient(world.store)).id })
    const dead = await deadKeys(world, { application, isLetIn: isLetIn(world) })
    const { 'an administrator': administrator } = await consoleCallers(world, world.client.apiKey, consoleRights)
    const { problems, calls } = await authMatrix({
      app: world.apps['cloud-hub']!,
      baseUrl: world.baseUrl,
      open: ['GET /badges/{name}', 'GET /health', 'GET /ready'],
      // Where browsers of holders come by: a state or a ticket of a session says which.
      byTicket: [
        'GET /callbacks/{name}',
        'GET /waiting/{name}',
        'GET /waiting/{name}/page',
        'GET /choices/{ticket}',
        'GET /choices/{ticket}/none',
      ],
      // Told with the status alone.
      refuses: ({ status, body }) => status === 401 && body === '',
      callers: {
        nobody: { headers: {}, may: nothing },
        ...bearing('X-Api-Key', dead, nothing),
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
      app: world.apps['cloud-hub-console']!,
      baseUrl: world.consoleUrl,
      ...consoleMatrix,
      callers: await consoleCallers(world, world.client.apiKey, consoleRights),
    })
    expect(problems).toEqual([])
    expect(calls).toBeGreaterThan(400)
  })

  test('of the console change nothing for an auditor, and for the support what helps holders', () => {
    const app = open().apps['cloud-hub-console']!
    expect(roleRoutes(app, consoleRights, 'administrator').doesNotRead).toEqual([])
    expect(roleRoutes(app, consoleRights, 'auditor')).toEqual({ changes: [], doesNotRead: [] })
    expect(roleRoutes(app, consoleRights, 'support')).toEqual({
      changes: ['DELETE /api/sessions/{id}'],
      doesNotRead: [
        'GET /api/administrators',
        'GET /api/administrators/sessions',
        'GET /api/applications',
        'GET /api/events',
        'GET /api/events/export.csv',
        'GET /api/events/export.jsonl',
        'GET /api/providers',
        'GET /api/providers/presets',
        'GET /api/redirect-uris',
      ],
    })
  })
})
