import type { ServiceOrder } from '../serve-order.ts'

/** Redirect URI of the holders; nothing listens there. */
export const REDIRECT_URI = 'http://localhost/return'

/** The input of the hub's process. */
export interface HubOrder extends ServiceOrder {
  /** Name → address of each provider. */
  readonly providers: Readonly<Record<string, string>>
}

/** Its message when it is ready. */
export interface HubReady {
  readonly baseUrl: string
  readonly apiKey: string
}
