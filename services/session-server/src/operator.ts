// Operations of an operator on the machine itself, on the service's store, whether it runs or not.
import { OPERATOR, type OperatorContext } from '@chancela/admin-console'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { createEventLog } from '@chancela/service-kernel/events'
import { createLogger } from '@chancela/service-kernel/http'
import { storeOf } from '@chancela/service-kernel/store'
import { isCpf } from '@chancela/signature-engine/x509'
import { statusTime } from './parts/console/certificates.ts'
import { cpfDigits } from './parts/console/cpf-filter.ts'
import { Vault } from './parts/vault/vault.ts'
import type { SessionServerSettings } from './settings.ts'
import { type ListedCertificate, listHeld } from './store/console-certificates.ts'
import type { Tables } from './store/tables.ts'

/** A PKCS#12 supplied by an operator. */
export interface BroughtPkcs12 {
  readonly file: Uint8Array
  readonly pin: string
  /** With or without punctuation; by default the one the certificate names. */
  readonly cpf?: string
}

const sessionStore = storeOf<Tables>()

type Held = Pick<ListedCertificate, 'id' | 'cpf' | 'subject_name' | 'not_after' | 'status'>

/** The certificates in the vault. */
export interface VaultOperator {
  list(cpf?: string): Promise<readonly Held[]>
  import(brought: BroughtPkcs12): Promise<Held>
  replace(id: string, brought: BroughtPkcs12): Promise<Held>
  remove(id: string): Promise<void>
}

export function vaultOperator<Any>({ secrets, clock, ...context }: OperatorContext<Any>): VaultOperator {
  const store = sessionStore(context.store)
  const settings = context.settings as SessionServerSettings
  const logger = createLogger({ service: store.service, level: 'silent' })
  // The service validates imported certificates: at once when it runs, else when it starts.
  const vault = new Vault({ store, secrets, events: createEventLog(store, clock), logger })
  return {
    list: (cpf) => listHeld(store.db, { custody: 'vault', limit: ALL, ...cpfPart(cpf) }, statusTime(settings, clock())),
    import: (brought) => vault.importCertificate(checked(brought), OPERATOR, clock()),
    replace: (id, brought) => vault.replaceCertificate(id, checked(brought), OPERATOR, clock()),
    remove: (id) => vault.removeCertificate(id, OPERATOR, clock()),
  }
}

/** More than any vault holds; the query needs a number. */
const ALL = 1_000_000

function cpfPart(text: string | undefined): { readonly cpf?: string } {
  const cpf = cpfDigits(text)
  if (cpf === undefined) return {}
  if (!isCpf(cpf)) throw new StartupProblem(`${text} is no CPF.`)
  return { cpf }
}

const checked = ({ file, pin, cpf }: BroughtPkcs12) => ({ file, pin, ...cpfPart(cpf) })
