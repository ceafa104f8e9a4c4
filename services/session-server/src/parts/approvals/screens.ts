import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { countingUse, mayAsk, type QuotaRules, type ScreenUse } from '../../rules/prompt-quota.ts'
import type { SessionServerSettings } from '../../settings.ts'

const WINDOW = 5 * MINUTE

/** How often the screens of each person were used, by CPF. */
export class Screens {
  readonly #rules: QuotaRules
  readonly #uses = new Map<string, ScreenUse>()

  constructor({ PromptsPerCpf, QuietSeconds }: SessionServerSettings['Approvals']) {
    this.#rules = { most: PromptsPerCpf, window: WINDOW, quiet: QuietSeconds * SECOND }
  }

  mayAsk(cpf: string, now: Date): boolean {
    return mayAsk(this.#use(cpf), now, this.#rules)
  }

  ask(cpf: string, now: Date): void {
    const use = this.#use(cpf)
    this.#uses.set(cpf, { ...use, asked: [...use.asked, now] })
  }

  refuse(cpf: string, now: Date): void {
    this.#uses.set(cpf, { ...this.#use(cpf), refusedAt: now })
  }

  sweep(now: Date): void {
    for (const [cpf, use] of this.#uses) {
      const counting = countingUse(use, now, this.#rules)
      if (counting.asked.length === 0 && !counting.refusedAt) this.#uses.delete(cpf)
      else this.#uses.set(cpf, counting)
    }
  }

  #use(cpf: string): ScreenUse {
    return this.#uses.get(cpf) ?? { asked: [] }
  }
}
