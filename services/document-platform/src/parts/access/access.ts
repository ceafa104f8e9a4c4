import { type Clock, SECOND } from '@chancela/service-kernel/clock'
import type { AccessScheme, ApiKeyRing } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import type { Caller, Rights } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { SYSTEM_ORGANIZATION } from '../../rules/system-organization.ts'
import type { ApplicationRole, ApplicationScopeRow } from '../../store/tables.ts'

type Request = Parameters<AccessScheme['authenticate']>[0]

/** Recognises users who signed in at the pages. */
export interface UserSessions {
  /** Undefined without a session, or for a cross-site request. */
  find(request: Request): Promise<Caller | undefined>
}

/** Applications have the rights of the organization's administrators; those restricted to folders only inside them. */
const rightsOf = (folderIds: string | null): Rights => ({
  administrator: folderIds === null,
  manager: true,
  operator: true,
})

const HEADER = 'x-api-key'

const security = {
  key: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
  user: { session: { type: 'apiKey', in: 'cookie', name: 'chancela-documents' } },
} as const

/** The ways of access of the platform, by the names routes use. */
export function accessSchemes(
  context: Pick<Context, 'store' | 'clock' | 'closing'>,
  ring: ApiKeyRing,
  sessions: UserSessions,
) {
  const scopes = new Scopes(context)
  const byKey = async (request: Request): Promise<Caller | undefined> => {
    const presented = request.headers[HEADER]
    const found = ring.find(typeof presented === 'string' ? presented : undefined)
    if (!found) return undefined
    const scope = await scopes.of(found.applicationId)
    if (!scope) return undefined
    return {
      id: found.applicationId,
      name: found.application,
      type: 'Application',
      organizationId: scope.organization_id,
      role: scope.role,
      rights: rightsOf(scope.folder_ids),
      folderIds: scope.folder_ids === null ? null : (JSON.parse(scope.folder_ids) as string[]),
      accountId: null,
    }
  }
  const anybody = async (request: Request): Promise<Caller | undefined> =>
    request.headers[HEADER] === undefined ? sessions.find(request) : byKey(request)

  /** A caller in one of these roles; a valid key of another role gets 403, not 401. */
  const inRole = (...roles: readonly ApplicationRole[]): AccessScheme<Caller> => ({
    security: { ...security.key, ...security.user },
    async authenticate(request) {
      const caller = await anybody(request)
      if (caller && !roles.includes(caller.role)) throw refuse('Forbidden', { role: caller.role })
      return caller
    },
  })
  return {
    member: inRole('Organization', 'Administration'),
    user: { security: security.user, authenticate: (request) => sessions.find(request) } satisfies AccessScheme<Caller>,
    administration: inRole('Administration'),
    monitoring: inRole('Administration', 'Monitor'),
    billing: inRole('Administration', 'Billing'),
  }
}

const administrationScope = (applicationId: string): ApplicationScopeRow => ({
  application_id: applicationId,
  organization_id: SYSTEM_ORGANIZATION,
  role: 'Administration',
  folder_ids: null,
})

/** Channel that tells the instances to drop cached application scopes. */
export const SCOPE_CHANNEL = 'application-scopes'

/** Longest time a scope is cached, for changes without a notification. */
const KNOWN_FOR = 5 * SECOND

class Scopes {
  readonly #store: Context['store']
  readonly #clock: Clock
  readonly #known = new Map<string, { readonly scope: ApplicationScopeRow | undefined; readonly until: number }>()

  constructor({ store, clock, closing }: Pick<Context, 'store' | 'clock' | 'closing'>) {
    this.#store = store
    this.#clock = clock
    const stop = store.listen(SCOPE_CHANNEL, () => this.#known.clear())
    closing.add('the scopes of applications', async () => stop())
  }

  /**
   * The scope of an application; undefined once its organization is deleted. Keys an operator created on the machine
   * itself have no stored scope: they get the administration's.
   */
  async of(applicationId: string): Promise<ApplicationScopeRow | undefined> {
    const now = this.#clock().getTime()
    const known = this.#known.get(applicationId)
    if (known && now < known.until) return known.scope
    const scope = await this.#read(applicationId)
    this.#known.set(applicationId, { scope, until: now + KNOWN_FOR })
    return scope
  }

  async #read(applicationId: string): Promise<ApplicationScopeRow | undefined> {
    const found = await this.#store.db
      .selectFrom('application_scope as s')
      .innerJoin('organization as o', 'o.id', 's.organization_id')
      .selectAll('s')
      .select('o.deleted_at')
      .where('s.application_id', '=', applicationId)
      .executeTakeFirst()
    if (!found) return administrationScope(applicationId)
    const { deleted_at, ...scope } = found
    return deleted_at === null ? scope : undefined
  }
}
