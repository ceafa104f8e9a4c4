import type { Clock } from '@chancela/service-kernel/clock'
import { type DemoPki, holders, type IssuedCertificate } from '../demo-pki/index.ts'

/** A key that the provider holds for a holder. */
export interface Credential {
  /** Unique at the provider: the certificate's label in the PKI. */
  readonly alias: string
  readonly certificate: IssuedCertificate
}

/** A holder with an account at the provider. */
export interface Account {
  /** The holder's label in the PKI. */
  readonly label: string
  readonly name: string
  readonly type: 'CPF' | 'CNPJ'
  /** CPF or CNPJ without punctuation. */
  readonly identifier: string
  readonly pin: string
  /** In the order of the PKI's declaration; includes expired ones. */
  readonly credentials: readonly Credential[]
}

/** For holders without a PIN of their own in the demo. */
const DEFAULT_PIN = '135790'
const PIN_TRIES = 3

/** Wrong PINs lock an account for the lifetime of the provider: nothing unlocks it. */
type LoginOutcome =
  | { readonly kind: 'welcome'; readonly account: Account }
  | { readonly kind: 'wrong'; readonly triesLeft?: number }
  | { readonly kind: 'locked' }

/** Every holder of the demo PKI whose certificate has a CPF or CNPJ. */
export class Accounts {
  readonly #byLabel: ReadonlyMap<string, Account>
  readonly #wrongPins = new Map<string, number>()
  readonly #clock: Clock

  constructor(pki: DemoPki, clock: Clock) {
    this.#clock = clock
    this.#byLabel = new Map(accountsOf(pki).map((account) => [account.label, account]))
  }

  list(): readonly Account[] {
    return [...this.#byLabel.values()]
  }

  /** The account of this holder; throws when there is none, because labels are written by hand. */
  get(label: string): Account {
    const account = this.#byLabel.get(label)
    if (!account) throw new RangeError(`The cloud provider has no account of '${label}'.`)
    return account
  }

  /** By CPF or CNPJ, with or without punctuation. */
  find(identifier: string): Account | undefined {
    const bare = withoutPunctuation(identifier)
    return this.list().find((account) => account.identifier === bare)
  }

  /** An unknown identifier and a wrong PIN get the same answer. */
  login(identifier: string, pin: string): LoginOutcome {
    const account = this.find(identifier)
    if (!account) return { kind: 'wrong' }
    const wrong = this.#wrongPins.get(account.label) ?? 0
    if (wrong >= PIN_TRIES) return { kind: 'locked' }
    if (pin === account.pin) {
      this.#wrongPins.delete(account.label)
      return { kind: 'welcome', account }
    }
    this.#wrongPins.set(account.label, wrong + 1)
    return wrong + 1 < PIN_TRIES ? { kind: 'wrong', triesLeft: PIN_TRIES - wrong - 1 } : { kind: 'locked' }
  }

  isValid({ certificate: { x509 } }: Credential): boolean {
    const now = this.#clock()
    return now >= new Date(x509.validFrom) && now <= new Date(x509.validTo)
  }

  /** The default of a page: the newest valid one, else the first. */
  preferred({ credentials }: Account): Credential {
    const begin = ({ certificate: { x509 } }: Credential) => Date.parse(x509.validFrom)
    const valid = credentials.filter((one) => this.isValid(one)).toSorted((one, other) => begin(other) - begin(one))
    return valid[0] ?? credentials[0]!
  }
}

const withoutPunctuation = (identifier: string): string => identifier.replace(/[.\-/\s]/g, '').toUpperCase()

function accountsOf(pki: DemoPki): readonly Account[] {
  const accounts = new Map<string, Account>()
  for (const [label, { holder, demoPin = DEFAULT_PIN }] of Object.entries(holders)) {
    const identity = identityOf(holder)
    if (!identity || !pki.has(label)) continue
    const known = accounts.get(identity.identifier)
    const credential = { alias: label, certificate: pki.certificate(label) }
    accounts.set(identity.identifier, {
      ...(known ?? { label, name: holder.name, ...identity, pin: demoPin }),
      credentials: [...(known?.credentials ?? []), credential],
    })
  }
  return [...accounts.values()]
}

function identityOf(holder: (typeof holders)[string]['holder']): Pick<Account, 'type' | 'identifier'> | undefined {
  if (holder.kind === 'company') return { type: 'CNPJ', identifier: holder.cnpj }
  return holder.kind === 'person' && holder.cpf !== undefined ? { type: 'CPF', identifier: holder.cpf } : undefined
}
