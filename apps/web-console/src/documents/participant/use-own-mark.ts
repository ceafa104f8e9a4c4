import { useEffect, useState } from 'react'
import type { Mark } from '../api/types.ts'
import { asMark, type PageSize, type PlacedMark, placeNew } from '../pdf/mark-geometry.ts'

/** The mark a signer places before signing. */
export interface OwnMark {
  readonly mark: PlacedMark | undefined
  /** Whether it was placed just now. */
  readonly isNew: boolean
  /** In the service's format. */
  readonly position: Mark | undefined
  readonly place: () => void
  readonly move: (mark: PlacedMark) => void
  readonly remove: () => void
}

export function useOwnMark(front: { readonly page: number; readonly size: PageSize } | undefined): OwnMark {
  const [mark, setMark] = useState<PlacedMark>()
  const [isNew, setNew] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new is only what the last change brought
  useEffect(() => setNew(false), [mark])
  return {
    mark,
    isNew,
    position: mark && asMark(mark),
    place: () => {
      if (!front) return
      setNew(true)
      setMark(placeNew('own', front.page, front.size, []))
    },
    move: setMark,
    remove: () => setMark(undefined),
  }
}
