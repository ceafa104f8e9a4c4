// What administrators do with workstations: they add them, say whose certificates they may offer, and revoke them.

import { createHash } from 'node:crypto'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { invalidField } from '@chancela/service-kernel/errors'
import { changesOf, type EventActor } from '@chancela/service-kernel/events'
import { newRowId } from '@chancela/service-kernel/store'
import { formattedCpf, isCpf } from '@chancela/signature-engine/x509'
import { CHANNEL, type Enrolment, isEnrolmentProven, keyBytes, newEnrolmentCode } from '../../channel/index.ts'
import type { Context } from '../../context.ts'
import type { changeWorkstation, enrolWorkstation } from '../../contract/console-workstations.ts'
import type { AnswerOf, BodyOf } from '../../contract/index.ts'
import { refuseAtConsole as refuse } from '../../rules/refuse.ts'
import type { WorkstationRow } from '../../store/tables.ts'
import * as store from '../../store/workstations.ts'
import { act } from '../console/audit.ts'
import type { Sessions } from '../sessions/live-session.ts'
import { removeOffered } from './offered-certificates.ts'
import type { Workstations } from './workstations.ts'

type WorkstationView = AnswerOf<typeof changeWorkstation>

/** What an administrator sets for a workstation. */
interface WorkstationChoice {
  readonly name: string
  /** CPFs of the holders whose certificates it may offer. */
  readonly cpfs: readonly string[]
}

/** A workstation and its enrolment code, which cannot be shown again. */
interface WithCode {
  readonly workstation: WorkstationView
  readonly code: string
  readonly expiresAt: string
}

interface AdminContext extends Pick<Context, 'store' | 'events' | 'settings' | 'logger'> {
  readonly workstations: Pick<Workstations, 'isOnline' | 'cut'>
  readonly sessions: Pick<Sessions, 'list' | 'end'>
  /** The server's public key on the channel: codes contain its digest. */
  readonly serverPublicKey: string
}

export class WorkstationAdmin {
  readonly #context: AdminContext

  constructor(context: AdminContext) {
    this.#context = context
  }

  async list(): Promise<readonly WorkstationView[]> {
    const { db } = this.#context.store
    const [rows, counts] = [await store.listWorkstations(db), await store.countOffered(db)]
    return rows.map((row) => this.#view(row, counts))
  }

  async create(choice: WorkstationChoice, actor: EventActor, now: Date): Promise<WithCode> {
    const row = newRow(checked(choice), now)
    const { code, key, expiresAt } = this.#newCode(now)
    await this.#context.store.transaction(async (tx) => {
      await store.insertWorkstation(tx, row)
      await store.replaceCode(tx, codeRow(row.id, key, expiresAt))
      const facts = { name: row.name, cpfs: people(choice.cpfs) }
      const changes = { before: {}, after: told(row) }
      await this.#context.events.record(tx, act('WorkstationCreated', actor, ['workstation', row.id], facts, changes))
    })
    return { workstation: await this.#read(row.id), code, expiresAt: expiresAt.toISOString() }
  }

  /** Issues another code; using it ends the former enrolment. */
  async anotherCode(id: string, actor: EventActor, now: Date): Promise<WithCode> {
    const workstation = await this.#read(id)
    if (workstation.state === 'revoked') throw refuse('WORKSTATION_NOT_FOUND')
    const { code, key, expiresAt } = this.#newCode(now)
    await this.#context.store.transaction(async (tx) => {
      await store.replaceCode(tx, codeRow(id, key, expiresAt))
      const facts = { name: workstation.name }
      await this.#context.events.record(tx, act('EnrolmentCodeCreated', actor, ['workstation', id], facts))
    })
    return { workstation, code, expiresAt: expiresAt.toISOString() }
  }

  /** Certificates of holders no longer permitted are removed, and sessions on them end. */
  async change(id: string, choice: WorkstationChoice, actor: EventActor, now: Date): Promise<WorkstationView> {
    const { name, cpfs } = checked(choice)
    const removed = await this.#context.store.transaction(async (tx) => {
      const former = await store.findWorkstation(tx, id)
      const row = await store.changeWorkstation(tx, id, { name, cpfs: JSON.stringify(cpfs) })
      if (!former || !row) throw refuse('WORKSTATION_NOT_FOUND')
      const changes = changesOf(told(former), told(row))
      const facts = { name, cpfs: people(cpfs) }
      await this.#context.events.record(tx, act('WorkstationChanged', actor, ['workstation', id], facts, changes))
      return removeOffered(tx, id, ({ cpf }) => !cpfs.includes(cpf), now)
    })
    await this.#endSessionsOn(removed, now)
    return this.#read(id)
  }

  /** Immediate: the channel is cut, the certificates are removed and sessions on them end. */
  async revoke(id: string, actor: EventActor, now: Date): Promise<void> {
    const { workstations, events } = this.#context
    const removed = await this.#context.store.transaction(async (tx) => {
      const row = await store.changeWorkstation(tx, id, { revoked_at: now.toISOString() })
      if (!row) throw refuse('WORKSTATION_NOT_FOUND')
      await store.dropCodes(tx, id)
      const changes = { before: told(row), after: {} }
      await events.record(tx, act('WorkstationRevoked', actor, ['workstation', id], { name: row.name }, changes))
      return removeOffered(tx, id, () => true, now)
    })
    workstations.cut(id)
    await this.#endSessionsOn(removed, now)
  }

  /** Enrols an agent with a code. A former enrolment of the workstation ends. */
  async enrol(
    body: BodyOf<typeof enrolWorkstation>,
    address: string,
    now: Date,
  ): Promise<AnswerOf<typeof enrolWorkstation>> {
    const { serverPublicKey, workstations, logger, events } = this.#context
    if (!this.#isProven(body)) throw refuse('ENROLMENT_REFUSED')
    const row = await this.#context.store.transaction(async (tx) => {
      const code = await store.useCode(tx, hashOf(body.codeKey), now)
      const { publicKey: public_key, platform, agentVersion: agent_version } = body
      const enrolled = {
        public_key,
        platform,
        agent_version,
        enrolled_at: now.toISOString(),
        channel: CHANNEL,
        outdated_at: null,
      }
      // A key names one workstation on the channel.
      if (!code || (await store.findWorkstationByKey(tx, public_key))) throw refuse('ENROLMENT_REFUSED')
      const row = await store.changeWorkstation(tx, code.workstation_id, enrolled)
      if (row) await events.record(tx, enrolledBy({ name: 'agent', address }, row))
      return row
    })
    if (!row) throw refuse('ENROLMENT_REFUSED')
    workstations.cut(row.id)
    logger.info({ workstationId: row.id, name: row.name, platform: body.platform }, 'workstation enrolled')
    return { workstationId: row.id, name: row.name, serverPublicKey }
  }

  #isProven({ codeKey, proof, channel: _channel, ...enrolment }: BodyOf<typeof enrolWorkstation>): boolean {
    const keysAreWhole = [codeKey, enrolment.publicKey].every((key) => keyBytes(key) !== undefined)
    return keysAreWhole && isEnrolmentProven(this.#context.serverPublicKey, enrolment as Enrolment, { codeKey, proof })
  }

  #newCode(now: Date) {
    const { serverPublicKey, settings } = this.#context
    const { text: code, key } = newEnrolmentCode(serverPublicKey)
    return { code, key, expiresAt: plus(now, settings.Workstations.EnrolmentMinutes * MINUTE) }
  }

  async #read(id: string): Promise<WorkstationView> {
    const { db } = this.#context.store
    const row = await store.findWorkstation(db, id)
    if (!row) throw refuse('WORKSTATION_NOT_FOUND')
    return this.#view(row, await store.countOffered(db))
  }

  #view(row: WorkstationRow, counts: ReadonlyMap<string, number>): WorkstationView {
    return {
      id: row.id,
      name: row.name,
      cpfs: JSON.parse(row.cpfs) as string[],
      state: this.#stateOf(row),
      platform: row.platform,
      agentVersion: row.agent_version,
      address: row.address,
      certificates: counts.get(row.id) ?? 0,
      enrolledAt: row.enrolled_at,
      lastSeenAt: row.last_seen_at,
      createdAt: row.created_at,
    }
  }

  #stateOf({ id, public_key, channel, revoked_at }: WorkstationRow): WorkstationView['state'] {
    if (revoked_at !== null) return 'revoked'
    if (public_key === null) return 'waiting'
    if (channel !== CHANNEL) return 'outdated'
    return this.#context.workstations.isOnline(id) ? 'online' : 'offline'
  }

  async #endSessionsOn(certificateIds: readonly string[], now: Date): Promise<void> {
    const { sessions } = this.#context
    const bound = sessions.list(now).filter(({ certificateId }) => certificateIds.includes(certificateId))
    for (const { id } of bound) await sessions.end(id, 'certificate-gone', now)
  }
}

/** Who used the code is not known, but where: a code that was read by somebody else is seen here. */
const enrolledBy = (actor: EventActor, { id, name, platform, agent_version }: WorkstationRow) =>
  act('WorkstationEnrolled', actor, ['workstation', id], { name }, { before: {}, after: { platform, agent_version } })

/** As events tell of one. */
const told = ({ name, cpfs }: WorkstationRow) => ({ name, cpfs: JSON.parse(cpfs) as string[] })

function checked({ name, cpfs }: WorkstationChoice): WorkstationChoice {
  if (name.trim() === '') throw invalidField('name', 'is required')
  if (!cpfs.every(isCpf)) throw invalidField('cpfs', 'must be real CPFs, eleven digits each')
  return { name: name.trim(), cpfs: [...new Set(cpfs)] }
}

const newRow = ({ name, cpfs }: WorkstationChoice, now: Date): WorkstationRow => ({
  id: newRowId(now),
  name,
  cpfs: JSON.stringify(cpfs),
  public_key: null,
  channel: CHANNEL,
  outdated_at: null,
  platform: null,
  agent_version: null,
  address: null,
  enrolled_at: null,
  last_seen_at: null,
  revoked_at: null,
  created_at: now.toISOString(),
})

const codeRow = (workstation_id: string, key: string, expiresAt: Date) => ({
  hash: hashOf(key),
  workstation_id,
  expires_at: expiresAt.toISOString(),
  used_at: null,
})

const hashOf = (codeKey: string): string => createHash('sha256').update(codeKey).digest('base64url')

const people = (cpfs: readonly string[]): string => cpfs.map(formattedCpf).join(', ')
