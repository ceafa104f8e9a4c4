import { startCloudProvider } from '@chancela/testkit/cloud-provider'
import { onTestFinished } from 'vitest'
// From the services' own tests: the pages are tested against the real services.
import { allowRedirects } from '../../../services/cloud-hub/test/test-support/authorized.ts'
import { startHub } from '../../../services/cloud-hub/test/test-support/hub-world.ts'
import { clock as hubClock } from '../../../services/cloud-hub/test/test-support/pki.ts'
import { addProvider } from '../../../services/cloud-hub/test/test-support/providers.ts'
import { startPlatform } from '../../../services/document-platform/test/test-support/platform-world.ts'
import { clock, running, trusting } from '../../../services/document-platform/test/test-support/signers.ts'
import { swapBundle } from './bundle-proxy.ts'

/** The document platform with a hub and a provider, with pages built from the current sources. */
export async function cloudWorld(bundles: { readonly documents: string; readonly chooser: string }) {
  hubClock.set(clock())
  const hubFront = await swapBundle(bundles.chooser, () => hub.baseUrl, '/choose')
  const front = await swapBundle(bundles.documents, () => platform.baseUrl)
  onTestFinished(async () => {
    await hubFront.stop()
    await front.stop()
  })
  const hub = await startHub('SQLite', { settings: { Http: { PublicUrl: hubFront.origin } } })
  const provider = await startCloudProvider({ pki: running.pki, clock })
  onTestFinished(() => provider.stop())
  await addProvider(hub, provider, { protocol: 'psc', serviceName: 'nuvem' })
  await allowRedirects(hub, `${front.origin}/cloud-return`)
  const platform = await startPlatform('SQLite', {
    clock,
    settings: {
      ...trusting(),
      Http: { PublicUrl: front.origin },
      Documents: { FrameAncestors: ["'self'"] },
      CloudHub: { Endpoint: hub.baseUrl, ApiKey: hub.client.apiKey },
    },
  })
  return { platform, provider, origin: front.origin }
}
