// The vault (spec 1 A): PKCS#12 files, sealed at rest and opened by the holder's PIN, which is never stored.

import { invalidField } from '@chancela/service-kernel/errors'
import type { EventActor, EventChanges } from '@chancela/service-kernel/events'
import { SecretProblem, sealedTable } from '@chancela/service-kernel/secrets'
import { type Db, isUniqueViolation, newRowId } from '@chancela/service-kernel/store'
import { isCpf } from '@chancela/signature-engine/x509'
import type { Context } from '../../context.ts'
import { certificateRecord, unjudged } from '../../rules/certificate-record.ts'
import { refuseAtConsole } from '../../rules/refuse.ts'
import { type HeldRow, heldCertificate } from '../../store/certificate-rows.ts'
import type { CertificateRow, Tables } from '../../store/tables.ts'
import { CERTIFICATES_CHANNEL, type Certificates } from '../certificates/certificates.ts'
import { act } from '../console/audit.ts'
import { readVaultFile, tryFile } from './vault-file.ts'
import { VaultKey } from './vault-key.ts'

const sealContext = (id: string): string => `session-server/certificate/${id}/sealed_file`

/** The sealed files, so that a rotation of the master key reaches them. */
export const sealedVaultFiles = sealedTable<CertificateRow>({
  table: 'certificate',
  idColumn: 'id',
  columns: ['sealed_file'],
  context: ({ id }) => sealContext(id),
})

/** An imported PKCS#12, with the PIN that opens it. */
export interface BroughtFile {
  readonly file: Uint8Array
  readonly pin: string
  /** The CPF it is held for; by default the one in the certificate. */
  readonly cpf?: string | null | undefined
}

/** Result of trying a PIN on a certificate of the vault. */
export type VaultAnswer =
  | { readonly kind: 'confirmed'; readonly key: VaultKey }
  | { readonly kind: 'differs' }
  | { readonly kind: 'cannot-tell' }

interface VaultOptions {
  /** Validates imported certificates at once; without it, the validating worker is notified. */
  readonly certificates?: Certificates
  /** Called when a certificate is no longer held: sessions on it end. */
  readonly gone?: (certificateId: string, now: Date) => Promise<void>
}

type VaultContext = Pick<Context, 'store' | 'secrets' | 'events' | 'logger'>

export class Vault {
  readonly #context: VaultContext
  readonly #certificates: Certificates | undefined
  readonly #gone: (certificateId: string, now: Date) => Promise<void>

  constructor(context: VaultContext, { certificates, gone = async () => {} }: VaultOptions = {}) {
    this.#context = context
    this.#certificates = certificates
    this.#gone = gone
  }

  /** Imports a file into the vault and validates its certificate; `actor` is who imports it. */
  async importCertificate(brought: BroughtFile, actor: EventActor, now: Date): Promise<HeldRow> {
    const row = await this.#newRow(brought, undefined, now)
    await this.#keep(row, (tx) => this.#record(tx, 'CertificateImported', actor, row, { before: {}, after: told(row) }))
    return this.#judged(row, now)
  }

  /** Replaces a file by another; the former is no longer held. */
  async replaceCertificate(id: string, brought: BroughtFile, actor: EventActor, now: Date): Promise<HeldRow> {
    const former = await this.#required(id)
    const row = await this.#newRow(brought, former.cpf, now)
    await this.#keep(row, async (tx) => {
      await drop(tx, id, now)
      await this.#record(tx, 'CertificateReplaced', actor, row, { before: told(former), after: told(row) })
    })
    await this.#gone(id, now)
    return this.#judged(row, now)
  }

  /** Removes a certificate from the vault. */
  async removeCertificate(id: string, actor: EventActor, now: Date): Promise<void> {
    const row = await this.#required(id)
    await this.#context.store.transaction(async (tx) => {
      await drop(tx, id, now)
      await this.#record(tx, 'CertificateRemoved', actor, row, { before: told(row), after: {} })
    })
    await this.#gone(id, now)
  }

  /** Tries a PIN on a certificate of the vault. */
  async open({ id, fingerprint, sealed_file }: CertificateRow, pin: string): Promise<VaultAnswer> {
    const file = this.#unsealed(id, sealed_file)
    if (!file) return { kind: 'cannot-tell' }
    const opened = await tryFile(file, pin, fingerprint)
    switch (opened.kind) {
      case 'opened':
        return { kind: 'confirmed', key: new VaultKey(opened.contents.privateKey) }
      case 'differs':
        return opened
      case 'cannot-tell':
        this.#context.logger.error({ certificateId: id, problem: opened.reason }, 'vault file cannot be opened')
        return { kind: 'cannot-tell' }
    }
  }

  #unsealed(id: string, sealed: string | null): Buffer | undefined {
    if (sealed === null) return undefined
    try {
      return this.#context.secrets.open(sealed, sealContext(id))
    } catch (error) {
      if (!(error instanceof SecretProblem)) throw error
      this.#context.logger.error({ certificateId: id, problem: error.message }, 'vault file cannot be decrypted')
      return undefined
    }
  }

  async #newRow({ file, pin, cpf }: BroughtFile, formerCpf: string | undefined, now: Date): Promise<CertificateRow> {
    const { certificate, chain } = await readVaultFile(file, pin)
    const record = certificateRecord(certificate, chain)
    const heldFor = cpf ?? formerCpf ?? record.subject_cpf
    if (heldFor === null) throw refuseAtConsole('CERTIFICATE_CPF_MISSING')
    if (!isCpf(heldFor)) throw invalidField('cpf', 'The check digits are wrong.')
    const id = newRowId(now)
    return {
      id,
      cpf: heldFor,
      custody: 'vault',
      workstation_id: null,
      token: null,
      ...record,
      ...unjudged,
      sealed_file: this.#context.secrets.seal(file, sealContext(id)),
      sealed_pin: null,
      created_at: now.toISOString(),
      removed_at: null,
    }
  }

  async #keep(row: CertificateRow, and: (tx: Db<Tables>) => Promise<void>): Promise<void> {
    const { store } = this.#context
    try {
      await store.transaction(async (tx) => {
        await and(tx)
        await tx.insertInto('certificate').values(row).execute()
        await store.notify(tx, CERTIFICATES_CHANNEL)
      })
    } catch (error) {
      throw isUniqueViolation(error) ? refuseAtConsole('CERTIFICATE_ALREADY_HELD', undefined, error) : error
    }
  }

  async #required(id: string): Promise<HeldRow> {
    const row = await heldCertificate(this.#context.store.db, id)
    if (!row) throw refuseAtConsole('CERTIFICATE_NOT_FOUND')
    if (row.custody === 'workstation') throw refuseAtConsole('CERTIFICATE_AT_WORKSTATION')
    if (row.custody === 'token') throw refuseAtConsole('CERTIFICATE_ON_TOKEN')
    return row
  }

  async #judged(row: HeldRow, now: Date): Promise<HeldRow> {
    return (await this.#certificates?.recheck(row.id, now)) ?? row
  }

  async #record(
    tx: Db<Tables>,
    type: 'CertificateImported' | 'CertificateReplaced' | 'CertificateRemoved',
    actor: EventActor,
    { id, subject_name }: HeldRow,
    changes: EventChanges,
  ): Promise<void> {
    await this.#context.events.record(tx, act(type, actor, ['certificate', id], { holder: subject_name }, changes))
  }
}

/** Which certificate it is, as events tell of it. */
const told = ({ fingerprint, serial_number, not_after }: HeldRow) => ({
  fingerprint,
  serialNumber: serial_number,
  notAfter: not_after,
})

/** Deletes the file's content. The `where` is the lock: of two concurrent removals, the second finds it gone. */
async function drop(tx: Db<Tables>, id: string, now: Date): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('certificate')
    .set({ removed_at: now.toISOString(), sealed_file: null })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw refuseAtConsole('CERTIFICATE_NOT_FOUND')
}
