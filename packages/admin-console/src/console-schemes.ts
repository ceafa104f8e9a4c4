// Who may call the routes of a console, by the names that their `access` gives.
import type { AccessScheme } from '@chancela/service-kernel/http'
import type { SessionCaller } from './caller.ts'
import type { AccountAccess } from './console-app.ts'
import type { ConsoleContext } from './console-context.ts'
import type { ConsoleSessions } from './console-sessions.ts'
import type { ConsoleRight, ConsoleRights } from './contract/index.ts'
import { refuse } from './refuse.ts'

type Scheme = AccessScheme<SessionCaller>

/** Throws where the caller may not. */
type Check = (caller: SessionCaller) => void

/** One scheme for each kind of access to one's own account, and one for each right. */
export function consoleSchemes<Right extends string>(
  sessions: ConsoleSessions,
  { CookieName }: ConsoleContext['settings']['Auth'],
  rights: Readonly<Record<Right, ConsoleRight>>,
): Readonly<Record<AccountAccess | Right, Scheme>> {
  const scheme = schemeOf(sessions, CookieName)
  const requireProof: Check = (caller) => {
    if (!sessions.isProven(caller)) throw refuse('REAUTHENTICATION_REQUIRED', { way: caller.way })
  }
  const account: Record<AccountAccess, Scheme> = {
    visitor: scheme(),
    // Whom the identity provider looks after is refused by these routes anyway, with a reason of its own.
    'proven-visitor': scheme((caller) => caller.way === 'password' && requireProof(caller)),
    account: scheme(requireSecondFactor),
    'proven-account': scheme(requireSecondFactor, requireProof),
  }
  const ofRight = ([right, { roles, proven }]: [string, ConsoleRight]) => {
    const requireRole: Check = ({ role }) => {
      if (!roles.includes(role)) throw refuse('FORBIDDEN_FOR_ROLE', { right, role })
    }
    // Whoever may not is not asked for a password first.
    return [right, scheme(requireSecondFactor, requireRole, ...(proven ? [requireProof] : []))]
  }
  return { ...account, ...Object.fromEntries(Object.entries<ConsoleRight>(rights).map(ofRight)) }
}

/** What a role may do, by the names of the rights. */
export const rightsOf = (rights: ConsoleRights, role: SessionCaller['role']): string[] =>
  Object.keys(rights).filter((right) => rights[right]!.roles.includes(role))

/** Schemes for callers with a session, who pass the checks. */
const schemeOf = (sessions: ConsoleSessions, cookieName: string) => {
  const security = { session: { type: 'apiKey', in: 'cookie', name: cookieName } }
  return (...checks: readonly Check[]): Scheme => ({
    security,
    credentialOf: ({ id }) => id,
    async authenticate(request) {
      const caller = await sessions.find(request)
      if (caller) for (const check of checks) check(caller)
      return caller
    },
  })
}

const requireSecondFactor: Check = ({ secondFactor }) => {
  if (secondFactor === 'to-enrol') throw refuse('SECOND_FACTOR_REQUIRED')
}
