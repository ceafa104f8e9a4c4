import type { AnswerOf } from '@chancela/admin-console/contract'
import type { readChoice } from '@chancela/cloud-hub/contract'

/** What the hub offers to whoever brought the ticket. */
export type Choice = AnswerOf<typeof readChoice>

export type Offer = Choice['services'][number]

/** What came of asking: the choice, a ticket the hub does not know or no longer takes, or no answer at all. */
export type Answer =
  | { readonly kind: 'choice'; readonly choice: Choice }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed' }

// A hub that accepts and never answers would leave the page empty without a word.
const TIMEOUT_MS = 20_000

/** Asks the hub what may be chosen. */
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

/** Where the choice of a page is: `/choices/<ticket>` for `/choose/<ticket>`, below whatever path a proxy puts before. */
export function choiceAddress(path: string): string | undefined {
  const [, before, ticket] = /^(.*)\/choose\/([^/]+)\/?$/.exec(path) ?? []
  return ticket && `${before}/choices/${ticket}`
}

/** Those that answer first, each in the order of the hub. */
export const answeringFirst = (offers: readonly Offer[]): readonly Offer[] => [
  ...offers.filter(({ available }) => available),
  ...offers.filter(({ available }) => !available),
]
