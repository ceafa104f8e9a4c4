// Who calls: the application of a key, in a subscription or for the instance (pki-core facts 1.1, 1 rule 13, 4.6).
import type { AccessScheme, ApiKeyCaller, ApiKeyRing } from '@chancela/service-kernel/http'
import { refuse } from '../../rules/refuse.ts'
import {
  type Caller,
  type Operation,
  operations,
  type RootCaller,
  type RootOperation,
  requireOperation,
  requireRootOperation,
  rolesIn,
  rootOperations,
  type Standing,
} from '../../rules/rights.ts'
import type { KnownAccess } from './known-access.ts'

type Request = Parameters<AccessScheme['authenticate']>[0]

export const security = {
  'X-Api-Key': { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  Bearer: { type: 'http', scheme: 'bearer' },
} as const

/** A key in its header, or behind a scheme of Authorization, as clients of the earlier generation send it. */
export function presentedKey({ headers }: Request): string | undefined {
  const own = headers['x-api-key']
  if (typeof own === 'string') return own
  return /^(?:bearer|apikey)\s+(\S.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim()
}

/** The ways of access, by the names routes use: one for each operation. */
export function accessSchemes(known: KnownAccess, ring: ApiKeyRing) {
  const allowed = (operation: Operation): AccessScheme<Caller> => ({
    security,
    credentialOf: ({ applicationId }) => applicationId,
    async authenticate(request) {
      const found = ring.find(presentedKey(request))
      if (!found) return undefined
      const caller = await callerIn(known, found, request.headers['x-subscription'])
      requireOperation(caller, operation)
      return caller
    },
  })
  const allowedAtRoot = (operation: RootOperation): AccessScheme<RootCaller> => ({
    security,
    credentialOf: ({ applicationId }) => applicationId,
    async authenticate(request) {
      const found = ring.find(presentedKey(request))
      if (!found) return undefined
      const { applicationId, application } = found
      const { rootRoles } = await known.standingOf(applicationId)
      const caller = { applicationId, application, rootRoles }
      requireRootOperation(caller, operation)
      return caller
    },
  })
  return { ...schemesOf(operations, allowed), ...schemesOf(rootOperations, allowedAtRoot) }
}

const schemesOf = <Name extends string, Who>(
  table: Readonly<Record<Name, unknown>>,
  schemeOf: (name: Name) => AccessScheme<Who>,
): Record<Name, AccessScheme<Who>> =>
  Object.fromEntries((Object.keys(table) as Name[]).map((name) => [name, schemeOf(name)])) as Record<
    Name,
    AccessScheme<Who>
  >

/** The subscription that is asked for, or the only one; an application has no rights in any other. */
async function callerIn(
  known: KnownAccess,
  { applicationId, application }: ApiKeyCaller,
  asked: string | string[] | undefined,
): Promise<Caller> {
  const standing = await known.standingOf(applicationId)
  const subscriptionId = wantedSubscription(standing, asked)
  const roles = rolesIn(standing, subscriptionId)
  if (roles.length === 0) throw refuse('Forbidden', { reason: 'No role in this subscription.' })
  const subscription = await known.subscription(subscriptionId)
  if (subscription?.disabled_at !== null)
    throw refuse('Forbidden', { reason: subscription ? reasons.disabled : reasons.unknown })
  return { applicationId, application, subscriptionId, roles }
}

const reasons = { unknown: 'No role in this subscription.', disabled: 'The subscription is disabled.' } as const

function wantedSubscription({ subscriptions }: Standing, asked: string | string[] | undefined): string {
  const wanted = typeof asked === 'string' ? asked.trim().toLowerCase() : ''
  if (wanted !== '') return wanted
  if (subscriptions.length === 1) return subscriptions[0]!.subscriptionId
  throw refuse('Forbidden', { reason: 'X-Subscription is needed.' })
}
