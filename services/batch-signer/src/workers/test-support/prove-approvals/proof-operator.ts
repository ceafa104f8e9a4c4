import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Random } from '../prove/random.ts'
import { API_KEY, people, type rules } from './approval-plan.ts'
import type { Call } from './caller.ts'

interface WaitingJob {
  readonly id: string
  readonly fileName: string
}

interface Parts {
  readonly call: Call
  readonly random: Random
  /** The folder of processing/. */
  readonly work: string
}

/** Profiles whose rules are edited: who is in their pools, and how many are needed. */
const EDITED = ['steady', 'signed', 'both'] as const satisfies readonly (keyof typeof rules)[]

/** What the form of a profile sends of what it was shown. */
const FORM = [
  'enabled',
  'inputFolder',
  'format',
  'method',
  'level',
  'verify',
  'validateCertificate',
  'preserveFileExtension',
  'saveAsPem',
  'checkCnab240',
  'checkCnab240PaymentDates',
  'encrypt',
  'encryptionCertificates',
  'timestampAuthority',
  'certificate',
  'version',
] as const

/** Cancels some, pauses at times, edits rules; and somebody else alters what people decide about. */
export class ProofOperator {
  readonly #parts: Parts
  readonly #tampered = new Set<string>()
  edited = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Jobs whose files were altered. */
  get tampered(): number {
    return this.#tampered.size
  }

  async act(waiting: readonly WaitingJob[]): Promise<void> {
    const { random } = this.#parts
    const job = random.pick(waiting)
    const act = random.next()
    if (act < 0.15) await this.#post(`/api/jobs/${job.id}/cancel`)
    else if (act < 0.3) await this.#pause()
    else if (act < 0.5) await this.#edit(random.pick(EDITED))
    else if (act < 0.6) this.#tamper(job)
  }

  #post(path: string) {
    return this.#parts.call('POST', path, { key: API_KEY })
  }

  async #pause(): Promise<void> {
    await this.#post('/api/pipeline/pause')
    await setTimeout(this.#parts.random.below(400))
    await this.#post('/api/pipeline/resume')
  }

  async #edit(profile: (typeof EDITED)[number]): Promise<void> {
    const { call, random } = this.#parts
    const path = `/dashboard/api/profiles/${profile}`
    const shown = (await call('GET', path, { key: API_KEY }))?.body
    if (!shown?.approval) return
    const approvers = random.shuffled(people).slice(0, 2 + random.below(people.length - 1))
    const approval = {
      ...shown.approval,
      minimumApprovers: 1 + random.below(2),
      approvers: approvers.map(({ Name, Email, Cpf }) => ({ name: Name, email: Email, cpf: Cpf })),
    }
    const form = Object.fromEntries(FORM.map((name) => [name, shown[name]]))
    const answer = await call('PUT', path, { key: API_KEY, body: { ...form, approval } })
    if (answer?.status === 200) this.edited += 1
  }

  /** The copy, or the signatures that were collected so far. */
  #tamper({ id, fileName }: WaitingJob): void {
    const { random, work } = this.#parts
    const folder = join(work, 'processing', id)
    if (!existsSync(folder)) return
    const envelopes = readdirSync(folder).filter((name) => name.startsWith('signatures-'))
    const name = envelopes.length > 0 && random.chance(0.5) ? random.pick(envelopes) : fileName
    try {
      writeFileSync(join(folder, name), 'altered by somebody', { flag: 'r+' })
      this.#tampered.add(id)
    } catch {
      // The job has moved on, and the file with it.
    }
  }
}
