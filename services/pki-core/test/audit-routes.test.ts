// Who did it, and from where: every route of the console that changes something. One that is added later fails here
// until it is called below, or is listed with the reason why it is not.
import { type ActSite, type ConsoleActs, walkConsole } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { consoleSurface } from '../src/surfaces.ts'
import { databases, sharedCore } from './test-support/core-world.ts'
import { authorities } from './test-support/management.ts'

const aName = () => ({ name: `nome ${crypto.randomUUID()}` })

const subscription = async ({ made }: ActSite): Promise<string> => (await made('/api/subscriptions', aName())).id

const asked = (subscriptionId: string) => ({ ...aName(), subscriptionId, roles: ['Worker'], rootRoles: [] })

/** Its path, and that of its subscription's roles. */
async function application(site: ActSite) {
  const subscriptionId = await subscription(site)
  const path = `/api/applications/${(await site.made('/api/applications', asked(subscriptionId))).id}`
  return { path, roles: `${path}/subscriptions/${subscriptionId}` }
}

const data = () => ({ ...aName(), trustedRoots: authorities.roots })

async function securityContext(site: ActSite) {
  const contexts = `/api/subscriptions/${await subscription(site)}/security-contexts`
  const { id } = await site.made(contexts, data())
  return { contexts, id, path: `${contexts}/${id}` }
}

const contexts = '/api/subscriptions/{subscriptionId}/security-contexts'

const acts: ConsoleActs = {
  'POST /api/subscriptions': [
    'SubscriptionCreated',
    'changed',
    ({ call }) => call('POST', '/api/subscriptions', aName()),
  ],
  'PUT /api/subscriptions/{id}': [
    'SubscriptionRenamed',
    'changed',
    async (site) => site.call('PUT', `/api/subscriptions/${await subscription(site)}`, aName()),
  ],
  'POST /api/applications': [
    'ApplicationCreated',
    'changed',
    async (site) => site.call('POST', '/api/applications', asked(await subscription(site))),
  ],
  'PUT /api/applications/{id}': [
    'ApplicationDisabled',
    'changed',
    async (site) => site.call('PUT', (await application(site)).path, { disabled: true }),
  ],
  'PUT /api/applications/{id}/subscriptions/{subscriptionId}': [
    'ApplicationRolesChanged',
    'changed',
    async (site) => site.call('PUT', (await application(site)).roles, { roles: ['Monitor'] }),
  ],
  'PUT /api/applications/{id}/root-roles': [
    'ApplicationRolesChanged',
    'changed',
    async (site) => site.call('PUT', `${(await application(site)).path}/root-roles`, { roles: ['Owner'] }),
  ],
  'DELETE /api/applications/{id}': [
    'ApplicationDeleted',
    'changed',
    async (site) => site.call('DELETE', (await application(site)).path),
  ],
  'POST /api/applications/{id}/keys': [
    'ApiKeyCreated',
    'changed',
    async (site) => site.call('POST', `${(await application(site)).path}/keys`, { description: 'x' }),
  ],
  'DELETE /api/applications/{id}/keys/{keyId}': [
    'ApiKeyRevoked',
    'changed',
    async (site) => {
      const keys = `${(await application(site)).path}/keys`
      return site.call('DELETE', `${keys}/${(await site.made(keys, { description: 'x' })).info.id}`)
    },
  ],
  [`POST ${contexts}`]: [
    'SecurityContextCreated',
    'changed',
    async (site) => site.call('POST', (await securityContext(site)).contexts, data()),
  ],
  [`PUT ${contexts}/{id}`]: [
    'SecurityContextChanged',
    'changed',
    async (site) => site.call('PUT', (await securityContext(site)).path, data()),
  ],
  [`PUT ${contexts}/default`]: [
    'DefaultSecurityContextChanged',
    'changed',
    async (site) => {
      const made = await securityContext(site)
      return site.call('PUT', `${made.contexts}/default`, { id: made.id })
    },
  ],
  [`DELETE ${contexts}/{id}`]: [
    'SecurityContextDeleted',
    'changed',
    async (site) => site.call('DELETE', (await securityContext(site)).path),
  ],
}

const reasons = {
  'POST /api/signature-sessions/{id}/cancellation': 'console-sessions.test.ts: SignatureSessionCancelled',
  'DELETE /api/bio-subjects/{id}': 'console-sessions.test.ts: BioSubjectDeleted',
}

for (const database of databases)
  describe(`every route of the console that may change something, on ${database}`, () => {
    const world = sharedCore(database, { Console: { TrustedProxies: ['127.0.0.1'] } })

    test('tells who did it, from where, and what was and what is', async () => {
      const app = world().apps[consoleSurface.name]!
      expect(await walkConsole({ world: world(), app, acts, reasons })).toEqual([])
    })
  })
