// Prices of transactions (document-platform facts 2: invoiceTotals).
import type { DocumentPlatformSettings } from '../settings.ts'

type PriceSetting = DocumentPlatformSettings['Billing']['Prices'][number]

/** The total of one type of transaction in an invoice, as the wire has it. */
export interface InvoiceTotal {
  readonly transactionType: string
  readonly price: {
    readonly transactionType: string
    readonly pricingType: PriceSetting['PricingType']
    readonly price: number | null
    readonly priceRanges: readonly { readonly limit: number | null; readonly price: number }[]
    readonly limit: number | null
  }
  readonly total: number
  readonly totalInTrialPeriod: number
  readonly value: number
}

type Price = InvoiceTotal['price']

const values: Readonly<Record<Price['pricingType'], (price: Price, total: number) => number>> = {
  NoCharge: () => 0,
  Simple: ({ price }, total) => (price ?? 0) * total,
  /** Each transaction costs the price of the range it falls into; the last range has no limit. */
  Range: ({ priceRanges }, total) => {
    let [value, counted] = [0, 0]
    for (const { limit, price } of priceRanges) {
      const upTo = Math.min(limit ?? total, total)
      if (upTo <= counted) continue
      value += (upTo - counted) * price
      counted = upTo
    }
    return value
  },
}

/** A type without a price is free of charge. */
export function totalOf(prices: readonly PriceSetting[], transactionType: string, total: number): InvoiceTotal {
  const setting = prices.find(({ TransactionType }) => TransactionType === transactionType)
  const price: Price = {
    transactionType,
    pricingType: setting?.PricingType ?? 'NoCharge',
    price: setting?.Price ?? null,
    priceRanges: (setting?.Ranges ?? []).map(({ Limit, Price }) => ({ limit: Limit ?? null, price: Price })),
    limit: null,
  }
  return {
    transactionType,
    price,
    total,
    totalInTrialPeriod: 0,
    value: inCents(values[price.pricingType](price, total)),
  }
}

/** Money has two decimals; sums of binary fractions do not. */
export const inCents = (value: number): number => Math.round(value * 100) / 100
