import { SECOND } from '@chancela/service-kernel/clock'
import type { Context } from '../../../context.ts'
import { CloudHub } from '@chancela/service-links'
import type { Signing } from '../open-signing.ts'

/** What signing with a cloud certificate works with. */
export interface CloudSigning {
  readonly context: Context
  readonly signing: Signing
  /** Nothing where it is switched off. */
  readonly hub: CloudHub | undefined
}

export function openCloudSigning(signing: Signing): CloudSigning {
  const { context } = signing
  const { Endpoint: endpoint, ApiKey: apiKey, TimeoutSeconds } = context.settings.CloudHub
  const hub = apiKey === '' ? undefined : new CloudHub({ endpoint, apiKey, timeoutMs: TimeoutSeconds * SECOND })
  if (hub) context.closing.add('the cloud hub', () => hub.close())
  return { context, signing, hub }
}
