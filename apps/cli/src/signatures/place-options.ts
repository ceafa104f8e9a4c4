import { StartupProblem } from '@chancela/service-kernel/errors'
import type { AppearancePlace } from '@chancela/signature-engine/pades'

export interface PlaceOptions {
  /** `x,y,width,height` in points from the lower left corner. */
  readonly place?: string
  readonly page?: string
}

/** What the options say of a place. */
export const placeOf = ({ place, page }: PlaceOptions): Partial<AppearancePlace> => ({
  ...(place !== undefined && { ...rectangleOf(place), origin: 'bottom-left' }),
  ...(page !== undefined && { page: pageOf(page) }),
})

export function rectangleOf(place: string): Pick<AppearancePlace, 'x' | 'y' | 'width' | 'height'> {
  const [x, y, width, height, ...more] = place.split(',').map(Number)
  const isPlace = [x, y, width, height].every(Number.isFinite) && more.length === 0 && width! > 0 && height! > 0
  if (!isPlace)
    throw new StartupProblem(`--place takes x,y,width,height in points, such as 36,36,220,60, not ${place}.`)
  return { x: x!, y: y!, width: width!, height: height! }
}

export function pageOf(page: string): NonNullable<AppearancePlace['page']> {
  if (page === 'last' || page === 'all') return page
  const number = Number(page)
  if (!Number.isInteger(number) || number < 1)
    throw new StartupProblem(`--page takes a number from 1, last or all, not ${page}.`)
  return number
}
