// What an operator does about administrators on the machine itself, whether the service runs or not.
import type { Clock } from '@chancela/service-kernel/clock'
import { isEmailAddress } from '@chancela/service-kernel/config'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { createEventLog } from '@chancela/service-kernel/events'
import { type Secrets, weaknessOf } from '@chancela/service-kernel/secrets'
import type { Store } from '@chancela/service-kernel/store'
import { changeRole } from './administrator-roles.ts'
import { findAdministratorByEmail, listAdministrators } from './administrator-rows.ts'
import type { AdministratorRow } from './administrator-table.ts'
import {
  addressOf,
  createAdministrator,
  type NewAdministrator,
  removeAdministrator,
  resetSecondFactor,
} from './administrators.ts'
import { OPERATOR } from './audit.ts'
import { administratorStore } from './console-context.ts'
import { type ConsoleRole, SHORTEST_PASSWORD } from './contract/index.ts'
import { hasFactor } from './factors.ts'
import type { ConsoleSettings } from './settings.ts'

/** A service whose database is open, for an operator's command. */
export interface OperatorContext<Tables = unknown> {
  readonly store: Store<Tables>
  readonly secrets: Secrets
  /** Checked against the service's schema. */
  readonly settings: unknown
  readonly clock: Clock
}

type Person = Pick<AdministratorRow, 'name' | 'email' | 'role' | 'created_at' | 'last_sign_in_at'> & {
  readonly secondFactor: boolean
}

/** The local administrators of a console. */
export interface AdministratorOperator {
  list(): Promise<readonly Person[]>
  create(administrator: NewAdministrator): Promise<void>
  changeRole(email: string, role: ConsoleRole): Promise<void>
  remove(email: string): Promise<void>
  resetSecondFactor(email: string): Promise<void>
}

interface OperatorOptions {
  /** False for a service whose people have their roles elsewhere, such as in organizations. */
  readonly hasRoles?: boolean
}

export function administratorOperator<Tables>(
  { clock, ...context }: Omit<OperatorContext<Tables>, 'secrets'>,
  { hasRoles = true }: OperatorOptions = {},
): AdministratorOperator {
  const store = administratorStore(context.store)
  const { Auth } = context.settings as Pick<ConsoleSettings, 'Auth'>
  const administrators = { store, events: createEventLog(store, clock), passwordCost: Auth.PasswordCost }
  const idOf = async (email: string): Promise<string> => {
    const found = await findAdministratorByEmail(store.db, addressOf(email))
    if (!found) throw new StartupProblem(`No administrator has the address ${email}.`)
    return found.id
  }
  return {
    list: async () => (await listAdministrators(store.db)).map((row) => ({ ...row, secondFactor: hasFactor(row) })),
    async create(administrator) {
      requireSound(administrator)
      requireRoles(hasRoles, administrator.role)
      await createAdministrator(administrators, administrator, OPERATOR, clock())
    },
    async changeRole(email, role) {
      requireRoles(hasRoles, role)
      await changeRole(administrators, { id: await idOf(email), role }, OPERATOR)
    },
    remove: async (email) => removeAdministrator(administrators, await idOf(email), OPERATOR),
    resetSecondFactor: async (email) => resetSecondFactor(administrators, await idOf(email), OPERATOR),
  }
}

function requireRoles(hasRoles: boolean, role: ConsoleRole = 'administrator'): void {
  if (!hasRoles && role !== 'administrator')
    throw new StartupProblem('The people of this service have roles in its subscriptions, and none beside them.')
}

function requireSound({ name, email, password }: NewAdministrator): void {
  if (name.trim() === '') throw new StartupProblem('An administrator needs a name.')
  if (!isEmailAddress(email.trim())) throw new StartupProblem(`${email} is no e-mail address.`)
  if (password.length < SHORTEST_PASSWORD)
    throw new StartupProblem(`The password needs at least ${SHORTEST_PASSWORD} characters.`)
  const weakness = weaknessOf(password, [name, email])
  if (weakness) throw new StartupProblem(`The password is one that guessers try first (${weakness}).`)
}
