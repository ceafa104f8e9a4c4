import type { CloudTie } from '@chancela/service-links'

/** What the sealed cookie of a browser that started a cloud signature has. */
export interface BrowserTie extends CloudTie {
  readonly key: string
  readonly ticket: string
}
