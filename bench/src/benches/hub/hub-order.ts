import type { ServiceOrder } from '../serve-order.ts'

/** Where holders are sent back to; nobody listens there. */
export const REDIRECT_URI = 'http://localhost/return'

/** What the process of the hub is told. */
export interface HubOrder extends ServiceOrder {
  /** Name → address of each provider. */
  readonly providers: Readonly<Record<string, string>>
}

/** What it says when it is ready. */
export interface HubReady {
  readonly baseUrl: string
  readonly apiKey: string
}
