import type { PscKnobs, PscOperation } from '../../contract/provider-knobs.ts'
import type { AdapterContext } from '../adapter-context.ts'
import { pairsOf } from '../knobs.ts'

/** What the adapter of this protocol works with. */
export interface PscContext extends AdapterContext<PscKnobs> {
  /** Where an operation is. */
  readonly urlOf: (operation: PscOperation) => string
  /** Where it is asked whether the holder has confirmed on the phone. */
  readonly pushPollUrl: string
}

export const pscContext = (context: AdapterContext<PscKnobs>): PscContext => ({
  ...context,
  urlOf: pscUrls(context.endpoint, context.knobs),
  pushPollUrl: `${context.endpoint.replace(/\/v0(?:\/oauth)?$/, '')}${context.knobs.pushPollPath}`,
})

/** Where the operations of a provider are. A base that ends in `/oauth` already has the folder of the norm. */
export function pscUrls(base: string, { paths }: Pick<PscKnobs, 'paths'>): PscContext['urlOf'] {
  const folder = base.endsWith('/oauth') ? '' : '/oauth'
  const others = pairsOf(paths)
  return (operation) => `${base}${others[operation] ?? `${folder}/${operation}`}`
}
