import type { Destination } from '@chancela/service-kernel/http-client'
import type { PscKnobs, PscOperation } from '../../contract/provider-knobs.ts'
import type { AdapterContext } from '../adapter-context.ts'
import { pairsOf } from '../knobs.ts'

/** What the adapter of this protocol needs. */
export interface PscContext extends AdapterContext<PscKnobs> {
  /** URL of an operation. */
  readonly urlOf: (operation: PscOperation) => string
  /** Where hashes are signed. */
  readonly signature: Destination
  /** URL to poll for the confirmation on the phone. */
  readonly pushPollUrl: string
}

export function pscContext(context: AdapterContext<PscKnobs>): PscContext {
  const urlOf = pscUrls(context.endpoint, context.knobs)
  return {
    ...context,
    urlOf,
    signature: context.exchange.destination(urlOf('signature')),
    pushPollUrl: `${context.endpoint.replace(/\/v0(?:\/oauth)?$/, '')}${context.knobs.pushPollPath}`,
  }
}

/** URLs of a provider's operations. A base that ends in `/oauth` already contains the norm's folder. */
export function pscUrls(base: string, { paths }: Pick<PscKnobs, 'paths'>): PscContext['urlOf'] {
  const folder = base.endsWith('/oauth') ? '' : '/oauth'
  const others = pairsOf(paths)
  return (operation) => `${base}${others[operation] ?? `${folder}/${operation}`}`
}
