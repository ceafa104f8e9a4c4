import { StartupProblem } from '@chancela/service-kernel/errors'
import type { SignPadesOptions } from '@chancela/signature-engine/pades'
import { readInput } from './files.ts'

type Appearance = NonNullable<SignPadesOptions['appearance']>

export interface VisibleOptions {
  readonly visible?: boolean
  /** `x,y,width,height` in points from the lower left corner. */
  readonly place: string
  readonly page: string
  readonly text?: readonly string[]
  readonly image?: string
  readonly qr?: string
}

/** The text of a visible signature: the one given, else the signer's name and the time. */
export async function appearanceOf(
  { visible, place, page, text = [], image, qr }: VisibleOptions,
  usual: readonly string[],
): Promise<Appearance | undefined> {
  const isVisible = visible || text.length > 0 || image !== undefined || qr !== undefined
  if (!isVisible) return undefined
  return {
    ...placeOf(place),
    page: pageOf(page),
    lines: text.length > 0 ? text : usual,
    border: true,
    ...(image !== undefined && { image: await readInput(image) }),
    ...(qr !== undefined && { qrCode: qr }),
  }
}

function placeOf(place: string): Pick<Appearance, 'x' | 'y' | 'width' | 'height'> {
  const [x, y, width, height, ...more] = place.split(',').map(Number)
  const isPlace = [x, y, width, height].every(Number.isFinite) && more.length === 0 && width! > 0 && height! > 0
  if (!isPlace)
    throw new StartupProblem(`--place takes x,y,width,height in points, such as 36,36,220,60, not ${place}.`)
  return { x: x!, y: y!, width: width!, height: height! }
}

function pageOf(page: string): NonNullable<Appearance['page']> {
  if (page === 'last' || page === 'all') return page
  const number = Number(page)
  if (!Number.isInteger(number) || number < 1)
    throw new StartupProblem(`--page takes a number from 1, last or all, not ${page}.`)
  return number
}
