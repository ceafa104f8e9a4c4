// Certificates by CPF: what the console shows of them, and what it lets administrators do to those in the vault.

import { DEFAULT_LIMIT, pageFrom, readCursor } from '@chancela/admin-console'
import type { AnswerOf, BodyOf } from '@chancela/admin-console/contract'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { invalidField } from '@chancela/service-kernel/errors'
import type { EventActor } from '@chancela/service-kernel/events'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { importCertificate, listCertificates } from '../../contract/console-certificates.ts'
import { searchKey } from '../../rules/certificate-record.ts'
import { refuseAtConsole as refuse } from '../../rules/refuse.ts'
import { findHeld, type ListedCertificate, listHeld, type StatusTime } from '../../store/console-certificates.ts'
import type { Certificates } from '../certificates/certificates.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { BroughtFile, Vault } from '../vault/vault.ts'
import { cpfDigits } from './cpf-filter.ts'

type HeldCertificate = AnswerOf<typeof importCertificate>
type FileBody = BodyOf<typeof importCertificate>

interface CertificateParts {
  readonly vault: Vault
  readonly certificates: Certificates
  readonly tokens: Tokens
}

export class CertificateAdmin {
  readonly #context: Pick<Context, 'store' | 'settings'>
  readonly #parts: CertificateParts

  constructor(context: Pick<Context, 'store' | 'settings'>, parts: CertificateParts) {
    this.#context = context
    this.#parts = parts
  }

  async list(
    { limit = DEFAULT_LIMIT, cursor, cpf, status, custody, q }: Static<typeof listCertificates.query>,
    now: Date,
  ) {
    const digits = cpfDigits(cpf)
    const nameKey = q?.trim() ? searchKey(q.trim()) : undefined
    const rows = await listHeld(
      this.#context.store.db,
      {
        limit: limit + 1,
        ...(digits !== undefined && { cpf: digits }),
        ...(status && { status }),
        ...(custody && { custody }),
        ...(nameKey !== undefined && { nameKey }),
        ...(cursor !== undefined && { after: readCursor(cursor, 2) as [string, string] }),
      },
      this.#statusTime(now),
    )
    return pageFrom(
      rows,
      limit,
      (row) => this.#view(row),
      ({ not_after, id }) => [not_after, id],
    )
  }

  async import(body: FileBody, actor: EventActor, now: Date): Promise<HeldCertificate> {
    const { id } = await this.#parts.vault.importCertificate(brought(body), actor, now)
    return this.#read(id, now)
  }

  async replace(id: string, body: FileBody, actor: EventActor, now: Date): Promise<HeldCertificate> {
    const { id: fresh } = await this.#parts.vault.replaceCertificate(id, brought(body), actor, now)
    return this.#read(fresh, now)
  }

  async setPin(id: string, pin: string, actor: EventActor, now: Date): Promise<HeldCertificate> {
    await this.#parts.tokens.setPin(id, pin, actor, now)
    return this.#read(id, now)
  }

  remove(id: string, actor: EventActor, now: Date): Promise<void> {
    return this.#parts.vault.removeCertificate(id, actor, now)
  }

  async recheck(id: string, now: Date): Promise<HeldCertificate> {
    await this.#parts.certificates.recheck(id, now)
    return this.#read(id, now)
  }

  async #read(id: string, now: Date): Promise<HeldCertificate> {
    const found = await findHeld(this.#context.store.db, id, this.#statusTime(now))
    if (!found) throw refuse('CERTIFICATE_NOT_FOUND')
    return this.#view(found)
  }

  #view(row: ListedCertificate): HeldCertificate {
    return { ...certificateView(row), pin: this.#parts.tokens.pinOf(row.token, Boolean(row.has_pin)) }
  }

  #statusTime(now: Date): StatusTime {
    return statusTime(this.#context.settings, now)
  }
}

/** The times that determine the status of certificates. */
export const statusTime = ({ Certificates }: Context['settings'], now: Date): StatusTime => ({
  now,
  goodSince: plus(now, -Certificates.StaleAfterMinutes * MINUTE),
})

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function brought({ file, pin, cpf }: FileBody): BroughtFile {
  if (file === '' || !BASE64.test(file)) throw invalidField('file', 'must be a file in base64')
  return { file: Buffer.from(file, 'base64'), pin, cpf }
}

const certificateView = (row: ListedCertificate): Omit<HeldCertificate, 'pin'> => ({
  id: row.id,
  cpf: row.cpf,
  custody: row.custody,
  workstation: row.workstation_id === null ? null : { id: row.workstation_id, name: row.workstation ?? '' },
  token: row.token,
  subjectName: row.subject_name,
  subjectCpf: row.subject_cpf,
  issuer: row.issuer,
  serialNumber: row.serial_number,
  fingerprint: row.fingerprint,
  email: row.email,
  notBefore: row.not_before,
  notAfter: row.not_after,
  status: row.status,
  reason: row.status_reason,
  finding: row.status_finding === null ? null : (JSON.parse(row.status_finding) as HeldCertificate['finding']),
  checkedAt: row.checked_at,
  createdAt: row.created_at,
})
