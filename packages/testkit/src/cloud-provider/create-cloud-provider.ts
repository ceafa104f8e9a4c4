import type { Clock } from '@chancela/service-kernel/clock'
import type { DemoPki } from '../demo-pki/index.ts'
import { type Account, Accounts } from './accounts.ts'
import { administrationRoutes } from './administration.ts'
import { type Client, Clients } from './clients.ts'
import { cscRoutes } from './csc/routes.ts'
import { type CscVersionName, cscVersions } from './csc/versions.ts'
import { type Fault, Faults } from './faults.ts'
import { type CloudProviderHandler, providerHandler } from './http-handler.ts'
import type { Operation } from './operations.ts'
import { Interactions } from './pages/interactions.ts'
import { pageRoutes } from './pages/page-routes.ts'
import { decideOnPhone, pushRoutes } from './pages/push-page.ts'
import { Pushes } from './pages/pushes.ts'
import type { Call, Context } from './provider-context.ts'
import { pscRoutes } from './psc/index.ts'
import { plainQuirks, type Quirks, setQuirks } from './quirks.ts'
import { type Walk, walkPages } from './walk.ts'

export interface CloudProviderOptions {
  /** The PKI whose holders have accounts here. */
  readonly pki: DemoPki
  readonly clock: Clock
  /** Its address, without a trailing slash. */
  readonly baseUrl: string
  /** The provider's name. */
  readonly name?: string
}

/** A provider of cloud certificates, for tests and the demo. */
export interface CloudProvider {
  readonly psc: { readonly baseUrl: string }
  readonly csc: { readonly baseUrl: (version: CscVersionName) => string }
  /** Every holder that has an account, with PIN and certificates. */
  readonly holders: readonly Account[]
  /** May be changed at any time. */
  readonly quirks: Quirks
  /** The calls so far, in order. */
  readonly calls: readonly Call[]
  /** Adds a client application of both protocols, or replaces it. */
  register(client: Client): void
  /** Makes the next call of the operation fail like this; several faults are queued. */
  fail(operation: Operation, fault: Fault): void
  /** Makes every call of the operation fail like this, until `recover`. */
  failAlways(operation: Operation, fault: Fault): void
  /** Removes all faults and quirks. */
  recover(): void
  /**
   * Goes through the pages as the holder would, and returns the first address elsewhere that the provider redirects to.
   * If the client redirects back to the provider, call it again.
   */
  walk(authUrl: string, walk: Walk): Promise<string>
  /** The holder's decision on the newest push request; throws when there is none. */
  confirmPush(holder: string, decision: 'approve' | 'deny'): void
  readonly handler: CloudProviderHandler
}

export function createCloudProvider({ pki, clock, baseUrl, name = 'Nuvem Demo' }: CloudProviderOptions): CloudProvider {
  const context: Context = {
    clock,
    baseUrl,
    name,
    accounts: new Accounts(pki, clock),
    chainOf: ({ certificate }) => pki.chainOf(certificate),
    clients: new Clients(),
    quirks: plainQuirks(),
    faults: new Faults(),
    interactions: new Interactions(clock),
    pushes: new Pushes(clock),
    calls: [],
  }
  return {
    psc: { baseUrl: `${baseUrl}/v0` },
    csc: { baseUrl: (version) => `${baseUrl}${cscVersions[version].path}` },
    holders: context.accounts.list(),
    quirks: context.quirks,
    calls: context.calls,
    register: (client) => void context.clients.register(client),
    fail: (operation, fault) => context.faults.next(operation, fault),
    failAlways: (operation, fault) => context.faults.always(operation, fault),
    recover: () => {
      context.faults.clear()
      setQuirks(context.quirks, plainQuirks())
    },
    walk: (authUrl, walk) => walkPages(context.accounts, authUrl, walk),
    confirmPush: (holder, decision) => confirmPush(context, holder, decision),
    handler: providerHandler(
      context,
      [pageRoutes, pushRoutes, pscRoutes, cscRoutes, administrationRoutes].flatMap((routes) => routes(context)),
    ),
  }
}

function confirmPush(context: Context, holder: string, decision: 'approve' | 'deny'): void {
  if (!decideOnPhone(context, context.accounts.get(holder), decision))
    throw new RangeError(`There is nothing to confirm on the phone of '${holder}'.`)
}
