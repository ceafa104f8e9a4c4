// Who calls: an application by its key, a person by the cookie of a session, or the operator.
import type { SessionCaller } from '@chancela/admin-console'
import { type AccessScheme, type ApiKeyRing, clientAddress } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'
import {
  type Caller,
  type Operation,
  operations,
  requireOperation,
  type SystemCaller,
  type SystemOperation,
  systemOperations,
} from '../../rules/rights.ts'
import { applicationStanding, membershipsOf, type Standing, standingIn } from '../../store/standings.ts'
import type { People } from './people.ts'

type Request = Parameters<AccessScheme['authenticate']>[0]

interface Dependencies {
  readonly context: Pick<Context, 'store' | 'settings'>
  readonly ring: ApiKeyRing
  readonly people: People
}

/** The ways of access, by the names routes use: one for each operation. */
export function accessSchemes(dependencies: Dependencies) {
  const session = { type: 'apiKey', in: 'cookie', name: dependencies.context.settings.Auth.CookieName }
  const key = { type: 'apiKey', in: 'header', name: 'X-Api-Key' }
  const allowed = (operation: Operation): AccessScheme<Caller> => ({
    security: { 'X-Api-Key': key, session },
    credentialOf: ({ id }) => id,
    async authenticate(request) {
      const caller = await callerOf(dependencies, request)
      if (caller) requireOperation(caller, operation)
      if (caller?.kind === 'user' && needsProof(operation, request)) await requireProofOf(dependencies, request)
      return caller
    },
  })
  const system: AccessScheme<SystemCaller> = {
    security: { 'X-Api-Key': key },
    credentialOf: ({ id }) => id,
    authenticate: (request) => systemCaller(dependencies, request),
  }
  const { sessions } = dependencies.people
  /** A person who is signed in, whatever the subscriptions are. */
  const visitor: AccessScheme<SessionCaller> = {
    security: { session },
    credentialOf: ({ id }) => id,
    authenticate: (request) => sessions.find(request),
  }
  const provenVisitor: AccessScheme<SessionCaller> = {
    security: { session },
    credentialOf: ({ id }) => id,
    async authenticate(request) {
      const person = await sessions.find(request)
      if (person) requireProof(sessions, person)
      return person
    },
  }
  return {
    ...schemesOf(Object.keys(operations) as Operation[], allowed),
    ...schemesOf(systemOperations as readonly SystemOperation[], () => system),
    visitor,
    'proven-visitor': provenVisitor,
  }
}

/** What a copied cookie must not be enough for. Reading is; applications have keys, which prove nothing again. */
const provenOperations: ReadonlySet<Operation> = new Set(['users.manage', 'applications.manage'])

const needsProof = (operation: Operation, { method }: Request): boolean =>
  provenOperations.has(operation) && method !== 'GET'

async function requireProofOf({ people: { sessions } }: Dependencies, request: Request): Promise<void> {
  const person = await sessions.find(request)
  if (person) requireProof(sessions, person)
}

function requireProof(sessions: People['sessions'], person: SessionCaller): void {
  if (!sessions.isProven(person)) throw refuse('reauthentication-required')
}

const schemesOf = <Name extends string, Who>(names: readonly Name[], schemeOf: (name: Name) => AccessScheme<Who>) =>
  Object.fromEntries(names.map((name) => [name, schemeOf(name)])) as Record<Name, AccessScheme<Who>>

async function callerOf(dependencies: Dependencies, request: Request): Promise<Caller | undefined> {
  const { 'x-api-key': given } = request.headers
  return given === undefined ? personOf(dependencies, request) : applicationOf(dependencies, request)
}

const keyIn = ({ headers }: Request): string | undefined => {
  const given = headers['x-api-key']
  return typeof given === 'string' ? given : undefined
}

const askedSubscription = ({ headers }: Request): string | undefined => {
  const asked = headers['x-subscription']
  return typeof asked === 'string' && asked.trim() !== '' ? asked.trim().toLowerCase() : undefined
}

/** An application works in one subscription; the operator's in any that it names, as Administrador. */
async function applicationOf({ context, ring }: Dependencies, request: Request): Promise<Caller | undefined> {
  const found = ring.find(keyIn(request))
  if (!found) return undefined
  const { db } = context.store
  const standing = await applicationStanding(db, found.applicationId)
  if (standing === undefined) throw noRole()
  const asked = askedSubscription(request)
  const who = { id: found.applicationId, name: found.application, address: clientAddress(request) }
  if (standing !== 'system') return { kind: 'application', ...who, ...chosen([standing], asked) }
  const place = asked === undefined ? undefined : await standingIn(db, asked)
  return { kind: 'system', ...who, ...chosen(place ? [place] : [], asked) }
}

async function personOf({ context, people }: Dependencies, request: Request): Promise<Caller | undefined> {
  const person = await people.sessions.find(request)
  if (!person) return undefined
  if (person.secondFactor === 'to-enrol') throw refuse('second-factor-required')
  const memberships = await membershipsOf(context.store.db, person.id)
  const { userId, name, subscriptionId, role } = chosen(memberships, askedSubscription(request))
  return { kind: 'user', id: userId, name, subscriptionId, role, address: clientAddress(request) }
}

const noRole = () => refuse('forbidden', { reason: 'No role in this subscription.' })

/** The subscription that is asked for, or the only one; of any other the answer is the same as of none. */
function chosen<S extends Standing>(standings: readonly S[], asked: string | undefined): Omit<S, 'isDisabled'> {
  const usable = asked === undefined ? standings : standings.filter(({ subscriptionId }) => subscriptionId === asked)
  if (usable.length > 1) throw refuse('forbidden', { reason: 'X-Subscription is needed.' })
  const [found] = usable
  if (!found) throw noRole()
  const { isDisabled, ...standing } = found
  if (isDisabled) throw refuse('forbidden', { reason: 'The subscription is disabled.' })
  return standing
}

/** A key that was made at the machine itself; whoever else is known is told that it is not for them. */
async function systemCaller(
  { context, ring, people }: Dependencies,
  request: Request,
): Promise<SystemCaller | undefined> {
  const found = ring.find(keyIn(request))
  const isSystem = found && (await applicationStanding(context.store.db, found.applicationId)) === 'system'
  const isKnown = found !== undefined || (await people.sessions.find(request)) !== undefined
  if (!isSystem && isKnown) throw refuse('forbidden', { reason: 'Only the operator may.' })
  if (!found) return undefined
  return { id: found.applicationId, name: found.application, address: clientAddress(request) }
}
