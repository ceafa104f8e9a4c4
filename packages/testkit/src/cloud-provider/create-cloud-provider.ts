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
  /** Whose holders have accounts here. */
  readonly pki: DemoPki
  readonly clock: Clock
  /** Where it is served, without a slash at the end. */
  readonly baseUrl: string
  /** What the provider calls itself. */
  readonly name?: string
}

/** A provider of cloud certificates, as tests and the demo have it in their hands. */
export interface CloudProvider {
  readonly psc: { readonly baseUrl: string }
  readonly csc: { readonly baseUrl: (version: CscVersionName) => string }
  /** Every holder that has an account, with PIN and certificates. */
  readonly holders: readonly Account[]
  /** May be changed at any time. */
  readonly quirks: Quirks
  /** What arrived, in order. */
  readonly calls: readonly Call[]
  /** Adds a client application of both protocols, or replaces it. */
  register(client: Client): void
  /** The next call of the operation ends so; several wait one behind the other. */
  fail(operation: Operation, fault: Fault): void
  /** Every call of the operation ends so, until `recover`. */
  failAlways(operation: Operation, fault: Fault): void
  /** No faults and no quirks any more. */
  recover(): void
  /**
   * Goes through the pages as the holder would, and returns the first address elsewhere that the provider redirects to.
   * A client that answers it with a redirect back to the provider is followed by walking again.
   */
  walk(authUrl: string, walk: Walk): Promise<string>
  /** What the holder says to the newest request on the phone; throws when there is none. */
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
