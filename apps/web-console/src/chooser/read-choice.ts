import type { AnswerOf } from '@chancela/admin-console/contract'
import type { readChoice } from '@chancela/cloud-hub/contract'

/** What the hub offers to the holder of the ticket. */
export type Choice = AnswerOf<typeof readChoice>

export type Offer = Choice['services'][number]

/** The result of the request: the choice, an unknown or expired ticket, or no answer at all. */
export type Answer =
  | { readonly kind: 'choice'; readonly choice: Choice }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed' }

// A hub that accepts and never answers would leave the page blank.
const TIMEOUT_MS = 20_000

/** Requests the choice from the hub. */
export async function askForChoice(path: string, signal: AbortSignal): Promise<Answer> {
  const address = choiceAddress(path)
  if (!address) return { kind: 'gone' }
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    if (response.status === 404) return { kind: 'gone' }
    return response.ok ? { kind: 'choice', choice: (await response.json()) as Choice } : { kind: 'failed' }
  } catch {
    return { kind: 'failed' }
  }
}

/** The address of a page's choice: `/choices/<ticket>` for `/choose/<ticket>`, below any path prefix of a proxy. */
export function choiceAddress(path: string): string | undefined {
  const [, before, ticket] = /^(.*)\/choose\/([^/]+)\/?$/.exec(path) ?? []
  return ticket && `${before}/choices/${ticket}`
}

/** Answering providers first, each group in the hub's order. */
export const answeringFirst = (offers: readonly Offer[]): readonly Offer[] => [
  ...offers.filter(({ available }) => available),
  ...offers.filter(({ available }) => !available),
]
