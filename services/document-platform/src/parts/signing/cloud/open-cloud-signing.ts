import { type CloudHub, openCloudHub } from '@chancela/service-links'
import type { Context } from '../../../context.ts'
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
  return { context, signing, hub: openCloudHub(context, context.settings.CloudHub) }
}
