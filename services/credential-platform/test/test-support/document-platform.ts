// The real document platform beside the service, over HTTP.
import type { Database } from '@chancela/testkit/service-world'
// The starter of the platform's own tests: the service is tested against the real platform.
import {
  type PlatformWorld,
  sharedPlatform as sharedDocuments,
} from '../../../document-platform/test/test-support/platform-world.ts'
import type { Organization } from './credential-world.ts'
import { clock, signingSettings } from './pki.ts'

/** One document platform for the tests of a describe; each call gives an organization of its own there. */
export const sharedDocumentPlatform = (database: Database): (() => Promise<PlatformWorld>) =>
  sharedDocuments(database, { settings: signingSettings, clock })

/** Connects an organization here to one there. */
export async function connect(
  { json, subscriptionId }: Organization,
  { baseUrl, organization }: Pick<PlatformWorld, 'baseUrl' | 'organization'>,
  more: object = {},
) {
  const wanted = { enabled: true, url: baseUrl, apiKey: organization.apiKey, ...more }
  return json('PUT', `/api/subscriptions/${subscriptionId}/document-platform`, wanted)
}
