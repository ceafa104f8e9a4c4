// What an operator does at the machine itself, on the service's store, whether it runs or not.
import type { Clock } from '@chancela/service-kernel/clock'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { createEventLog } from '@chancela/service-kernel/events'
import { createLogger } from '@chancela/service-kernel/http'
import { isEmailAddress } from '@chancela/service-kernel/mail'
import type { Secrets } from '@chancela/service-kernel/secrets'
import type { Store } from '@chancela/service-kernel/store'
import { isCpf } from '@chancela/signature-engine/x509'
import {
  addressOf,
  createAdministrator,
  type NewAdministrator,
  removeAdministrator,
  resetSecondFactor,
} from './console/administrators.ts'
import { OPERATOR } from './console/audit.ts'
import { statusTime } from './console/certificates.ts'
import { cpfDigits } from './console/cpf-filter.ts'
import { SHORTEST_PASSWORD } from './contract/console-session.ts'
import type { SessionServerSettings } from './settings.ts'
import { findAdministratorByEmail, listAdministrators } from './store/administrators.ts'
import { type ListedCertificate, listHeld } from './store/console-certificates.ts'
import type { AdministratorRow, Tables } from './store/tables.ts'
import { Vault } from './vault/vault.ts'

/** The opened service. */
export interface OperatorGround {
  readonly store: Store<unknown>
  readonly secrets: Secrets
  /** Checked against the service's schema. */
  readonly settings: unknown
  readonly clock: Clock
}

/** A PKCS#12 as an operator brings it. */
export interface BroughtPkcs12 {
  readonly file: Uint8Array
  readonly pin: string
  /** With or without punctuation; by default the one the certificate names. */
  readonly cpf?: string
}

type Person = Pick<AdministratorRow, 'name' | 'email' | 'created_at' | 'last_sign_in_at'> & {
  readonly secondFactor: boolean
}
type Held = Pick<ListedCertificate, 'id' | 'cpf' | 'subject_name' | 'not_after' | 'status'>

/** The local administrators of the console. */
export interface AdministratorOperator {
  list(): Promise<readonly Person[]>
  create(administrator: NewAdministrator): Promise<void>
  remove(email: string): Promise<void>
  resetSecondFactor(email: string): Promise<void>
}

/** The certificates in the vault. */
export interface VaultOperator {
  list(cpf?: string): Promise<readonly Held[]>
  import(brought: BroughtPkcs12): Promise<Held>
  replace(id: string, brought: BroughtPkcs12): Promise<Held>
  remove(id: string): Promise<void>
}

export function administratorOperator(ground: Omit<OperatorGround, 'secrets'>): AdministratorOperator {
  const { store, settings, clock } = typed(ground)
  const administrators = { store, events: createEventLog(store, clock), passwordCost: settings.Auth.PasswordCost }
  const idOf = async (email: string): Promise<string> => {
    const found = await findAdministratorByEmail(store.db, addressOf(email))
    if (!found) throw new StartupProblem(`No administrator has the address ${email}.`)
    return found.id
  }
  return {
    list: async () =>
      (await listAdministrators(store.db)).map((row) => ({ ...row, secondFactor: row.sealed_totp !== null })),
    async create(administrator) {
      requireSound(administrator)
      await createAdministrator(administrators, administrator, OPERATOR, clock())
    },
    remove: async (email) => removeAdministrator(administrators, await idOf(email), OPERATOR),
    resetSecondFactor: async (email) => resetSecondFactor(administrators, await idOf(email), OPERATOR),
  }
}

function requireSound({ name, email, password }: NewAdministrator): void {
  if (name.trim() === '') throw new StartupProblem('An administrator needs a name.')
  if (!isEmailAddress(email.trim())) throw new StartupProblem(`${email} is no e-mail address.`)
  if (password.length < SHORTEST_PASSWORD)
    throw new StartupProblem(`The password needs at least ${SHORTEST_PASSWORD} characters.`)
}

export function vaultOperator(ground: OperatorGround): VaultOperator {
  const { store, settings, secrets, clock } = typed(ground)
  const logger = createLogger({ service: store.service, level: 'silent' })
  // What comes in is judged by the service: at once when it runs, else when it starts.
  const vault = new Vault({ store, secrets, events: createEventLog(store, clock), logger })
  return {
    list: (cpf) => listHeld(store.db, { custody: 'vault', limit: ALL, ...cpfPart(cpf) }, statusTime(settings, clock())),
    import: (brought) => vault.importCertificate(checked(brought), OPERATOR, clock()),
    replace: (id, brought) => vault.replaceCertificate(id, checked(brought), OPERATOR, clock()),
    remove: (id) => vault.removeCertificate(id, OPERATOR, clock()),
  }
}

/** More than a vault holds; the databases want a number. */
const ALL = 1_000_000

function cpfPart(text: string | undefined): { readonly cpf?: string } {
  const cpf = cpfDigits(text)
  if (cpf === undefined) return {}
  if (!isCpf(cpf)) throw new StartupProblem(`${text} is no CPF.`)
  return { cpf }
}

const checked = ({ file, pin, cpf }: BroughtPkcs12) => ({ file, pin, ...cpfPart(cpf) })

const typed = <Rest>({ store, settings, ...rest }: Rest & Pick<OperatorGround, 'store' | 'settings' | 'clock'>) => ({
  ...rest,
  store: store as unknown as Store<Tables>,
  settings: settings as SessionServerSettings,
})
