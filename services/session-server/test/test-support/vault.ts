// The vault as an operator on the machine has it: on the database and the master key of a running service.
import { join } from 'node:path'
import { createEventLog } from '@chancela/service-kernel/events'
import { createLogger } from '@chancela/service-kernel/http'
import { openSecrets } from '@chancela/service-kernel/secrets'
import type { Store } from '@chancela/service-kernel/store'
import { LOOK_NOW } from '@chancela/service-kernel/workers'
import { withCpfCheckDigits } from '@chancela/testkit/demo-pki'
import type { Context } from '../../src/context.ts'
import { Certificates, openCertificateTrust } from '../../src/parts/certificates/certificates.ts'
import { Vault } from '../../src/parts/vault/vault.ts'
import type { Tables } from '../../src/store/tables.ts'
import { clock, holder, running } from './pki.ts'
import type { SessionWorld } from './session-world.ts'

/** A PIN that occurs nowhere else. */
export const PIN = 'Q7-cofre-31'

interface World extends Pick<SessionWorld, 'settings' | 'dataFolder'> {
  readonly store: Store<Tables>
}

export const masterKeyOf = ({ settings, dataFolder }: Pick<World, 'settings' | 'dataFolder'>) => ({
  service: 'session-server',
  masterKeyFile: join(dataFolder, settings.Secrets.MasterKeyFile),
})

export async function vaultOf(world: World) {
  const logger = createLogger({ service: 'vault-test', level: 'silent' })
  const { store, settings, dataFolder } = world
  const events = createEventLog(store, clock)
  const secrets = openSecrets(masterKeyOf(world))
  const context = { store, settings, dataFolder, events, secrets, logger, clock } as unknown as Context
  const certificates = new Certificates(context, await openCertificateTrust(context))
  return { vault: new Vault(context, { certificates }), certificates, secrets, events }
}

interface Holding {
  readonly pin?: string
  readonly cpf?: string
}

/** A holder of the PKI whose certificate is put into the vault. */
export async function holdInVault(world: World, label: string, { pin = PIN, cpf }: Holding = {}) {
  const file = running.pki.pkcs12(running.pki.certificate(label), { password: pin, iterations: 1 })
  const { vault } = await vaultOf(world)
  const row = await vault.importCertificate({ file, pin, cpf }, 'operator', clock())
  return { id: row.id, cpf: row.cpf, pin, status: row.status, row }
}

interface Person {
  /** Null for a certificate that names none. */
  readonly cpf?: null
  readonly email?: string | undefined
  /** Label of the holder whose key it uses; by default an RSA key. */
  readonly keyOf?: string
}

/** A person with a certificate of their own in the vault, so that tests sharing a service stay independent. */
export async function newHolder(world: World, person: Person = {}) {
  const { email } = { email: 'titular@example.com', ...person }
  const cpf = newCpf()
  const issued = await running.pki.issueHolder(
    `held-${cpf}`,
    {
      kind: 'person',
      name: `Titular ${cpf}`,
      born: '1980-01-01',
      ...(person.cpf !== null && { cpf }),
      ...(email !== undefined && { email }),
    },
    {},
    running.pki.certificate(person.keyOf ?? 'ana-souza').key,
  )
  const held = await holdInVault(world, issued.label, { cpf })
  return { ...held, issued }
}

let last = 300_300_300

/** A new CPF. */
export const newCpf = (): string => withCpfCheckDigits(String(last++))

/** Makes the workers of a running service poll now. */
export const lookNow = ({ store }: Pick<World, 'store'>): Promise<void> => store.notify(store.db, LOOK_NOW)

export const cpfOf = (label: string): string => holder(label).cpf
