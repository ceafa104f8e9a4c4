// The organization that calls are made for: a person may belong to several, and each window remembers its own.
import { type CallOptions, call } from '../../shared/api/request.ts'
import type { Me, Membership } from './types.ts'

const REMEMBERED = 'chancela-credentials-subscription'

/** Organizations that a person can work in now. */
export const usable = ({ subscriptions }: Pick<Me, 'subscriptions'>): readonly Membership[] =>
  subscriptions.filter(({ disabled }) => !disabled)

/** The one that was chosen, while the person still belongs to it; otherwise the first. */
export const chosenOf = (me: Pick<Me, 'subscriptions'>, id = remembered()): Membership | undefined =>
  usable(me).find((one) => one.id === id) ?? usable(me)[0]

function remembered(): string | undefined {
  try {
    return sessionStorage.getItem(REMEMBERED) ?? undefined
  } catch {
    // Storage may be forbidden: the first organization is shown then.
    return undefined
  }
}

let current: string | undefined

/** Calls are made for this organization from now on. */
export function actFor(id: string | undefined): void {
  current = id
  try {
    if (id !== undefined) sessionStorage.setItem(REMEMBERED, id)
  } catch {
    // Not remembered, then.
  }
}

type Method = Parameters<typeof call>[0]

/** Asks the service in the name of the organization that was chosen, for answers in the language of the page. */
export const ask = <Answer>(method: Method, address: string, options: CallOptions = {}): Promise<Answer> =>
  call<Answer>(method, address, { ...options, headers: { ...pageHeaders(), ...options.headers } })

/** What every call says of the page it comes from. */
export const pageHeaders = (): Readonly<Record<string, string>> => ({
  'accept-language': document.documentElement.lang,
  ...(current !== undefined && { 'X-Subscription': current }),
})
