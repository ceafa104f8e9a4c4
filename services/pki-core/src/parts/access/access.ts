// Who calls: the application of a key, in a subscription (pki-core facts 1.1, 1 rule 13).
import { SECOND } from '@chancela/service-kernel/clock'
import type { AccessScheme, ApiKeyCaller, ApiKeyRing } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Caller, type Operation, operations, requireOperation } from '../../rules/rights.ts'
import { type ApplicationRoles, rolesOf } from '../../store/subscriptions.ts'

type Request = Parameters<AccessScheme['authenticate']>[0]

const security = {
  'X-Api-Key': { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  Bearer: { type: 'http', scheme: 'bearer' },
} as const

/** A key in its header, or behind a scheme of Authorization, as clients of the earlier generation send it. */
function presentedKey({ headers }: Request): string | undefined {
  const own = headers['x-api-key']
  if (typeof own === 'string') return own
  return /^(?:bearer|apikey)\s+(\S.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim()
}

/** The ways of access, by the names routes use: one for each operation. */
export function accessSchemes(context: Pick<Context, 'store' | 'clock'>, ring: ApiKeyRing) {
  const known = new KnownRoles(context)
  const allowed = (operation: Operation): AccessScheme<Caller> => ({
    security,
    async authenticate(request) {
      const found = ring.find(presentedKey(request))
      if (!found) return undefined
      const caller = callerIn(found, await known.of(found.applicationId), request.headers['x-subscription'])
      requireOperation(caller, operation)
      return caller
    },
  })
  return Object.fromEntries(
    (Object.keys(operations) as Operation[]).map((operation) => [operation, allowed(operation)]),
  ) as Record<Operation, AccessScheme<Caller>>
}

/** The subscription that is asked for, or the only one; an application has no rights in any other. */
function callerIn(
  { applicationId, application }: ApiKeyCaller,
  all: readonly ApplicationRoles[],
  asked: string | string[] | undefined,
): Caller {
  const wanted = typeof asked === 'string' ? asked.trim().toLowerCase() : undefined
  const found = wanted ? all.find(({ subscriptionId }) => subscriptionId === wanted) : all.length === 1 && all[0]
  if (!found)
    throw refuse('Forbidden', { reason: wanted ? 'No role in this subscription.' : 'X-Subscription is needed.' })
  return { applicationId, application, ...found }
}

/** How long the roles of an application are cached: a change is noticed within it. */
const KNOWN_FOR = 5 * SECOND

/** Roles change seldom and are needed by every call. */
class KnownRoles {
  readonly #context: Pick<Context, 'store' | 'clock'>
  readonly #known = new Map<string, { readonly roles: Promise<readonly ApplicationRoles[]>; readonly until: number }>()

  constructor(context: Pick<Context, 'store' | 'clock'>) {
    this.#context = context
  }

  of(applicationId: string): Promise<readonly ApplicationRoles[]> {
    const now = this.#context.clock().getTime()
    const known = this.#known.get(applicationId)
    if (known && now < known.until) return known.roles
    const roles = rolesOf(this.#context.store.db, applicationId)
    this.#known.set(applicationId, { roles, until: now + KNOWN_FOR })
    roles.catch(() => this.#known.delete(applicationId))
    return roles
  }
}
