// Applications with roles in the instance, authorities to trust, and calls that end well or not.
import { readCertificates } from '@chancela/signature-engine/x509'
import { type Answer, callerOf } from '@chancela/testkit/service-world'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { type CoreWorld, clientAt } from './core-world.ts'
import { certificateOf, running, signedBy } from './pki.ts'

/** An application whose roles are in the instance alone; it calls for a subscription where one is given. */
export async function rootClient(world: CoreWorld, rootRoles: readonly string[], subscriptionId?: string) {
  const client = await clientAt(world, { roles: ['Monitor'] })
  const { applicationId, apiKey } = client
  await world.store.db.deleteFrom('application_role').where('application_id', '=', applicationId).execute()
  await giveRootRoles(world, client, rootRoles)
  const headers = { 'X-Api-Key': apiKey, ...(subscriptionId && { 'X-Subscription': subscriptionId }) }
  return { ...client, ...callerOf(world.baseUrl, headers) }
}

/** Lets an application own the instance, besides what it may already. */
export const ownAlso = (world: CoreWorld, client: Client): Promise<void> => giveRootRoles(world, client, ['Owner'])

type Client = Awaited<ReturnType<typeof clientAt>>

async function giveRootRoles(world: CoreWorld, client: Client, rootRoles: readonly string[]): Promise<void> {
  await world.store.db
    .insertInto('application_access')
    .values({
      application_id: client.applicationId,
      subscription_id: client.subscriptionId,
      root_roles: JSON.stringify(rootRoles),
      grant_application_id: null,
      default_metadata: '{}',
      deleted_at: null,
    })
    .execute()
  // What was known of the application is older than these rows.
  await world.store.transaction((tx) => world.store.notify(tx, 'access'))
  await vi.waitUntil(async () => (await client.call('GET', '/api/ready/details')).status !== 403, { interval: 5 })
}

/** Authorities of the tests' PKI, as requests carry them. */
export const authorities = {
  roots: readCertificates(Buffer.from(running.pki.trustAnchors())).map(({ der }) => der.toString('base64')),
}

/** Goes the whole way of the second generation. */
export async function authenticate({ json }: Pick<CoreWorld, 'json'>, label: string, securityContextId?: string) {
  const { body } = await json('POST', '/api/v2/authentication', { securityContextId })
  const proof = { state: body.state, certificate: certificateOf(label), signature: signedBy(label, body.toSign.data) }
  return json('POST', '/api/v2/authentication/completion', proof)
}

/** A call that fails inside the service: a table is away meanwhile. */
export async function failedCall(world: CoreWorld): Promise<Answer> {
  await sql`alter table used_nonce rename to used_nonce_away`.execute(world.store.db)
  const failed = await authenticate(world, 'ana-souza')
  await sql`alter table used_nonce_away rename to used_nonce`.execute(world.store.db)
  return failed
}
