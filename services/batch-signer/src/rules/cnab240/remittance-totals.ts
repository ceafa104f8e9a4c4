import type { RemittanceSummary } from './remittance.ts'

/** What the remittances of one day, bank and company add up to. */
export interface RemittanceTotal {
  readonly day: string
  readonly bankCode: string
  readonly bankName: string | null
  readonly companyName: string
  readonly companyId: string | null
  files: number
  payments: number
  centavos: bigint
}

/** Adds up remittances by day, bank and company, exactly. */
export class RemittanceTotals {
  readonly #rows = new Map<string, RemittanceTotal>()

  add(day: string, { bankCode, bankName, payerId, payerName, paymentCount, totalCentavos }: RemittanceSummary): void {
    // A company is its CNPJ; its name is written as each system likes.
    const key = JSON.stringify([day, bankCode, payerId ?? payerName])
    const none = { day, bankCode, bankName, companyName: payerName, companyId: payerId }
    const row = this.#rows.get(key) ?? { ...none, files: 0, payments: 0, centavos: 0n }
    row.files += 1
    row.payments += paymentCount
    row.centavos += BigInt(totalCentavos)
    this.#rows.set(key, row)
  }

  /** The newest day first, and the largest sum of a day. */
  get rows(): readonly RemittanceTotal[] {
    return [...this.#rows.values()].sort(
      (one, other) => other.day.localeCompare(one.day) || Number(other.centavos - one.centavos),
    )
  }

  get centavos(): bigint {
    return this.rows.reduce((sum, { centavos }) => sum + centavos, 0n)
  }
}
