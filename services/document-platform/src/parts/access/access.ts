import { type Clock, SECOND } from '@chancela/service-kernel/clock'
import { type AccessScheme, type ApiKeyRing, clientAddress } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import type { Caller, Rights } from '../../rules/caller.ts'
import { isProven, needsProof } from '../../rules/proofs.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Operation, operations, requireOperation } from '../../rules/rights.ts'
import { SYSTEM_ORGANIZATION } from '../../rules/system-organization.ts'
import type { ApplicationRole, ApplicationScopeRow } from '../../store/tables.ts'

type Request = Parameters<AccessScheme['authenticate']>[0]

/** Recognises users who signed in at the pages. */
export interface UserSessions {
  /** Undefined without a session, or for a cross-site request. */
  find(request: Request): Promise<Caller | undefined>
}

/** Roles are users'; what an application may do, `rules/rights.ts` says of applications. */
const noRoles: Rights = { administrator: false, manager: false, operator: false }

const HEADER = 'x-api-key'

const security = {
  key: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
  user: { session: { type: 'apiKey', in: 'cookie', name: 'chancela-documents' } },
} as const

/** A user at several computers is several. */
const credentialOf = ({ id, sessionId }: Caller): string => sessionId ?? id

/** The ways of access of the platform, by the names routes use. */
export function accessSchemes(
  context: Pick<Context, 'store' | 'clock' | 'closing' | 'settings'>,
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
      name: scope.name,
      type: 'Application',
      organizationId: scope.organization_id,
      role: scope.role,
      rights: noRoles,
      folderIds: scope.folder_ids === null ? null : (JSON.parse(scope.folder_ids) as string[]),
      accountId: null,
      sessionId: null,
      proof: null,
      mustEnrol: false,
      ip: clientAddress(request),
    }
  }
  const anybody = async (request: Request): Promise<Caller | undefined> =>
    request.headers[HEADER] === undefined ? sessions.find(request) : byKey(request)

  const requireProof = ({ proof }: Caller): void => {
    const { clock, settings } = context
    if (!isProven({ proof }, settings.Auth.ProofMinutes, clock()))
      throw refuse('ReauthenticationRequired', { way: proof?.way })
  }
  /** The same for users who proved lately who they are, where the access wants that of a change. */
  const proven = (access: Parameters<typeof needsProof>[0], scheme: AccessScheme<Caller>): AccessScheme<Caller> => ({
    ...scheme,
    async authenticate(request) {
      const caller = await scheme.authenticate(request)
      if (caller && needsProof(access, request.method)) requireProof(caller)
      return caller
    },
  })

  /** A caller in one of these roles; a valid key of another role gets 403, not 401. */
  const inRole = (...roles: readonly ApplicationRole[]): AccessScheme<Caller> => ({
    security: { ...security.key, ...security.user },
    credentialOf,
    async authenticate(request) {
      const caller = await anybody(request)
      if (caller?.mustEnrol) throw refuse('SecondFactorRequired')
      if (caller && !roles.includes(caller.role)) throw refuse('Forbidden', { role: caller.role })
      return caller
    },
  })
  const members = inRole('Organization', 'Administration')

  /** A member whose roles allow the operation, at least to something. */
  const allowed = (operation: Operation): AccessScheme<Caller> => ({
    ...members,
    async authenticate(request) {
      const caller = await members.authenticate(request)
      if (caller) requireOperation(caller, operation)
      return caller
    },
  })
  return {
    ...(Object.fromEntries(operations.map((name) => [name, proven(name, allowed(name))])) as Record<
      Operation,
      AccessScheme<Caller>
    >),
    user: {
      security: security.user,
      credentialOf,
      authenticate: (request) => sessions.find(request),
    } satisfies AccessScheme<Caller>,
    administration: proven('administration', inRole('Administration')),
    monitoring: proven('monitoring', inRole('Administration', 'Monitor')),
    billing: proven('billing', inRole('Administration', 'Billing')),
  }
}

const administrationScope = ({ id, name }: { readonly id: string; readonly name: string }): ApplicationScopeRow => ({
  application_id: id,
  organization_id: SYSTEM_ORGANIZATION,
  name,
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
   * What an application may do; nothing once its organization is deleted, or where no scope was written. One that the
   * operator made at the machine itself has no scope of its own: it is the administration's.
   */
  async of(applicationId: string): Promise<ApplicationScopeRow | undefined> {
    const now = this.#clock().getTime()
    const known = this.#known.get(applicationId)
    if (known && now < known.until && known.until - now <= KNOWN_FOR) return known.scope
    const scope = await this.#read(applicationId)
    this.#known.set(applicationId, { scope, until: now + KNOWN_FOR })
    return scope
  }

  async #read(applicationId: string): Promise<ApplicationScopeRow | undefined> {
    const { db } = this.#store
    const found = await db
      .selectFrom('application_scope as s')
      .innerJoin('organization as o', 'o.id', 's.organization_id')
      .selectAll('s')
      .select('o.deleted_at')
      .where('s.application_id', '=', applicationId)
      .executeTakeFirst()
    if (found) {
      const { deleted_at, ...scope } = found
      return deleted_at === null ? scope : undefined
    }
    const own = await db
      .selectFrom('client_application')
      .select(['id', 'name'])
      .where('id', '=', applicationId)
      .where('by_operator', '=', 1)
      .executeTakeFirst()
    return own && administrationScope(own)
  }
}
