// Applications with roles in the instance, and authorities to trust.
import { readCertificates } from '@chancela/signature-engine/x509'
import { callerOf } from '@chancela/testkit/service-world'
import { type CoreWorld, clientAt } from './core-world.ts'
import { running } from './pki.ts'

/** An application whose roles are in the instance alone; it calls for a subscription where one is given. */
export async function rootClient(world: CoreWorld, rootRoles: readonly string[], subscriptionId?: string) {
  const client = await clientAt(world, { roles: ['Monitor'] })
  const { applicationId, apiKey } = client
  await world.store.db.deleteFrom('application_role').where('application_id', '=', applicationId).execute()
  await world.store.db
    .insertInto('application_access')
    .values({
      application_id: applicationId,
      subscription_id: client.subscriptionId,
      root_roles: JSON.stringify(rootRoles),
      grant_application_id: null,
      default_metadata: '{}',
      deleted_at: null,
    })
    .execute()
  // What was known of the application is older than these rows.
  await world.store.transaction((tx) => world.store.notify(tx, 'access'))
  const headers = { 'X-Api-Key': apiKey, ...(subscriptionId && { 'X-Subscription': subscriptionId }) }
  return { ...client, ...callerOf(world.baseUrl, headers) }
}

/** Authorities of the tests' PKI, as requests carry them. */
export const authorities = {
  roots: readCertificates(Buffer.from(running.pki.trustAnchors())).map(({ der }) => der.toString('base64')),
}
