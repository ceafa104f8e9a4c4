import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../shared/parts/use-action.ts'
import { orderProviders, providersQuery } from '../api/providers.ts'
import type { Provider } from '../api/types.ts'

export interface Moving {
  /** Registers the move buttons of a provider. */
  readonly keep: (id: string, buttons: HTMLElement | null) => void
  readonly move: (place: number, by: -1 | 1) => void
}

/** Moves a provider, and keeps the focus on its button, so that keyboard users can continue. */
export function useMoving(providers: readonly Provider[]): Moving {
  const { t } = useTranslation('hub-providers')
  const queries = useQueryClient()
  const buttons = useRef(new Map<string, HTMLElement>())
  const moved = useRef<{ readonly id: string; readonly by: -1 | 1 }>(undefined)
  const { run } = useAction(
    async ({ place, by }: { place: number; by: -1 | 1 }) => {
      const order = await orderProviders(withMoved(providers, place, by).map(({ id }) => id))
      moved.current = { id: providers[place]!.id, by }
      queries.setQueryData(providersQuery.queryKey, order)
      return { name: providers[place]!.serviceName, place: place + by + 1 }
    },
    ({ name, place }) => t('moved', { name, place }),
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: once the page shows the new order
  useEffect(() => {
    if (moved.current) focusOn(buttons.current.get(moved.current.id), moved.current.by)
    moved.current = undefined
  }, [providers])

  return {
    keep: (id, element) => {
      if (element) buttons.current.set(id, element)
      else buttons.current.delete(id)
    },
    move: (place, by) => void run({ place, by }),
  }
}

/** The button for the same direction, or the other one at the end of the list. */
function focusOn(pair: HTMLElement | undefined, by: -1 | 1): void {
  const [up, down] = pair?.children ?? []
  const inOrder = by === -1 ? [up, down] : [down, up]
  const button = inOrder.find((one) => one instanceof HTMLButtonElement)
  button?.focus()
}

/** The list with one item moved by one place. */
function withMoved<Item>(items: readonly Item[], place: number, by: -1 | 1): readonly Item[] {
  const next = [...items]
  const [one] = next.splice(place, 1)
  next.splice(place + by, 0, one!)
  return next
}
